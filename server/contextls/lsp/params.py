"""The parameters of the custom methods: JSON in, frozen dataclasses out.

Every function raises ``InvalidRequestError`` naming the field that is wrong and what was expected.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields, checked_json
from contextls.lsp.narrowing import read_boosts, read_filters
from contextls.model import Boosts, Changes, EventType, Filters, NewEvent, Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Place:
    """A document and, when known, the 1-based inclusive lines of a cursor or selection in it."""

    uri: str
    start_line: int | None = None
    end_line: int | None = None


@dataclass(frozen=True, slots=True)
class AssembleParams:
    """What ``context/assemble`` was asked. ``None`` leaves the choice to the settings or the engine."""

    query: str
    max_tokens: int | None = None
    session_id: str | None = None
    archetype: str | None = None
    strategy_overrides: Mapping[str, Any] = field(default_factory=dict)
    additional_context: str | None = None
    filters: Filters = field(default_factory=Filters)
    boosts: Boosts = field(default_factory=Boosts)
    place: Place | None = None
    root_uri: str | None = None
    tokenizer: str | None = None
    work_done_token: str | int | None = None
    order: tuple[str, ...] = ()
    changes: str | None = None


@dataclass(frozen=True, slots=True)
class SearchParams:
    """What ``context/search`` was asked."""

    query: str
    limit: int
    root_uri: str | None = None


@dataclass(frozen=True, slots=True)
class RecordParams:
    """What ``context/recordEvent`` was told."""

    event: NewEvent
    root_uri: str | None = None


@dataclass(frozen=True, slots=True)
class RootParams:
    """Parameters that only choose a workspace."""

    root_uri: str | None = None


@dataclass(frozen=True, slots=True)
class CopyParams:
    """The argument of the command ``contextls.copyContext``."""

    query: str
    place: Place | None = None
    max_tokens: int | None = None


_ASSEMBLE = (
    "query",
    "maxTokens",
    "sessionId",
    "strategy",
    "additionalContext",
    "filters",
    "boosts",
    "textDocument",
    "position",
    "range",
    "rootUri",
    "tokenizer",
    "order",
    "changes",
    "workDoneToken",
    "partialResultToken",
)
_RESULTS = 10
_MAX_RESULTS = 1000


def assemble_params(params: object) -> AssembleParams:
    """Read ``context/assemble``."""
    fields = Fields(params, _ASSEMBLE)
    query = fields.needed_text("query")
    fields.token("partialResultToken")
    archetype, overrides = _strategy(fields)
    return AssembleParams(
        query=query,
        max_tokens=fields.whole("maxTokens", least=1),
        session_id=fields.text("sessionId"),
        archetype=archetype,
        strategy_overrides=overrides,
        additional_context=fields.text("additionalContext"),
        filters=read_filters(fields),
        boosts=read_boosts(fields),
        place=_place(fields),
        root_uri=fields.file_uri("rootUri"),
        tokenizer=fields.text("tokenizer"),
        work_done_token=fields.token("workDoneToken"),
        order=fields.texts("order") or (),
        changes=fields.choice("changes", tuple(Changes)),
    )


def search_params(params: object) -> SearchParams:
    """Read ``context/search``."""
    fields = Fields(params, ("query", "limit", "rootUri"))
    limit = fields.whole("limit", least=1)
    if limit is not None and limit > _MAX_RESULTS:
        raise InvalidRequestError("limit", f"a whole number from 1 to {_MAX_RESULTS}", limit)
    return SearchParams(fields.needed_text("query"), limit or _RESULTS, fields.file_uri("rootUri"))


def record_params(params: object) -> RecordParams:
    """Read ``context/recordEvent``."""
    fields = Fields(params, ("type", "outcome", "timestamp", "sessionId", "content", "rootUri"))
    kind = fields.needed_text("type")
    outcome = fields.choice("outcome", tuple(Outcome))
    content = fields.record("content")
    if content is None:
        raise InvalidRequestError("content", "an object; it is missing")
    checked_json(content, "content")
    event = NewEvent(
        type=kind,
        content=_content(kind, content),
        outcome=Outcome(outcome) if outcome else None,
        timestamp=fields.whole("timestamp"),
        session_id=fields.text("sessionId"),
    )
    return RecordParams(event, fields.file_uri("rootUri"))


def root_params(params: object) -> RootParams:
    """Read parameters that may be left out altogether and only choose a workspace."""
    return RootParams(Fields({} if params is None else params, ("rootUri",)).file_uri("rootUri"))


def copy_params(arguments: object) -> CopyParams:
    """Read the arguments of ``contextls.copyContext``: a list with one object."""
    fields = Fields(sole_argument(arguments), ("query", "uri", "range", "maxTokens"), "arguments[0]")
    uri = fields.text("uri")
    place = None
    if fields.has("range") and uri is None:
        raise InvalidRequestError(fields.path("uri"), "a document URI, as a range was given")
    if uri is not None:
        place = Place(uri, *(_range(fields, "range") or (None, None)))
    return CopyParams(fields.needed_text("query"), place, fields.whole("maxTokens", least=1))


def sole_argument(arguments: object) -> object:
    """The one argument of a command; an empty object when none was given."""
    if arguments is None:
        return {}
    if not isinstance(arguments, (list, tuple)) or len(arguments) > 1:
        raise InvalidRequestError("arguments", "a list with one object", arguments)
    return arguments[0] if arguments else {}


def _strategy(fields: Fields) -> tuple[str | None, Mapping[str, Any]]:
    value = fields.raw("strategy")
    if isinstance(value, str):
        return fields.needed_text("strategy"), {}
    if value is None or value == []:
        return None, {}
    if not isinstance(value, dict):
        raise InvalidRequestError("strategy", "the name of an archetype or an object of overrides", value)
    overrides = {name: each for name, each in value.items() if name != "name"}
    return Fields(value, value, "strategy").text("name"), overrides


def _place(fields: Fields) -> Place | None:
    document = fields.nested("textDocument", ("uri", "version"))
    if document is None:
        for name in ("position", "range"):
            if fields.has(name):
                raise InvalidRequestError("textDocument", f"an object with uri, as {name} was given")
        return None
    document.signed("version")
    uri = document.needed_text("uri")
    if fields.has("position") and fields.has("range"):
        raise InvalidRequestError("range", "either position or range, not both")
    if fields.has("position"):
        line, _ = read_position(fields, "position")
        return Place(uri, line + 1, line + 1)
    return Place(uri, *(_range(fields, "range") or (None, None)))


def read_position(fields: Fields, name: str) -> tuple[int, int]:
    """Line and character of a position, 0-based as in LSP."""
    given = fields.nested(name, ("line", "character"))
    if given is None:
        raise InvalidRequestError(fields.path(name), "an object with line and character; it is missing")
    numbers = [given.whole(part) for part in ("line", "character")]
    for part, number in zip(("line", "character"), numbers, strict=True):
        if number is None:
            raise InvalidRequestError(given.path(part), "a whole number, 0 or more; it is missing")
    return numbers[0] or 0, numbers[1] or 0


def _range(fields: Fields, name: str) -> tuple[int, int] | None:
    """The 1-based inclusive lines of a range; a line of which it covers no character is left out."""
    given = fields.nested(name, ("start", "end"))
    if given is None:
        return None
    start = read_position(given, "start")
    end = read_position(given, "end")
    if end < start:
        raise InvalidRequestError(given.path("end"), "a position that is not before start")
    last = end[0] if end[1] == 0 and end[0] > start[0] else end[0] + 1
    return start[0] + 1, last


def _content(kind: str, content: Mapping[str, Any]) -> Mapping[str, Any]:
    if kind == EventType.SHELL_EXEC:
        return _shell(content)
    if kind in (EventType.FILE_READ, EventType.FILE_WRITE):
        Fields(content, tuple(content), "content").needed_text("path")
    elif kind == EventType.ERROR:
        Fields(content, tuple(content), "content").needed_text("message")
    return content


def _shell(content: Mapping[str, Any]) -> Mapping[str, Any]:
    known = ("command", "exitCode", "stdout", "stderr", "cwd", "durationMs")
    fields = Fields(content, known, "content")
    fields.needed_text("command")
    if not fields.has("exitCode"):
        raise InvalidRequestError("content.exitCode", "a whole number; it is missing")
    fields.signed("exitCode")
    for name in ("stdout", "stderr", "cwd"):
        fields.text(name)
    fields.number("durationMs")
    return {name: content[name] for name in known if fields.has(name)}
