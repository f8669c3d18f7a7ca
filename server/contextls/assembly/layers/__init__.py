"""The layers of a turn: what is always so, what was said, what was found, what is so now; and their budget."""
