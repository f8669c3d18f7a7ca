"""The parameters of updating a context, compressing text and counting tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contextls.errors import InvalidRequestError
from contextls.lsp.fields import Fields
from contextls.lsp.params import record_params

if TYPE_CHECKING:
    from contextls.model import NewEvent


@dataclass(frozen=True, slots=True)
class UpdateParams:
    """What ``context/update`` was asked."""

    context_id: str
    event: NewEvent
    max_tokens: int | None
    root_uri: str | None


@dataclass(frozen=True, slots=True)
class CompressParams:
    """What ``context/compress`` was asked."""

    text: str
    max_tokens: int
    path_or_language: str
    tokenizer: str | None
    summarize: bool


@dataclass(frozen=True, slots=True)
class CountParams:
    """What ``context/countTokens`` was asked."""

    texts: tuple[str, ...]
    tokenizer: str | None


def update_params(params: object) -> UpdateParams:
    """Read ``context/update``."""
    fields = Fields(params, ("contextId", "event", "maxTokens", "rootUri"))
    context_id = fields.needed_text("contextId")
    given = fields.record("event")
    if given is None:
        raise InvalidRequestError("event", "an object as context/recordEvent takes it; it is missing")
    if "rootUri" in given:
        raise InvalidRequestError("event.rootUri", "rootUri beside event, not in it")
    try:
        event = record_params(given).event
    except InvalidRequestError as error:
        raise InvalidRequestError(f"event.{error.field}", error.expected) from None
    return UpdateParams(context_id, event, fields.whole("maxTokens", least=1), fields.file_uri("rootUri"))


def compress_params(params: object) -> CompressParams:
    """Read ``context/compress``."""
    fields = Fields(params, ("text", "maxTokens", "language", "path", "tokenizer", "summarize"))
    text = fields.text("text")
    if text is None:
        raise InvalidRequestError("text", "a string; it is missing")
    most = fields.whole("maxTokens", least=1)
    if most is None:
        raise InvalidRequestError("maxTokens", "a whole number, 1 or more; it is missing")
    if fields.has("language") and fields.has("path"):
        raise InvalidRequestError("path", "either language or path, not both")
    kind = fields.text("language") or fields.text("path") or ""
    return CompressParams(text, most, kind, fields.text("tokenizer"), fields.flag("summarize"))


def count_params(params: object) -> CountParams:
    """Read ``context/countTokens``."""
    fields = Fields(params, ("text", "texts", "tokenizer"))
    text, texts = fields.text("text"), fields.texts("texts")
    if (text is None) == (texts is None):
        raise InvalidRequestError("text", "either text, a string, or texts, a list of strings")
    return CountParams((text,) if text is not None else texts or (), fields.text("tokenizer"))
