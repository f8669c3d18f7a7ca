"""Finds the files that speak of a question before they are indexed: its words are counted in their bytes.

Worker processes count, and tell numbers alone: no text of a file leaves them. What a word is worth is not known until it
was looked for, so files are weighed at the end: by the words that few of them hold, by words that stand side by side, and
by their paths.
"""

from __future__ import annotations

import functools
import math
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from pathlib import Path

from contextls.code.pool import Result, WorkerPool
from contextls.memory.index.asked_kinds import kinds_asked_for
from contextls.memory.index.order_of_use import in_order
from contextls.memory.index.priors import FileKind, file_kind
from contextls.memory.index.search_query import identifiers_in
from contextls.memory.index.terms import STOP_WORDS, TermSplitter
from contextls.text.literals import Literals
from contextls.workspace.regular_file import read_bytes
from contextls.workspace.scan import FileStat

# One pass looks for so many words; of a longer text the longest say most.
MAX_WORDS = 24
SHORTEST_WORD = 3
# What a worker takes at once: some tens of milliseconds, so that a scan ends soon after its time is over.
_TASK_FILES = 400
_TASK_BYTES = 4_000_000
_BINARY_PROBE = 8_192
# Half of what many occurrences are worth comes with one in so many bytes; a word in the path counts as many in the text.
_USUAL_BYTES = 40_000
_PATH_WEIGHT = 0.75
_PAIR_WEIGHT = 0.5
_UNLIKELY_KIND = 0.3
_PATH_LETTERS = 5


@dataclass(frozen=True, slots=True)
class ScanTask:
    """Files to look through for ``words``; a file that has grown past ``max_bytes`` is left out."""

    root: str
    paths: tuple[str, ...]
    words: tuple[str, ...]
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A file that holds some of the words: how often each, and which of them side by side."""

    path: str
    counts: tuple[int, ...]
    pairs: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The files that hold some of the words, best first, and how many of all were looked through."""

    paths: list[str]
    scanned: int


def words_to_look_for(text: str) -> tuple[str, ...]:
    """The words of a question as they may stand in files: lower case, without their endings, function words left out."""
    splitter = TermSplitter()
    named = {part for name in identifiers_in(text) for part in splitter.parts(name)}
    found: dict[str, str] = {}
    for word in splitter.words(text):
        for part in splitter.parts(word):
            if part not in STOP_WORDS and len(part) >= SHORTEST_WORD:
                (stem,) = splitter.stems(part) or (None,)
                found.setdefault(_common_start(part, stem.text if stem else part), part)
    words = [word for word in found if len(word) >= SHORTEST_WORD]
    if len(words) > MAX_WORDS:
        words = sorted(words, key=lambda word: (found[word] not in named, -len(word), word))[:MAX_WORDS]
    return tuple(words)


def scan_for(
    text: str, files: Sequence[FileStat], root: Path, pool: WorkerPool, max_bytes: int, seconds: float
) -> ScanResult:
    """Look through ``files`` for the words of ``text``, those first whose path holds some, for about so many seconds.

    Raises ``CancelledError``.
    """
    words = words_to_look_for(text)
    if not words or not files:
        return ScanResult([], 0)
    ends_at = time.monotonic() + seconds
    named = weigh_paths(words, [stat.path for stat in files])
    likely = sorted((stat for stat in files if stat.path in named), key=lambda stat: -named[stat.path])
    rest = in_order(stat for stat in files if stat.path not in named)
    scanned: list[str] = []

    def tasks() -> Iterator[ScanTask]:
        for group in chain(_groups(likely), _groups(rest)):
            if time.monotonic() > ends_at:
                return
            scanned.extend(group)
            yield ScanTask(str(root), group, words, max_bytes)

    hits = [
        hit for found in pool.map(count_words, tasks()) if isinstance(found, Result) for hit in found.value
    ]
    sizes = {stat.path: stat.size for stat in files}
    return ScanResult(rank_hits(hits, named, sizes, len(scanned), kinds_asked_for(text)), len(scanned))


def count_words(task: ScanTask) -> list[Hit]:
    """Count the words in each file. Runs in a worker process; what cannot be read holds none."""
    literals = _literals(task.words)
    hits = []
    for path in task.paths:
        try:
            raw = read_bytes(f"{task.root}/{path}", task.max_bytes, within=Path(task.root))
        except OSError:
            continue
        if b"\0" not in raw[:_BINARY_PROBE] and (found := literals.count(raw)):
            hits.append(Hit(path, found.counts, found.pairs))
    return hits


def weigh_paths(words: Sequence[str], paths: Sequence[str]) -> dict[str, float]:
    """What each path says for its file, where it holds any of the words: more for those that few paths hold.

    Paths are abbreviated: "sched" stands for "scheduler". One of something else than source says less.
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
    hits: Sequence[Hit],
    named: Mapping[str, float],
    sizes: Mapping[str, int],
    scanned: int,
    asked: Collection[FileKind] = (),
) -> list[str]:
    """The paths of ``hits``, best first; ``named`` is what paths say, ``asked`` which kinds of file are meant."""
    if not hits:
        return []
    words = range(len(hits[0].counts))
    rarity = [_rarity(sum(1 for hit in hits if hit.counts[word]), scanned) for word in words]
    beside: dict[tuple[int, int], int] = {}
    for hit in hits:
        for pair in hit.pairs:
            beside[pair] = beside.get(pair, 0) + 1

    def score(hit: Hit) -> float:
        length = 1 + sizes.get(hit.path, 0) / _USUAL_BYTES
        text = sum(rarity[word] * hit.counts[word] / (hit.counts[word] + length) for word in words)
        pairs = sum(_rarity(beside[pair], scanned) for pair in hit.pairs)
        path = named.get(hit.path, 0.0)
        return (text + _PAIR_WEIGHT * pairs + _PATH_WEIGHT * path) * _kind_factor(hit.path, asked)

    scores = {hit.path: score(hit) for hit in hits}
    return sorted(scores, key=lambda path: (-scores[path], path))


def _kind_factor(path: str, asked: Collection[FileKind] = ()) -> float:
    kind = file_kind(path)
    return 1.0 if kind is FileKind.SOURCE or kind in asked else _UNLIKELY_KIND


def _rarity(holders: int, scanned: int) -> float:
    """What it says that a file holds a word, as in BM25."""
    return math.log1p(scanned / (holders + 1))


def _groups(files: Iterable[FileStat]) -> Iterator[tuple[str, ...]]:
    group: list[str] = []
    size = 0
    for stat in files:
        if group and (len(group) >= _TASK_FILES or size + stat.size > _TASK_BYTES):
            yield tuple(group)
            group, size = [], 0
        group.append(stat.path)
        size += stat.size
    if group:
        yield tuple(group)


def _common_start(word: str, stem: str) -> str:
    """What ``word`` and its stem begin with: the stem of "copies" is "copi", and "cop" stands in both of "copy"."""
    size = next(
        (at for at, (a, b) in enumerate(zip(word, stem, strict=False)) if a != b), min(len(word), len(stem))
    )
    return word[:size]


@functools.lru_cache(maxsize=4)
def _literals(words: tuple[str, ...]) -> Literals:
    return Literals(words)
