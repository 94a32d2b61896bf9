"""What a game declares: fields, actions, options, observation layout, rewards."""
