"""Services that need no workspace: short texts, token counts, strategies, and how an event is described."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.model import Archetype, CompressedText, Event, TokenCounts


def compress_file(
    text: str, max_tokens: int, tokenizer: str, *, name: str, language: str | None, parse_seconds: float
) -> CompressedText:
    """The text of the file called ``name`` in at most ``max_tokens``. Raises ``InvalidRequestError``.

    Without ``language``, the name tells whether it is code; a parser gets ``parse_seconds``.
    """
    from contextls.assembly.compress_text import compress_text
    from contextls.code.pool import WorkerPool

    with WorkerPool(1, parse_seconds) as pool:  # starts when something must be parsed
        return compress_text(text, max_tokens, tokenizer, language or _code_language(name), pool)


def count_tokens(texts: tuple[str, ...], tokenizer: str) -> TokenCounts:
    """The tokens of each text and of all. Raises ``InvalidRequestError``."""
    from contextls.assembly.compress_text import count_tokens

    return count_tokens(texts, tokenizer)


def list_archetypes() -> tuple[Archetype, ...]:
    """The named strategies with what each is good for, in the order in which to offer them."""
    from contextls.assembly.strategies import describe_archetypes

    return describe_archetypes()


def describe_event(event: Event) -> str:
    """Describe an event in one line; names, paths and commands are quoted."""
    from contextls.memory.events import describe_event

    return describe_event(event)


def summarize_event(event: Event) -> str:
    """Describe an event in one plain line of at most 200 characters."""
    from contextls.memory.events import plainly

    return plainly(event)


def workspace_list() -> Path:
    """The file that lists the known workspaces, one absolute path a line. It need not exist."""
    from contextls.memory.activity.workspace_list import known_file

    return known_file()


def _code_language(name: str) -> str:
    """The language when it is code: logs and prose are better told by their text."""
    from contextls.code.languages import TEXT, default_languages

    language = default_languages().language_of(name, "")
    return "" if language in (TEXT, "markdown") else language
