"""What may enter a prompt, and what counts for more or less: the filters and boosts of a request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from contextls.assembly.items import Item
from contextls.errors import InvalidRequestError
from contextls.memory.snapshot import Snapshot
from contextls.model import Boosts, Filters, Omission
from contextls.text.tokens import Tokenizer
from contextls.workspace.globs import Globs

# An item's boost, however many entries speak of it, stays within 0 and this.
LARGEST_BOOST = 10.0
MOST_BOOSTS = 100
_RANGE = re.compile(r"(.+):(\d{1,9})-(\d{1,9})", re.DOTALL)


class Admission:
    """Which items and files the filters let in."""

    def __init__(self, filters: Filters) -> None:
        """Raises ``InvalidRequestError`` for a path pattern that cannot be read."""
        self._exclude = frozenset(filters.exclude)
        self._ranges = [found for source in filters.exclude if (found := lines_of(source))]
        self._globs = Globs(filters.paths, "filters.paths") if filters.paths else None

    def searchable(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with only the chunks of files that the path patterns let in; the rest of it stays whole."""
        globs = self._globs
        if globs is None:
            return snapshot
        outside = [path for path in snapshot.view.paths if not globs.match(path)]
        return replace(snapshot, view=snapshot.view.without(outside))

    def lets_in(self, item: Item) -> bool:
        """Whether ``item`` may go in.

        With path patterns, one of its files has to match; what speaks of no file (a command, a note, the user's own text)
        stays.
        """
        if item.source in self._exclude or self._exclude & set(item.paths) or self._inside(item):
            return False
        return self._globs is None or not item.paths or any(map(self._globs.match, item.paths))

    def _inside(self, item: Item) -> bool:
        code = item.code
        return code is not None and any(
            code.path == path and first <= code.start_line and code.end_line <= last
            for path, first, last in self._ranges
        )


def filtered(
    items: Sequence[Item], admission: Admission, tokenizer: Tokenizer
) -> tuple[list[Item], list[Omission]]:
    """The items that may go in, and those that may not."""
    kept: list[Item] = []
    out: list[Omission] = []
    for item in items:
        if admission.lets_in(item):
            kept.append(item)
        else:
            out.append(Omission(item.section, item.source, "excluded", tokenizer.count(item.text)))
    return kept, out


@dataclass(frozen=True, slots=True)
class Boosting:
    """Checked boosts, ready to be applied."""

    boosts: Boosts
    globs: tuple[tuple[Globs, float], ...]

    @classmethod
    def of(cls, boosts: Boosts) -> Boosting:
        """Raises ``InvalidRequestError`` naming the entry that is out of range or cannot be read."""
        for name, table in (
            ("paths", boosts.paths),
            ("sections", boosts.sections),
            ("sources", boosts.sources),
        ):
            _check(f"boosts.{name}", table)
        return cls(
            boosts,
            tuple((Globs([glob], f"boosts.paths.{glob}"), value) for glob, value in boosts.paths.items()),
        )

    def apply(self, items: Sequence[Item]) -> list[Item]:
        """The items with their boosts: the product of all entries that speak of them."""
        if not (self.globs or self.boosts.sections or self.boosts.sources):
            return list(items)
        return [replace(item, boost=self._boost(item)) for item in items]

    def _boost(self, item: Item) -> float:
        boost = self.boosts.sections.get(item.section, 1.0) * self.boosts.sources.get(item.source, 1.0)
        for globs, value in self.globs:
            if any(map(globs.match, item.paths)):
                boost *= value
        return min(boost, LARGEST_BOOST)


def _check(field: str, table: Mapping[Any, float]) -> None:
    if len(table) > MOST_BOOSTS:
        raise InvalidRequestError(field, f"at most {MOST_BOOSTS} entries")
    for key, value in table.items():
        if not 0 <= value <= LARGEST_BOOST:  # also catches what is not a number
            raise InvalidRequestError(f"{field}.{key}", f"a number from 0 to {LARGEST_BOOST:.0f}", value)


def lines_of(source: str) -> tuple[str, int, int] | None:
    """Path, first and last line of a source ``path:start-end``, which may span several chunks."""
    found = _RANGE.fullmatch(source)
    return (found[1], int(found[2]), int(found[3])) if found else None
