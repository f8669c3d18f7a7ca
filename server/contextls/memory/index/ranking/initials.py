"""Initials in a question, ``API``, where the workspace has a type called ``Api``."""

from __future__ import annotations

import re
from itertools import islice

from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.index.terms import hash_term

# Initials in more chunks than these are a word that everything there is about.
MAX_CHUNKS = 40


def are_spelled_as(view: IndexView, initials: str, name: str) -> bool:
    """Whether the workspace writes ``initials`` as ``name``, another case of them, wherever it does in most places.

    A cache called ``Lru`` is the LRU. Where ``api`` is a folder, a route and part of many names, one ``Api`` is not the API.
    """
    held = list(islice(view.holding([hash_term(initials.lower())]), MAX_CHUNKS + 1))
    if len(held) > MAX_CHUNKS:
        return False
    texts = [view.row(ref).text for ref in held]
    in_all = sum(len(re.findall(re.escape(initials), text, re.IGNORECASE)) for text in texts)
    as_name = sum(len(re.findall(rf"\b{re.escape(name)}\b", text)) for text in texts)
    return 2 * as_name >= in_all > 0
