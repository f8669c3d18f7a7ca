"""Names in what is shown that share parts with a name which is nowhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from contextls.assembly.pieces.bodies import CodeSpan, NamedLine
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.terms import STOP_WORDS, TermSplitter

MAX_SIMILAR = 3


def find_similar_names(
    names: Iterable[str], shown: Sequence[CodeSpan], outlines: Mapping[str, Outline]
) -> tuple[NamedLine, ...]:
    """At most ``MAX_SIMILAR`` definitions in ``shown`` that share most of the parts of one of ``names``, or the last.

    The last is what it is about: beside ``NewAdapter``, ``GetAdapter`` is named. Those that share it come first, then those
    with rarer parts, then those with fewer others.
    """
    splitter = TermSplitter()
    defined: dict[str, tuple[NamedLine, frozenset[int]]] = {}
    for line in _definitions_in(shown, outlines):
        defined.setdefault(line.name, (line, frozenset(splitter.stem_hashes(line.name))))
    counts = Counter(part for _, parts in defined.values() for part in parts)
    found: dict[NamedLine, tuple[bool, float, int]] = {}
    for name in names:
        own = [term.hash for term in splitter.stems(name) if term.text not in STOP_WORDS]
        for line, parts in defined.values():
            shared = parts.intersection(own)
            if own and (own[-1] in shared or 2 * len(shared) > len(own)):
                rarity = sum(math.log(1 + len(defined) / counts[part]) for part in shared)
                rank = own[-1] in shared, rarity, -len(parts)
                found[line] = max(found.get(line, rank), rank)
    return tuple(sorted(found, key=lambda line: found[line], reverse=True)[:MAX_SIMILAR])


def _definitions_in(shown: Iterable[CodeSpan], outlines: Mapping[str, Outline]) -> Iterator[NamedLine]:
    for span in shown:
        outline = outlines.get(span.path)
        for each in outline.beginning_in(span.start_line, span.end_line) if outline else ():
            yield NamedLine(each.name, span.path, each.start_line)
