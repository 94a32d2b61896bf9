"""Files and records of games: saves, replays, histories."""
