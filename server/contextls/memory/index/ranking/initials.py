"""Initials in a question, ``API``, beside a type of the workspace that is called ``Api``."""

from __future__ import annotations

import re

from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import hash_term

# Initials in more chunks than these are a word that everything there is about.
MAX_CHUNKS = 40


def are_spelled_as(view: IndexView, initials: str, name: str) -> bool:
    """Whether the workspace writes ``initials`` as ``name``, another case of them, wherever it does in most places.

    A cache called ``Lru`` is the LRU. Where ``api`` is a folder, a route and part of many names, one ``Api`` is not the API.
    """
    term = hash_term(initials.lower())
    owners = [segment.owners(term) for segment in view.segments]
    held = [chunks[alive[chunks]].tolist() for chunks, alive in zip(owners, view.alive, strict=True)]
    if sum(map(len, held)) > MAX_CHUNKS:
        return False
    texts = [
        segment.row(at).text for segment, chunks in zip(view.segments, held, strict=True) for at in chunks
    ]
    in_all = sum(len(re.findall(re.escape(initials), text, re.IGNORECASE)) for text in texts)
    as_name = sum(len(re.findall(rf"\b{re.escape(name)}\b", text)) for text in texts)
    return 2 * as_name >= in_all > 0
