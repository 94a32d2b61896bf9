"""Container as text and as SVG."""
