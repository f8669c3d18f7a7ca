"""Activity: what becomes an event, how much of it, and what a failing command says about the code."""
