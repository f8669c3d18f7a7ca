"""One module per command of ``workspace/executeCommand``."""
