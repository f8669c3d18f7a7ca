"""The answer: the final pieces with their report, kept for a while and brought up to date."""
