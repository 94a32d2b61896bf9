"""Santiago de Cuba as text and as SVG."""
