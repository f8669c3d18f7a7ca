"""English plurals."""

from __future__ import annotations

from collections.abc import Iterator


def singulars(word: str) -> Iterator[str]:
    """The words of which ``word`` may be the plural, as "categories" may be of "category"; most of them are none."""
    for ending, single in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending):
            yield word.removesuffix(ending) + single
