"""The stack of tasks."""
