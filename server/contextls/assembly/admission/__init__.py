"""Admission: what may enter a prompt, and what has to stay out."""
