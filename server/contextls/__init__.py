"""contextls: turn a question about a workspace into the best prompt that fits a token budget."""

__version__ = "0.1.0"
