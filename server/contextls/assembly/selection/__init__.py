"""The selection: which candidates go in, under one budget."""
