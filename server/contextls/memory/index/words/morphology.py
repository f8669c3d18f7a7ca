"""The changes of a language's words beyond what its stemmer undoes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


class Morphology:
    """A language whose stemmer suffices. Others override what they need."""

    # Parts that a verb puts at the end of its clause: German "schaltet … ein".
    particles: frozenset[str] = frozenset()

    def other_spellings(self, _word: str, /) -> tuple[str, ...]:
        """Further spellings under which a table without accents may have a word."""
        return ()

    def without_infixes(self, _word: str, /) -> tuple[str, ...]:
        """A word without what may stand in its middle: as many forms for each word of a language."""
        return ()

    def singulars(self, _word: str, /) -> Iterator[str]:
        """The singulars that a word may be the plural of, the likeliest first."""
        return iter(())

    def infinitives(self, _word: str, /) -> Iterator[str]:
        """The infinitives that a word may be a form of, the likeliest first."""
        return iter(())

    def rejoin(self, _particle: str, _verb: str, /) -> Iterator[str]:
        """The infinitives of which a particle and a form of a verb may be the two parts."""
        return iter(())

    def split_compound(self, _word: str, /) -> Iterator[tuple[Sequence[str], str]]:
        """The ways to cut a compound in two: what its first part may be, and the last part."""
        return iter(())

    def borrowed(self, _word: str, /) -> Iterator[str]:
        """The English words of which a form of this language may be made, the likeliest first."""
        return iter(())
