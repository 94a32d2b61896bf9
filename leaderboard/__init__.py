"""Reference results of the benchmark, one file per agent and suite, and the page that shows them.

`python -m tradewinds.leaderboard FILE ...` adds files to this folder and writes docs/leaderboard.md from it.
"""
