"""``context/didChangeDiagnostics``: all problems of one document, whoever found them. A notification or a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.errors import InvalidRequestError
from contextls.lsp.documents import well_formed
from contextls.lsp.fields import Fields
from contextls.lsp.problems import Problem, severity_name
from contextls.lsp.uris import to_path

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer

_KNOWN = (
    "range",
    "message",
    "severity",
    "source",
    "code",
    "codeDescription",
    "tags",
    "relatedInformation",
    "data",
)
_MOST = 2_000


def handle(ls: ContextServer, params: Any) -> None:  # noqa: ANN401 - JSON
    """Compare them with what was heard last; what is outside of every workspace is left out."""
    fields = Fields(params, ("uri", "diagnostics"))
    uri = fields.needed_text("uri")
    given = fields.raw("diagnostics")
    if not isinstance(given, list):
        raise InvalidRequestError("diagnostics", "a list of diagnostics", given)
    problems = [_problem(each, f"diagnostics[{index}]") for index, each in enumerate(given[:_MOST])]
    path = to_path(uri)
    if path is not None and ls.workspaces.containing(path) is not None:
        ls.problems.changed(path, problems)


def _problem(value: object, at: str) -> Problem:
    fields = Fields(value, _KNOWN, at)
    message = fields.raw("message")
    if not isinstance(message, str):
        raise InvalidRequestError(fields.path("message"), "a string", message)
    code = fields.raw("code")
    return Problem(
        well_formed(message),
        _line(fields),
        severity_name(fields.whole("severity")),
        fields.text("source") or "",
        str(code) if isinstance(code, (str, int)) else "",
    )


def _line(fields: Fields) -> int:
    span = fields.nested("range", ("start", "end"))
    start = span.nested("start", ("line", "character")) if span else None
    line = start.whole("line") if start else None
    if line is None:
        raise InvalidRequestError(fields.path("range.start.line"), "a whole number, 0 or more; it is missing")
    return line + 1
