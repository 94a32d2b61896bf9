"""Puerto Rico as text and as SVG."""
