"""The rules of Puerto Rico, one file a role or chapter; turn.py puts them in order."""
