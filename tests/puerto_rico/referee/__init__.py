"""A slow referee: the rules once more in plain Python, independent of the kernels."""
