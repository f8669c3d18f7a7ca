"""``context/compress`` and ``context/countTokens``: texts that need no workspace."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.schema.rules import Bounds, Doc

Tokenizer = Annotated[str | None, Doc("an encoding or a model name; the setting when absent")]


class CompressParams(Struct, frozen=True, kw_only=True):
    """A text that is to fit a budget."""

    text: Annotated[str, Doc("the text, of at most 10,000,000 characters")]
    max_tokens: Annotated[int, Bounds(1), Doc("the budget")]
    language: Annotated[
        str | None,
        Doc("says that the text is code in this language, by name or extension. Either this or `path`"),
    ] = None
    path: Annotated[str | None, Doc("says by its name what the text is")] = None
    tokenizer: Tokenizer = None
    summarize: Annotated[
        bool, Doc("where it does not fit, ask [the chat model in the settings](summarizer.md)")
    ] = False

    def __post_init__(self) -> None:
        if self.language is not None and self.path is not None:
            raise InvalidRequestError("path", "either language or path, not both")


class CountParams(Struct, frozen=True, kw_only=True):
    """Texts that are to be counted."""

    text: Annotated[str | None, Doc("the text. Either this or `texts`")] = None
    texts: Annotated[tuple[str, ...] | None, Doc("the texts, at most 10,000")] = None
    tokenizer: Tokenizer = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.texts is None):
            raise InvalidRequestError("text", "either text, a string, or texts, a list of strings")
