"""Matches between agents.

`evaluate.py` is the entry point: `evaluate` and `tournament` make a `Schedule` (schedule.py), run it (runner.py), which plays games
(arena.py) in this process or in several (workers.py), and summarise the results (stats.py).
"""
