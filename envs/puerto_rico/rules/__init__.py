"""The rules of Puerto Rico, one file per role or chapter. legal.py and apply.py dispatch to them; turn.py puts them in order."""
