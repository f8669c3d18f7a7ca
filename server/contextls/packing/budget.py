"""The share of each file when not everything fits: files give way one at a time, in an order known before.

Of what was not named one by one, data and legacy code give way first, then tests and examples, then documents and settings,
then source; the largest of a kind first. All that can become skeletons before the first is left with its name alone. Files
that were named or have changed give way last, in the same two steps. What room is left at the end goes back to those that
fit into it, the most important and smallest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from contextls.memory.index.priors import FileKind, file_kinds
from contextls.model import Detail

# Hardly any file is more than this many times as large as its skeleton. Where the skeletons of more important files would
# not fit even at that factor, none are made of less important ones.
MAX_SKELETON_FACTOR = 10
# The fewest tokens that the beginning of a file is worth showing in.
_BEGINNING = 200

_ORDER = (
    frozenset({FileKind.DATA, FileKind.TRANSLATION, FileKind.LEGACY, FileKind.LICENCE, FileKind.CHANGELOG}),
    frozenset({FileKind.TEST, FileKind.EXAMPLE}),
    frozenset({FileKind.DOCUMENT, FileKind.SETTINGS}),
    frozenset({FileKind.SOURCE}),
)


class Weighed(Struct, frozen=True):
    """A file and the tokens that all of it takes."""

    path: str
    tokens: int
    named: bool


def choose_details(
    files: Sequence[Weighed], room: int, shrink: Callable[[Sequence[str]], Mapping[str, int]]
) -> dict[str, Detail]:
    """What is shown of each file, in at most ``room`` tokens.

    ``shrink`` makes skeletons and gives the tokens of each; a file of which there is none is not in its answer.
    """
    costs = _Costs({file.path: file.tokens for file in files}, room)
    others = _in_order([file for file in files if not file.named])
    named = _in_order([file for file in files if file.named])
    for groups in (others, named):
        for place, group in enumerate(groups):
            if costs.fit:
                break
            more_important = [file for later in groups[place + 1 :] for file in later]
            if costs.sum_of(more_important) <= room * MAX_SKELETON_FACTOR:
                costs.skeletons |= shrink([file.path for file in group])
            costs.reduce(group, {path: (Detail.SKELETON, size) for path, size in costs.skeletons.items()})
        for group in groups:
            largest_first = sorted(group, key=lambda file: (-costs.now[file.path], file.path))
            costs.reduce(largest_first, {file.path: (Detail.NAME, 0) for file in group})
    for group in (*reversed(named), *reversed(others)):
        costs.restore(group)
    return costs.details


def share_beginnings(
    files: Sequence[Weighed], details: Mapping[str, Detail], left: int
) -> Iterator[tuple[str, int]]:
    """The named files that are not shown otherwise, and what the beginning of each may take of what is ``left``.

    The most important and smallest come first, as many as have enough room to say something.
    """
    groups = _in_order([file for file in files if file.named and details[file.path] is Detail.NAME])
    ordered = [file.path for group in reversed(groups) for file in reversed(group)]
    ordered = ordered[: max(1, left // _BEGINNING)]
    for path in ordered:
        yield path, left // len(ordered)


class _Costs:
    """The tokens of each file as it is shown by now, and their sum."""

    def __init__(self, whole: Mapping[str, int], room: int) -> None:
        self.now = dict(whole)
        self.room = room
        self.skeletons: dict[str, int] = {}
        self.details = dict.fromkeys(whole, Detail.WHOLE)
        self.total = sum(whole.values())

    @property
    def fit(self) -> bool:
        return self.total <= self.room

    def sum_of(self, files: Sequence[Weighed]) -> int:
        return sum(self.now[file.path] for file in files)

    def reduce(self, files: Sequence[Weighed], smaller: Mapping[str, tuple[Detail, int]]) -> None:
        for file in files:
            if self.fit:
                return
            detail, tokens = smaller.get(file.path, (Detail.WHOLE, self.now[file.path]))
            if tokens < self.now[file.path]:
                self._show(file.path, detail, tokens)

    def restore(self, files: Sequence[Weighed]) -> None:
        for file in reversed(files):
            if self.details[file.path] is Detail.WHOLE:
                continue  # the skeleton of a short function is longer than the function
            for detail, tokens in (
                (Detail.WHOLE, file.tokens),
                (Detail.SKELETON, self.skeletons.get(file.path, self.room + 1)),
            ):
                more = tokens - self.now[file.path]
                if more > 0 and self.total + more <= self.room:
                    self._show(file.path, detail, tokens)
                    break

    def _show(self, path: str, detail: Detail, tokens: int) -> None:
        self.total += tokens - self.now[path]
        self.now[path] = tokens
        self.details[path] = detail


def _in_order(files: Sequence[Weighed]) -> list[list[Weighed]]:
    """The groups in the order in which they give way, the largest of each first."""
    kinds = dict(zip(files, file_kinds([file.path for file in files]), strict=True))
    ordered = sorted(files, key=lambda file: (-file.tokens, file.path))
    return [[file for file in ordered if kinds[file] in group] for group in _ORDER]
