"""``context/compress``: any text within a token budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.assembly_params import compress_params
from contextls.lsp.work import TextFailedError
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with the shortened text; needs a workspace only for a summary."""
    from contextls.assembly.compress_text import (
        LARGE_TEXT,
        compress_by_layout_task,
        compress_task,
        compress_text,
    )

    asked = compress_params(params)
    tokenizer = asked.tokenizer or ls.settings.tokenizer
    given = (asked.text, asked.max_tokens, tokenizer, asked.path_or_language)
    if asked.summarize:
        short = await ls.workspaces.choose(None).ask(lambda engine: engine.summarize(*given))
    elif len(asked.text) > LARGE_TEXT:
        try:
            short = await ls.work.text(compress_task, given)
        except TextFailedError as failed:
            if not asked.path_or_language:
                raise
            short = await ls.work.text(compress_by_layout_task, (*given, failed.why))
    else:
        pool = ls.work.parsers(ls.settings.parse_timeout_seconds)
        short = await ls.work.question(lambda: compress_text(*given, pool))
    answer: dict[str, Any] = to_wire(short)
    return answer
