"""What every game promises, written once and run on every game, variant and player count.

A game adds only `tests/<game>/box.py`: `broken(states)` lists what is missing from or too many in the box, `recount(state)` gives the final
scores and ranks by a way of its own, `LONGEST` states how many decisions a game of random
play may take, and `FUZZ` how many such games the fuzz plays.
"""
