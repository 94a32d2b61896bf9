"""The rules of Santiago de Cuba, one file per chapter. legal.py and apply.py dispatch to the chapters; turn.py puts them in order."""
