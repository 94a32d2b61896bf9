"""How a game runs: the JIT, its cache, random numbers, masks, loops, buffers, threads."""
