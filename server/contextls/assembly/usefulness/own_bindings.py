"""Tells the files of JavaScript and TypeScript in which the name of a function elsewhere is bound to something of their own.

A component with ``const [user, setUser] = useState()`` calls no ``setUser`` of another module.
"""

from __future__ import annotations

import re

from contextls.memory.index.snapshot.snapshot import Snapshot

# Files in these languages import what they use and do not make themselves, or have it from the surroundings.
_LANGUAGES = frozenset({"javascript", "jsx", "svelte", "tsx", "typescript", "vue"})
# The characters of a file that are searched.
MAX_CHARS = 200_000


def binds_own(path: str, name: str, snapshot: Snapshot) -> bool:
    """Whether the file ``path`` binds ``name`` itself and imports nothing that is called so."""
    outline = snapshot.outlines.get(path)
    if outline is None or outline.language not in _LANGUAGES:
        return False
    if any(name in each.names for each in outline.imports):
        return False
    return bool(_find_own(path, name, snapshot))


def _find_own(path: str, name: str, snapshot: Snapshot) -> re.Match[str] | None:
    word = rf"(?<![\w$.]){re.escape(name)}(?![\w$])"
    binding = re.compile(
        rf"\b(?:const|let|var)\s{{1,9}}(?:[\[{{][^\[\]{{}}=;]{{0,300}}?)?{word}|\bfunction\s{{1,9}}{word}"
    )
    view = snapshot.view
    text = "\n".join(view.row(ref).text for ref in view.chunks_of(path))
    return binding.search(text, 0, MAX_CHARS)
