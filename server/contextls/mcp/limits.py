"""The bounds on an answer, in tokens."""

MIN_TOKENS = 500  # the frame of an answer and one useful piece
DEFAULT_TOKENS = 8_000  # below what every client takes from one answer
