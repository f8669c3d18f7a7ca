"""Git history as memory: which files change together, how often, by whom and in which commits."""
