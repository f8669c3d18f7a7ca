"""``context/countTokens``: how many tokens texts have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contextls.lsp.assembly_params import count_params
from contextls.wire import to_wire

if TYPE_CHECKING:
    from contextls.lsp.server import ContextServer


async def handle(ls: ContextServer, params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    """Answer with a count for each text; needs no workspace."""
    from contextls.assembly.compress_text import LARGE_TEXT, count_task, count_tokens

    asked = count_params(params)
    tokenizer = asked.tokenizer or ls.settings.tokenizer
    if sum(map(len, asked.texts)) > LARGE_TEXT:
        counts = await ls.work.text(count_task, (asked.texts, tokenizer))
    else:
        counts = await ls.work.quick(lambda: count_tokens(asked.texts, tokenizer))
    answer: dict[str, Any] = to_wire(counts)
    return answer
