"""Games in the terminal: played by a person, or watched."""
