"""Finds the files that speak of a question before they are indexed: its words are counted in their bytes.

Read and forgotten: of a file only numbers are kept. What a word is worth is not known until it was looked for, so files
are weighed at the end: by the words that few of them hold, by words that stand side by side, and by their paths.

Threads do it, which mostly wait for the disk; until worker processes have started they are done with most workspaces.
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import accumulate, chain, islice
from pathlib import Path

from msgspec import Struct

from contextls import cancellation
from contextls.memory.index.priors import FileKind, file_kind
from contextls.memory.index.query.asked_kinds import kinds_asked_for
from contextls.memory.index.query.search_query import identifiers_in
from contextls.memory.index.terms import STOP_WORDS, TermSplitter
from contextls.memory.index.updating.order_of_use import order_by_use
from contextls.text.literals import Literals, Occurrences
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.scan import FileStat
from contextls.workspace.size_limit import most_bytes

# The words that one pass looks for: the longest ones of a text, as they say most.
MAX_WORDS = 24
MIN_WORD_CHARS = 3
_READERS = 4
_GROUP = 32  # files that a thread reads at once
_BINARY_PROBE = 8_192
# In a file of this size, two occurrences of a word are worth half of what many are.
_USUAL_BYTES = 40_000
_PATH_WEIGHT = 0.75
_PAIR_WEIGHT = 0.5
_UNLIKELY_KIND = 0.3
_PATH_LETTERS = 5


class FileHit(Struct, frozen=True):
    """A file that holds some of the words, and its size in bytes."""

    path: str
    size: int
    found: Occurrences


def words_to_look_for(text: str) -> tuple[str, ...]:
    """The words of a question as they may stand in files: lower case, without their endings, function words left out."""
    splitter = TermSplitter()
    named = {part for name in identifiers_in(text) for part in splitter.parts(name)}
    found: dict[str, str] = {}
    for word in splitter.words(text):
        for part in splitter.parts(word):
            if part not in STOP_WORDS and _is_long_enough(part):
                stems = splitter.stems(part)
                found.setdefault(_common_start(part, stems[0].text) if len(stems) == 1 else part, part)
    words = list(filter(_is_long_enough, found))
    if len(words) > MAX_WORDS:
        words = sorted(words, key=lambda word: (found[word] not in named, -len(word), word))[:MAX_WORDS]
    return tuple(words)


def scan_for(text: str, files: Sequence[FileStat], root: Path, max_bytes: int, seconds: float) -> list[str]:
    """The ``files`` that hold some of the words of ``text``, best first.

    They are looked through for at most so many seconds, those first whose path holds some. Raises ``CancelledError``.
    """
    words = words_to_look_for(text)
    if not words or not files:
        return []
    ends_at = time.monotonic() + seconds
    named = weigh_paths(words, [stat.path for stat in files])
    likely = sorted((stat for stat in files if stat.path in named), key=lambda stat: -named[stat.path])
    in_likeliness = chain(likely, order_by_use(stat for stat in files if stat.path not in named))
    count = partial(_count_in, root, Literals(words), max_bytes)
    hits: list[FileHit] = []
    scanned = 0
    # The disk is slower than the search: what is next is read meanwhile.
    with ThreadPoolExecutor(_READERS, thread_name_prefix="contextls-scan") as readers:
        groups = iter(lambda: tuple(islice(in_likeliness, _GROUP)), ())
        at_work = deque((len(group), readers.submit(count, group)) for group in islice(groups, 2 * _READERS))
        while at_work:
            size, found = at_work.popleft()
            hits.extend(found.result())
            scanned += size
            cancellation.check()
            if time.monotonic() < ends_at:
                at_work.extend((len(group), readers.submit(count, group)) for group in islice(groups, 1))
    return rank_hits(hits, named, scanned, kinds_asked_for(text))


def _count_in(root: Path, literals: Literals, max_bytes: int, files: Sequence[FileStat]) -> list[FileHit]:
    """The words that each file holds; a file that cannot be read as text holds none."""
    hits = []
    for stat in files:
        try:
            raw = read_bytes(f"{root}/{stat.path}", most_bytes(stat.path, max_bytes), within=root)
        except OSError:
            continue
        if b"\0" not in raw[:_BINARY_PROBE] and (found := literals.count(raw)):
            hits.append(FileHit(stat.path, stat.size, found))
    return hits


def weigh_paths(words: Sequence[str], paths: Sequence[str]) -> dict[str, float]:
    """Score paths by the words in them: a word that few paths hold scores more.

    Paths are abbreviated: "sched" stands for "scheduler". The path of anything but source scores less.
    """
    starts = [word[:_PATH_LETTERS] for word in words]
    raw = [path.encode("utf-8", "surrogatepass") for path in paths]
    ends = list(accumulate(len(path) + 1 for path in raw))
    held: dict[int, set[int]] = {}
    for word, start, _ in Literals(starts, counts_inside=math.inf).find(b"\n".join(raw)):
        held.setdefault(bisect_right(ends, start), set()).add(word)
    holders = Counter(word for found in held.values() for word in found)
    rarity = {word: _rarity(count, len(paths)) for word, count in holders.items()}
    return {
        paths[number]: sum(map(rarity.__getitem__, found)) * _kind_factor(paths[number])
        for number, found in held.items()
    }


def rank_hits(
    hits: Sequence[FileHit],
    named: Mapping[str, float],
    scanned: int,
    asked: Collection[FileKind],
) -> list[str]:
    """The paths of ``hits``, best first; ``named`` is what paths say, ``asked`` which kinds of file are meant."""
    if not hits:
        return []
    words = range(len(hits[0].found.counts))
    rarity = [_rarity(sum(1 for hit in hits if hit.found.counts[word]), scanned) for word in words]
    beside: dict[tuple[int, int], int] = {}
    for hit in hits:
        for pair in hit.found.pairs:
            beside[pair] = beside.get(pair, 0) + 1

    def score(hit: FileHit) -> float:
        counts, length = hit.found.counts, 1 + hit.size / _USUAL_BYTES
        text = sum(rarity[word] * counts[word] / (counts[word] + length) for word in words)
        pairs = sum(_rarity(beside[pair], scanned) for pair in hit.found.pairs)
        path = named.get(hit.path, 0.0)
        return (text + _PAIR_WEIGHT * pairs + _PATH_WEIGHT * path) * _kind_factor(hit.path, asked)

    scores = {hit.path: score(hit) for hit in hits}
    return sorted(scores, key=lambda path: (-scores[path], path))


def _kind_factor(path: str, asked: Collection[FileKind] = ()) -> float:
    kind = file_kind(path)
    return 1.0 if kind is FileKind.SOURCE or kind in asked else _UNLIKELY_KIND


def _rarity(holders: int, scanned: int) -> float:
    """The weight of a word that ``holders`` of the ``scanned`` files hold, as in BM25."""
    return math.log1p(scanned / (holders + 1))


def _is_long_enough(word: str) -> bool:
    """Whether files that hold ``word`` are few; two letters of Chinese are a word."""
    return len(word) >= (MIN_WORD_CHARS if word.isascii() else 2)


def _common_start(word: str, stem: str) -> str:
    """The common start of ``word`` and its stem: "cop" for "copy" and "copi", which stands in "copies" too."""
    size = next(
        (at for at, (a, b) in enumerate(zip(word, stem, strict=False)) if a != b), min(len(word), len(stem))
    )
    return word[:size]
