"""The wording of a question: what its text says before any memory is asked."""
