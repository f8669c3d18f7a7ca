"""Admits candidates to a prompt by filters and exclusions, and weighs them by the boosts of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.admission.exclusion import ExclusionFilter
from contextls.assembly.admission.permissions import PermissionKind, Permissions
from contextls.assembly.pieces.bodies import CodeSpan, PinnedSpan
from contextls.assembly.pieces.candidate import Candidate, parse_span
from contextls.errors import InvalidRequestError
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Boosts, Filters
from contextls.workspace.globs import Globs
from contextls.workspace.rules.find import is_rules_file

# A boost, however many entries speak of a candidate, stays within 0 and this.
MAX_BOOST = 10.0
MAX_BOOSTS = 100


class Admission:
    """Lets in the candidates and files that the filters of a request allow."""

    def __init__(
        self, filters: Filters, permissions: Permissions | None = None, *, with_rules: bool = True
    ) -> None:
        """Without ``with_rules`` files that instruct models are not searched: they are sent as rules, or not at all.

        Raises ``InvalidRequestError`` for a path pattern that cannot be read.
        """
        self._exclude = frozenset(filters.exclude)
        self._spans = [found for name in filters.exclude if (found := parse_span(name))]
        self._globs = Globs(filters.paths, "filters.paths") if filters.paths else None
        self.permissions = permissions or Permissions()
        self._with_rules = with_rules

    def searchable(self, snapshot: Snapshot) -> Snapshot:
        """``snapshot`` with only the chunks of files that the path patterns let in; the rest of it stays whole."""
        if self._globs is None and not self.permissions.restricts and self._with_rules:
            return snapshot
        outside = [path for path in snapshot.view.paths if not self._is_searched(path)]
        return replace(snapshot, view=snapshot.view.without(outside)) if outside else snapshot

    def lets_in(self, candidate: Candidate) -> bool:
        """Whether ``candidate`` may go in.

        With path patterns, one of its files has to match; what speaks of no file (a command, a note, the user's own text)
        stays.
        """
        if candidate.id in self._exclude or not self._exclude.isdisjoint(candidate.paths):
            return False
        if self._is_inside(candidate) or not self.permissions.allow_candidate(candidate):
            return False
        return self._globs is None or not candidate.paths or any(map(self._globs.match, candidate.paths))

    def _matches(self, path: str) -> bool:
        return self._globs is None or self._globs.match(path)

    def lets_in_change(self, hunk: Hunk) -> bool:
        """Whether the patterns, the exclusions and the permissions of the request let in a change."""
        path = hunk.path
        return path not in self._exclude and self._matches(path) and self.permissions.allow_change(hunk)

    def _is_searched(self, path: str) -> bool:
        if not self._matches(path):
            return False
        return self.permissions.allow(PermissionKind.CODE, [path]) and (
            self._with_rules or not is_rules_file(path)
        )

    def _is_inside(self, candidate: Candidate) -> bool:
        body = candidate.body
        return isinstance(body, (CodeSpan, PinnedSpan)) and any(
            body.path == path and first <= body.start_line and body.end_line <= last
            for path, first, last in self._spans
        )


def admit(
    candidates: Sequence[Candidate], admission: Admission, exclusion: ExclusionFilter
) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates that may go in, and those that this or an earlier request excluded."""
    kept: list[Candidate] = []
    out: list[Candidate] = []
    for one in candidates:
        allowed = admission.lets_in(one) and not exclusion.hides_candidate(one)
        (kept if allowed else out).append(one)
    return kept, out


class ScoreBoosts(Struct, frozen=True):
    """Checked boosts, ready to be applied."""

    boosts: Boosts
    globs: tuple[tuple[Globs, float], ...]

    @classmethod
    def of(cls, boosts: Boosts) -> ScoreBoosts:
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

    def apply(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates with their boosts: the product of all entries that concern them."""
        if not (self.globs or self.boosts.sections or self.boosts.sources):
            return list(candidates)
        return [replace(one, scores=replace(one.scores, boost=self._boost(one))) for one in candidates]

    def _boost(self, candidate: Candidate) -> float:
        boost = self.boosts.sections.get(candidate.section, 1.0) * self.boosts.sources.get(candidate.id, 1.0)
        for globs, value in self.globs:
            if any(map(globs.match, candidate.paths)):
                boost *= value
        return min(boost, MAX_BOOST)


def _check(field: str, table: Mapping[Any, float]) -> None:
    if len(table) > MAX_BOOSTS:
        raise InvalidRequestError(field, f"at most {MAX_BOOSTS} entries")
    for key, value in table.items():
        if not 0 <= value <= MAX_BOOST:  # also catches what is not a number
            raise InvalidRequestError(f"{field}.{key}", f"a number from 0 to {MAX_BOOST:.0f}", value)
