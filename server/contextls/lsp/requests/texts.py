"""``context/compress`` and ``context/countTokens``: any text within a token budget, and how many tokens texts have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer
    from contextls.model import CompressedText, TokenCounts
    from contextls.requests.texts import CompressParams, CountParams


async def compress(ls: ContextServer, asked: CompressParams) -> CompressedText:
    """Answer with the shortened text; needs a workspace only for a summary."""
    tokenizer = asked.tokenizer or ls.settings.tokenizer
    given = (asked.text, asked.max_tokens, tokenizer, asked.language or asked.path or "")
    if asked.summarize:
        return await ls.workspaces.choose(None).ask(lambda engine: engine.summarize(*given))
    return await ls.live.texts.compress(*given, ls.settings.parse_timeout_seconds)


async def count(ls: ContextServer, asked: CountParams) -> TokenCounts:
    """Answer with a count for each text; needs no workspace."""
    texts = (asked.text,) if asked.text is not None else asked.texts or ()
    return await ls.live.texts.count(texts, asked.tokenizer or ls.settings.tokenizer)
