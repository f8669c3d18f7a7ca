"""Which files are too large to be indexed: by what is read of them, and of a notebook that is a small part."""

from __future__ import annotations

from contextls.text.notebook import is_notebook

# How many times larger a notebook may be than other files: its pictures and other outputs are not indexed.
NOTEBOOK_FACTOR = 16


def is_too_large(path: str, size: int, max_file_bytes: int) -> bool:
    """Whether a file of ``size`` bytes, or an unsaved text of as many characters, is larger than it may be."""
    return size > max_file_bytes and (not is_notebook(path) or size > NOTEBOOK_FACTOR * max_file_bytes)
