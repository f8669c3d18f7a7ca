"""The command line: one module per command under ``commands/``, each of which asks the engine and prints."""
