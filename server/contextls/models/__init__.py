"""Models that turn text into vectors or summaries, on this machine or behind an endpoint that the user named."""
