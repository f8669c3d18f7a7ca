"""Permissions: the rows of a request and of the user's settings, and the one filter that goes by them.

A row is a kind of content, or a kind with a pattern of paths: ``code``, ``code:src/**``, ``activity``. Without rows
everything may be shown. A piece needs a row of its kind; what speaks of files needs every one of them in a pattern.
They are part of the question, so that every shape of its answer goes by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from contextls.assembly.pieces.bodies import (
    Absence,
    Body,
    CodeSpan,
    CommitList,
    DiffHunk,
    EventRun,
    FreeText,
    Habit,
    KnownEntity,
    NoChanges,
    PackageText,
    PinnedSpan,
    RelationBundle,
    RepositoryMap,
    ShownBefore,
    Summary,
    TaskLine,
    TaskSentence,
    WorkUnderWay,
)
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.request import RootedRequest
from contextls.errors import InvalidRequestError
from contextls.memory.events.leaks import files_of
from contextls.memory.events.passed_runs import PassedRun
from contextls.memory.vcs.hunks import Hunk
from contextls.model import AssembleRequest, Event
from contextls.settings_rules import PermissionKind, read_permission_row
from contextls.workspace.globs import Globs

__all__ = ["PermissionKind", "Permissions", "permissions_for"]

MAX_ROWS = 200
_NOTHING = Globs([], "")
FIELD = "permissionsGranted"
_SETTING = "contextls.identityPermissions"


class Permissions:
    """The things that may be shown: those that every set of rows grants, or all without a set."""

    def __init__(self, *sets: Sequence[str], below: str = "") -> None:
        """Paths count from the folder ``below`` the one that the rows speak of.

        Raises ``InvalidRequestError`` for a row that cannot be read.
        """
        self._sets = [_read_rows(rows) for rows in sets]
        self._below = f"{below}/" if below else ""

    @property
    def restricts(self) -> bool:
        """Whether anything may be kept back."""
        return bool(self._sets)

    def allow(self, kind: PermissionKind, paths: Sequence[str] = ()) -> bool:
        """Whether content of this kind about these files, or tools of these names, may be shown."""
        named = [f"{self._below}{path}" for path in paths] if self._sets else ()
        return all(_grants(rows, kind, named) for rows in self._sets)

    def count_hidden(self, paths: Iterable[str]) -> int:
        """The number of these files whose code may not be shown."""
        return sum(not self.allow(PermissionKind.CODE, [path]) for path in paths) if self.restricts else 0

    def allow_candidate(self, candidate: Candidate) -> bool:
        """Whether a retrieved piece may be shown; the client's own text always may."""
        if isinstance(candidate.body, RepositoryMap):  # of all files: what only some may show is no map
            return all(rows.get(PermissionKind.CODE, _NOTHING) is None for rows in self._sets)
        kind = _kind_of(candidate.body)
        return kind is None or self.allow(kind, [*candidate.paths, *_named_files(candidate.body)])

    def allow_change(self, hunk: Hunk) -> bool:
        """Whether a change may be shown or mentioned."""
        return self.allow(PermissionKind.CHANGES, [hunk.path, *filter(None, [hunk.came_from])])

    def allow_event(self, event: Event) -> bool:
        """Whether an event may be shown or mentioned."""
        return self.allow(PermissionKind.ACTIVITY, files_of(event))


def permissions_for(request: AssembleRequest, own: Sequence[str]) -> Permissions:
    """The permissions of an answer to ``request``; ``own`` are the user's settings for identities.

    Raises ``InvalidRequestError``.
    """
    sets = (request.permissions_granted, rows_for(request.identity, own, _SETTING))
    below = request.root if isinstance(request, RootedRequest) and request.installed else ""
    return Permissions(*(rows for rows in sets if rows is not None), below=below)


def rows_for(identity: str | None, own: Sequence[str], field: str) -> list[str] | None:
    """The rows of the user's settings (``identity=row``) for whom a prompt is shown to; ``None`` where there is none.

    Raises ``InvalidRequestError``.
    """
    rows = []
    for entry in own:
        name, equals, row = entry.partition("=")
        if not (equals and name.strip() and row.strip()):
            raise InvalidRequestError(field, "entries such as reviewer=code:src/**", entry)
        if identity is not None and name.strip() == identity:
            rows.append(row.strip())
    return rows or None


def _grants(rows: Mapping[PermissionKind, Globs | None], kind: PermissionKind, paths: Sequence[str]) -> bool:
    if kind not in rows:
        return False
    globs = rows[kind]
    return globs is None or all(map(globs.match, paths))


def _read_rows(rows: Sequence[str]) -> dict[PermissionKind, Globs | None]:
    if len(rows) > MAX_ROWS:
        raise InvalidRequestError(FIELD, f"at most {MAX_ROWS} rows")
    patterns: dict[PermissionKind, list[str] | None] = {}
    for row in rows:
        granted = read_permission_row(row)
        if granted is None:
            expected = f"rows such as code or code:src/**, with one of the kinds {', '.join(PermissionKind)}"
            raise InvalidRequestError(FIELD, expected, row)
        kind, pattern = granted
        known = patterns.setdefault(kind, [])
        if pattern is None:
            patterns[kind] = None  # all of it
        elif known is not None:
            known.append(pattern)
    return {kind: None if known is None else Globs(known, FIELD) for kind, known in patterns.items()}


def _kind_of(body: Body) -> PermissionKind | None:
    match body:
        case CodeSpan() | PinnedSpan() | Absence() | RepositoryMap():
            return PermissionKind.CODE
        case DiffHunk() | CommitList() | NoChanges() | WorkUnderWay():
            return PermissionKind.CHANGES
        case EventRun() | PassedRun():
            return PermissionKind.ACTIVITY
        case KnownEntity() | RelationBundle() | Habit():
            return PermissionKind.KNOWLEDGE
        case TaskLine():
            return PermissionKind.TASKS
        case PackageText():
            return PermissionKind.PACKAGES
        case Summary(of=of) | ShownBefore(of=of):
            return _kind_of(of)
        case TaskSentence() | FreeText():
            return None


def _named_files(body: Body) -> Sequence[str]:
    """Further files that a piece names, such as the former path of a renamed file."""
    match body:
        case EventRun(event=event):
            return files_of(event)
        case DiffHunk(hunk=hunk) if hunk.came_from:
            return (hunk.came_from,)
        case ShownBefore(of=of):
            return _named_files(of)
    return ()
