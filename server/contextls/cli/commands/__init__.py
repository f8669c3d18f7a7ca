"""One module per command. Importing one is cheap: the engine is imported when the command runs."""
