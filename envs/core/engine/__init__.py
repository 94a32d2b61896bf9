"""The engine: the JIT and its cache, random numbers, masks, loops, buffers, threads."""
