"""One module per custom method: it validates, asks the engine, converts, and nothing else."""
