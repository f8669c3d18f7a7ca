"""``context/compress`` and ``context/countTokens``: any text within a token budget, and how many tokens texts have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer
    from contextls.model import CompressedText, TokenCounts
    from contextls.requests.texts import CompressParams, CountParams


async def compress(ls: ContextServer, params: CompressParams) -> CompressedText:
    """Answer with the shortened text; needs a workspace only for a summary."""
    tokenizer = params.tokenizer or ls.settings.tokenizer
    given = (params.text, params.max_tokens, tokenizer, params.language or params.path or "")
    if params.summarize:
        return await ls.workspaces.choose(None).ask(lambda engine: engine.summarize(*given))
    return await ls.live.texts.compress(*given, ls.settings.parse_timeout_seconds)


async def count(ls: ContextServer, params: CountParams) -> TokenCounts:
    """Answer with a count for each text; needs no workspace."""
    texts = (params.text,) if params.text is not None else params.texts or ()
    return await ls.live.texts.count(texts, params.tokenizer or ls.settings.tokenizer)
