"""One module per memory: each turns what the memory knows into items for the prompt."""
