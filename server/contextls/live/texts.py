"""Texts of no workspace: small ones are handled in a thread, large ones in a process that a cancelled request ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.text_processes import TextFailedError

if TYPE_CHECKING:
    from contextls.live.executors import Executors
    from contextls.model import CompressedText, TokenCounts


class Texts:
    """Shortens texts and counts their tokens. Belongs to the event loop."""

    def __init__(self, executors: Executors) -> None:
        self._executors = executors

    async def compress(
        self, text: str, max_tokens: int, tokenizer: str, path_or_language: str, parse_seconds: float
    ) -> CompressedText:
        """``text`` in at most ``max_tokens``; a parser gets ``parse_seconds``. Raises ``InvalidRequestError``."""
        from contextls.assembly.compress_text import (
            LARGE_TEXT,
            compress_by_layout_task,
            compress_task,
            compress_text,
        )

        given = (text, max_tokens, tokenizer, path_or_language)
        if len(text) <= LARGE_TEXT:
            pool = self._executors.processes.parsers(parse_seconds)
            return await self._executors.question(lambda: compress_text(*given, pool))
        try:
            return await self._executors.text(compress_task, given)
        except TextFailedError as failed:
            if not path_or_language:
                raise
            return await self._executors.text(compress_by_layout_task, (*given, failed.why))

    async def count(self, texts: tuple[str, ...], tokenizer: str) -> TokenCounts:
        """The tokens of each text and of all. Raises ``InvalidRequestError``."""
        from contextls.assembly.compress_text import LARGE_TEXT, count_task, count_tokens

        if sum(map(len, texts)) > LARGE_TEXT:
            return await self._executors.text(count_task, (texts, tokenizer))
        return await self._executors.quick(lambda: count_tokens(texts, tokenizer))
