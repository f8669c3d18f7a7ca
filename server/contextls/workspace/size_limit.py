"""The size limit of files: by what is read of them, and of a notebook that is a small part."""

from __future__ import annotations

from contextls.text.notebook import is_notebook

# How many times larger a notebook may be than other files: its pictures and other outputs are not indexed.
NOTEBOOK_FACTOR = 16


def most_bytes(path: str, max_file_bytes: int) -> int:
    """The size that the file at ``path`` may have, where others may have ``max_file_bytes``."""
    return NOTEBOOK_FACTOR * max_file_bytes if is_notebook(path) else max_file_bytes


def is_too_large(path: str, size: int, max_file_bytes: int) -> bool:
    """Whether a file of ``size`` bytes, or an unsaved text of as many characters, is larger than it may be."""
    return size > max_file_bytes and size > most_bytes(path, max_file_bytes)
