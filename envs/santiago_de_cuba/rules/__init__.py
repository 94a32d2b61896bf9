"""The rules of Santiago de Cuba, one file a chapter; turn.py puts them in order."""
