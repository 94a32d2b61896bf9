"""How fast the games, training and search are.

- `tradewinds bench` measures random legal play, memory and start-up, beside other libraries where they are installed (`bench`).
- `tradewinds bench --training` measures training beside Stable-Baselines3 (`training`).
- `python -m tradewinds.benchmarks.learning` compares win rates after as many env steps.
- `python -m tradewinds.benchmarks.searching` measures search iterations per second.
"""
