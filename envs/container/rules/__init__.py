"""The rules of Container, one file per chapter. legal.py and apply.py dispatch to the chapters; turn.py puts them in order."""
