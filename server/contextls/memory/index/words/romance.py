"""Plurals of French, Spanish, Portuguese and Italian that their stemmers keep apart from the singular: "líneas"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from contextls.memory.index.words.morphology import Morphology

# What plurals end in, the longest first, and what the singular may have in its place.
_PLURALS: Mapping[str, str] = {
    "french": "eaux:eau aux:al,ail oux:ou eux:eu s:",
    "spanish": "ces:z ones:ón enes:en,én es: s:",
    "portuguese": "ões:ão ães:ão éis:el eis:el,il,ível ais:al óis:ol uis:ul ns:m res:r zes:z ses:s s:",
    "italian": "chi:co,che che:ca ghi:go ghe:ga i:o,e,io e:a",
}
_MIN_BASE_CHARS = 2


class Romance(Morphology):
    """The morphology of one of these languages."""

    def __init__(self, language: str) -> None:
        """``language`` is one of the four, in small letters."""
        pairs = (pair.split(":") for pair in _PLURALS[language].split())
        self._endings = [(plural, singular.split(",")) for plural, singular in pairs]

    def singulars(self, word: str) -> Iterator[str]:
        """The singulars of which a word may be the plural."""
        for plural, singular in self._endings:
            base = word.removesuffix(plural)
            if base != word and len(base) >= _MIN_BASE_CHARS:
                yield from (base + ending for ending in singular)
