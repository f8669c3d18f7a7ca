"""Makes an item smaller without a model: the skeleton of its code, then its first lines."""

from __future__ import annotations

from dataclasses import replace

from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import code_block
from contextls.code.skeleton import skeleton
from contextls.model import Section
from contextls.text.tokens import Tokenizer
from contextls.text.truncate import Keep, truncate

# Below this a shortened piece says too little to be worth its heading.
LEAST_TOKENS = 48


def shrunk(item: Item, max_tokens: int, tokenizer: Tokenizer) -> Item | None:
    """The item in at most ``max_tokens``, or ``None`` when nothing useful would be left."""
    if item.section is Section.CUSTOM:
        cut = truncate(item.text, max_tokens, tokenizer, Keep.HEAD)
        return replace(item, text=cut.text.rstrip("\n")) if cut.text else None
    if item.code is None or max_tokens < LEAST_TOKENS:
        return None
    short = replace(item.code, text=skeleton(item.code.language, item.code.text))
    text = code_block(short)
    if tokenizer.count(text) <= max_tokens:
        return replace(item, text=text, code=short)
    room = max_tokens - tokenizer.count(code_block(replace(short, text=""))) - 4
    if room < LEAST_TOKENS // 2:
        return None
    short = replace(short, text=truncate(item.code.text, room, tokenizer, Keep.HEAD).text)
    text = code_block(short)
    return replace(item, text=text, code=short) if tokenizer.count(text) <= max_tokens else None
