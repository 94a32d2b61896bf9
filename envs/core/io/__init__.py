"""What is kept: saves, replays, histories."""
