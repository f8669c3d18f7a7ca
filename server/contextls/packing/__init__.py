"""Chosen files as one document within a budget: no index, no question, nothing but the disk."""
