"""The border to summarizers."""

from __future__ import annotations

from typing import Protocol


class Summarizer(Protocol):
    """Tells in a few words what a text says, or what code may call it.

    Another kind of model is another class with these members.
    """

    @property
    def identity(self) -> str:
        """A name that changes whenever the same text may get another summary, but for the model's own chance."""

    def summarize(self, text: str, max_tokens: int) -> str:
        """The gist of ``text`` in about ``max_tokens`` tokens, never empty. Raises ``SummarizerError``."""

    def name_words(self, question: str) -> str:
        """Words and names that code may have for what ``question`` says otherwise. Raises ``SummarizerError``."""

    def close(self) -> None:
        """Let go of connections; it is not asked any more, but may still be about to answer."""
