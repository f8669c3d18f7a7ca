"""Git history as memory: which files change together, how often, who changed them and in which commits."""
