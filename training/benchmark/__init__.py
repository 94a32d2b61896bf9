"""The benchmark: suites of tasks and their score (suites.py), and the files of results (files.py)."""
