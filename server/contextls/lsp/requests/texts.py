"""``context/compress`` and ``context/countTokens``: any text within a token budget, and how many tokens texts have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.live.executors import TextFailedError

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer
    from contextls.model import CompressedText, TokenCounts
    from contextls.requests.texts import CompressParams, CountParams


async def compress(ls: ContextServer, asked: CompressParams) -> CompressedText:
    """Answer with the shortened text; needs a workspace only for a summary."""
    from contextls.assembly.compress_text import (
        LARGE_TEXT,
        compress_by_layout_task,
        compress_task,
        compress_text,
    )

    tokenizer = asked.tokenizer or ls.settings.tokenizer
    path_or_language = asked.language or asked.path or ""
    given = (asked.text, asked.max_tokens, tokenizer, path_or_language)
    if asked.summarize:
        return await ls.workspaces.choose(None).ask(lambda engine: engine.summarize(*given))
    if len(asked.text) > LARGE_TEXT:
        try:
            return await ls.work.text(compress_task, given)
        except TextFailedError as failed:
            if not path_or_language:
                raise
            return await ls.work.text(compress_by_layout_task, (*given, failed.why))
    pool = ls.work.parsers(ls.settings.parse_timeout_seconds)
    return await ls.work.question(lambda: compress_text(*given, pool))


async def count(ls: ContextServer, asked: CountParams) -> TokenCounts:
    """Answer with a count for each text; needs no workspace."""
    from contextls.assembly.compress_text import LARGE_TEXT, count_task, count_tokens

    texts = (asked.text,) if asked.text is not None else asked.texts or ()
    tokenizer = asked.tokenizer or ls.settings.tokenizer
    if sum(map(len, texts)) > LARGE_TEXT:
        return await ls.work.text(count_task, (texts, tokenizer))
    return await ls.work.quick(lambda: count_tokens(texts, tokenizer))
