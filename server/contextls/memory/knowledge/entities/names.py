"""The names of a workspace as people misremember them: written together, in another style, or with a typing error.

One index per workspace that follows snapshots. It may hold names that are gone: whoever looks one up asks the symbols of
the own snapshot what it means today.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.memory.index.outlines import Outline

# Shorter names are a letter away from too much.
SHORTEST_FUZZY = 5
# Indel similarity in percent: one wrong letter in nine, a swap or an omission in a longer name.
CUTOFF = 88.0
MAX_ALIKE = 12


class NameIndex:
    """Folded names by their squeezed form and by their first letter; file stems by name."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._seen: Mapping[str, Outline] = {}
        self._known: set[str] = set()
        self._squeezed: dict[str, list[str]] = {}
        self._by_letter: dict[str, list[str]] = {}
        self._stems: dict[str, set[str]] = {}

    def follow(self, outlines: Mapping[str, Outline]) -> NameIndex:
        """Take in the names of ``outlines`` that are new; costs next to nothing when little changed."""
        with self._guard:
            if outlines is not self._seen:
                for path, outline in outlines.items():
                    if self._seen.get(path) is not outline:
                        self._add(path, outline)
                self._seen = outlines
        return self

    def written_as(self, word: str) -> Sequence[str]:
        """The folded names that have the same letters as ``word``, whatever joins their parts."""
        return sorted(self._squeezed.get(squeeze(word), ()))

    def find_files(self, stem: str) -> Sequence[str]:
        """The paths of files that are called ``stem``, endings and case left out."""
        return sorted(self._stems.get(stem.lower(), ()))

    def alike(self, word: str) -> list[tuple[str, float]]:
        """Folded names and file stems that begin with the same letter and are nearly ``word``, with 0..1, best first."""
        from rapidfuzz import fuzz, process

        folded = word.lower()
        if len(folded) < SHORTEST_FUZZY:
            return []
        names = self._by_letter.get(folded[0], [])
        found = process.extract(folded, names, scorer=fuzz.ratio, score_cutoff=CUTOFF, limit=MAX_ALIKE)
        return sorted(((name, score / 100) for name, score, _ in found), key=lambda pair: (-pair[1], pair[0]))

    def _add(self, path: str, outline: Outline) -> None:
        stem = path.rpartition("/")[2].partition(".")[0].lower()
        if stem:
            self._stems.setdefault(stem, set()).add(path)
        for name in {stem, *(definition.name.lower() for definition in outline.definitions)} - self._known:
            self._known.add(name)
            if squeeze(name):
                self._squeezed.setdefault(squeeze(name), []).append(name)
            if len(name) >= SHORTEST_FUZZY:
                self._by_letter.setdefault(name[0], []).append(name)


def squeeze(name: str) -> str:
    """``load_config``, ``loadConfig``, ``load-config`` -> ``loadconfig``."""
    return name.replace("_", "").replace("-", "").lower()
