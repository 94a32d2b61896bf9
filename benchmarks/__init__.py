"""Benchmarks of the games, training and search.

- `tradewinds bench` measures random legal play, memory and start-up, beside other libraries where they are installed (`bench`).
- `tradewinds bench --training` measures training beside Stable-Baselines3 (`training`).
- `python -m tradewinds.benchmarks.learning` compares win rates after the same number of env steps.
- `python -m tradewinds.benchmarks.searching` measures search simulations per second.
"""
