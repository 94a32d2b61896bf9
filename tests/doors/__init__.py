"""The doors for other tools, each used by the tool itself."""
