"""Targets that a question means without naming them, and the code around them."""
