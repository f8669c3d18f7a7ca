"""``context/recordEvent``, ``context/events``, ``context/didFocus`` and ``context/didChangeDiagnostics``: what happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct, field

from contextls.errors import InvalidRequestError
from contextls.event_content import FIELDS, check_content
from contextls.model import Event, Filters, NewEvent, Outcome
from contextls.regex import compile_late
from contextls.requests.common import DEFAULT_LISTED, FilledText, Limit, RootUri
from contextls.requests.uris import to_path
from contextls.schema.rules import LENIENT, Doc, Expected, First

# A broken import may set off a thousand more; nobody looks at what comes after these.
MAX_DIAGNOSTICS = 2_000
# With two letters at least: one is a drive of Windows.
_URI = compile_late(r"[A-Za-z][A-Za-z0-9+.-]+://")


class RecordParams(Struct, frozen=True, kw_only=True):
    """Something that only the client saw."""

    type: Annotated[
        FilledText, Doc("`shell_exec`, `error`, `file_read`, `file_write`, or a word of your own")
    ]
    outcome: Annotated[Outcome | None, Doc("how it ended")] = None
    timestamp: Annotated[int | None, Doc("milliseconds since the epoch; now when absent")] = None
    session_id: Annotated[str | None, Doc("the one that is going on in the workspace when absent")] = None
    content: Annotated[
        Mapping[str, Any],
        Doc(
            "for `shell_exec`: `command`, and if known `exitCode` (without it the command may still run), `stdout`, "
            "`stderr`, `cwd`, `durationMs`, `runs` (the command lines that it stands for; read from the project where it is "
            "missing), nothing else; for `error` at least `message`; for `file_read` and `file_write` at least `path`, "
            "inside the workspace, or its `file:` URI; for other types anything"
        ),
    ]
    key: Annotated[
        FilledText | None,
        Doc(
            "the client's own name for this event, such as a UUID: where an event with this key is stored already, its `id` "
            "is answered and nothing is stored again"
        ),
    ] = None
    root_uri: RootUri = None

    def __post_init__(self) -> None:
        check_content(self.type, self._given)

    @property
    def event(self) -> NewEvent:
        """The event itself."""
        return NewEvent(
            type=self.type,
            content=self._given,
            outcome=self.outcome,
            timestamp=self.timestamp,
            session_id=self.session_id,
            key=self.key,
        )

    @property
    def _given(self) -> Mapping[str, Any]:
        """The content without what is null, which counts as absent, and with a path where it gives the URI of a file.

        Events of other types are the client's own.
        """
        if self.type not in FIELDS:
            return self.content
        given = {name: value for name, value in self.content.items() if value is not None}
        path = given.get("path")
        return {**given, "path": _read_path(path)} if isinstance(path, str) else given


def _read_path(given: str) -> str:
    """A path as it is given, or that of a file's URI. Raises ``InvalidRequestError`` for other URIs."""
    if not _URI.match(given):
        return given
    path = to_path(given)
    if path is None:
        raise InvalidRequestError(
            "content.path", "a path inside the workspace, or the file: URI of one", given
        )
    return str(path)


class Recorded(Struct, frozen=True):
    """The event was kept under this id."""

    id: str


class NotRecorded(Struct, frozen=True, kw_only=True):
    """The event was not kept, and why."""

    id: None = None
    reason: str


class EventFilters(Struct, frozen=True):
    """Which events are listed."""

    since: Annotated[int | None, Doc("from then on, in milliseconds since the epoch, inclusive")] = None
    until: Annotated[int | None, Doc("until then, in the same way")] = None
    event_types: Annotated[tuple[str, ...] | None, Doc("only these types")] = None
    task_id: Annotated[str | None, Doc("only while this task was the current one")] = None

    @property
    def filters(self) -> Filters:
        """The same in the words of the engine."""
        return Filters(since=self.since, until=self.until, event_types=self.event_types, task_id=self.task_id)


class EventsParams(Struct, frozen=True, kw_only=True):
    """A page of what happened."""

    limit: Limit = DEFAULT_LISTED
    before: Annotated[
        str | None,
        Doc(
            "the `id` of an event: what comes after it in this order. The last `id` of one page brings the next; a "
            "page with fewer than `limit` events is the last"
        ),
    ] = None
    filters: Annotated[EventFilters, Doc("which events")] = field(default_factory=EventFilters)
    session_id: Annotated[str | None, Doc("only the events of this session")] = None
    root_uri: RootUri = None


class ListedEvent(Event, frozen=True):
    """An event as a list shows it."""

    text: Annotated[str, Doc("says in one plain line what happened")] = ""


class EventList(Struct, frozen=True):
    """Events, newest first."""

    events: tuple[ListedEvent, ...]


class FocusParams(Struct, frozen=True):
    """The document that is in front."""

    uri: Annotated[FilledText, Doc("the document")]


class DiagnosticStart(Struct, frozen=True):
    """Where a diagnostic begins."""

    line: int
    character: Any = None


class DiagnosticRange(Struct, frozen=True):
    """Where a diagnostic is: only the line on which it begins is read."""

    start: DiagnosticStart
    end: Any = None


class Diagnostic(Struct, frozen=True):
    """A diagnostic of LSP. Only what has a type here is read."""

    range: DiagnosticRange
    message: Annotated[str, LENIENT]
    severity: Annotated[int | None, Doc("1 (error), 2 (warning), 3 or 4; 1 when absent")] = None
    source: Annotated[str | None, Doc("the tool that found it")] = None
    code: Annotated[Any, Doc("the tool's code for it")] = None
    code_description: Any = None
    tags: Any = None
    related_information: Any = None
    data: Any = None


class DiagnosticsParams(Struct, frozen=True):
    """All diagnostics of one document."""

    uri: Annotated[FilledText, Doc("the document")]
    diagnostics: Annotated[
        tuple[Diagnostic, ...],
        First(MAX_DIAGNOSTICS),
        Expected("a list of diagnostics"),
        Doc("as in LSP; an empty list when all are gone"),
    ]
