"""The declaration of a game: fields, actions, options, observation layout, rewards."""
