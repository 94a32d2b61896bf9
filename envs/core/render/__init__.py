"""Rendering: SVG, pixels, labels."""
