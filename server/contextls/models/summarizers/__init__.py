"""What may summarise a piece of a prompt that does not fit: models that the user configured, and nothing otherwise."""
