"""How fast the games are: `tradewinds bench` measures, and compares with other libraries where they are installed.

Every contestant plays uniformly random legal moves, gets the mask and the observation of each position, and pays for its own choice of
the move. Contestants take turns in short rounds, each in a process of its own kind that is pinned to as many cores as it may use.
"""
