"""What all games share. No game is named in here."""
