"""Reference results of the benchmark, one file per agent and suite, and the page that shows them.

`python -m tradewinds.leaderboard` writes docs/leaderboard.md from the files in this folder.
"""
