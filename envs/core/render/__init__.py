"""What is shown: SVG, pixels, labels."""
