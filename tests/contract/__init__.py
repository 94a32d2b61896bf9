"""What every game promises, written once and run on every game, variant and player count.

A game adds only `tests/<game>/box.py`: `broken(states)` lists pieces that are missing or too many, `recount(state)` computes the final
scores and ranks independently, `LONGEST` is the most decisions that a game of random play may take, and `FUZZ` how many such games the
fuzz plays. Toy Market, a game as an outside package would have it, has tests/support/toy_market_box.py.
"""
