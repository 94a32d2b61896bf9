"""The rules of Container, one file a chapter; legal.py lists what is allowed, turn.py puts the chapters in order."""
