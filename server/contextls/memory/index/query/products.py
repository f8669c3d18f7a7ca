"""Products in a question that code writes otherwise: ``node`` for Node.js, ``lastfm`` for Last.fm and LastFM."""

from __future__ import annotations

import re

from contextls.memory.index.query.long_queries import is_long
from contextls.memory.index.snapshot.segment_set import SegmentSet
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.terms import TermSplitter
from contextls.memory.index.words.neighbours import count_as_one_word, count_in_names
from contextls.regex import compile_late

_PRODUCT = compile_late(r"(?<![\w./\\-])(?P<name>[A-Z][A-Za-z]{1,30})\.js(?![\w./\\:(-])")
# Two words with nothing between them but a capital or a dot; no name of code that is called, escaped or part of a path.
_TWO_WORDS = compile_late(
    r"(?<![\w./\\:`$@#<>-])(?:[A-Za-z][a-z]{0,20}[A-Z][A-Za-z]{1,20}|[A-Z]?[a-z]{2,20}\.[a-z]{2,4})(?![\w`(\\:/<>$-]|\.\w)"
)


def read_products(question: str, snapshot: Snapshot, splitter: TermSplitter) -> str:
    """``question`` with the products in it as the code of ``snapshot`` writes them."""
    question = _shorten(question, snapshot.files)
    if is_long(question):
        return question

    def write(found: re.Match[str]) -> str:
        parts = splitter.parts(found[0])
        is_code = len(parts) != len(("first", "second")) or snapshot.symbols.paths_defining(found[0])
        return found[0] if is_code or not _is_one_word(parts, snapshot, splitter) else "".join(parts)

    return _TWO_WORDS.sub(write, question)


def _shorten(question: str, files: SegmentSet) -> str:
    """``question`` with ``Node`` for "Node.js", unless one of ``files`` is called so."""

    def shorten(found: re.Match[str]) -> str:
        name = found[0].lower()
        called = files.find_stem(found["name"])
        is_file = any(path.lower().rpartition("/")[2] == name for path in called)
        return found[0] if is_file else found["name"]

    return _PRODUCT.sub(shorten, question)


def _is_one_word(parts: list[str], snapshot: Snapshot, splitter: TermSplitter) -> bool:
    """Whether names of code have the ``parts`` as one word at least as often as side by side."""
    together = count_as_one_word(snapshot.view, splitter, "".join(parts))
    return together > 0 and together >= count_in_names(snapshot.view, splitter, *parts)
