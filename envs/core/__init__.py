"""The code that all games share. It names no game."""
