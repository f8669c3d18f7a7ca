"""From a question to a prompt: signals, candidates, scores, selection, shape."""
