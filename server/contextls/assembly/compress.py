"""Makes an item smaller before it is given up: the skeleton of its code, its log folded, then its first lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from contextls.assembly.items import Code, Item
from contextls.assembly.pinned import smaller
from contextls.assembly.shapes.markdown import code_block
from contextls.code.skeleton import skeleton
from contextls.model import Section
from contextls.text.fence import fence
from contextls.text.fold import folded
from contextls.text.tokens import Tokenizer
from contextls.text.truncate import Keep, truncate

# What makes an item smaller: ``shrunk``, or something that goes further.
Shrink = Callable[[Item, int, Tokenizer], Item | None]

# Below this a shortened piece says too little to be worth its heading.
LEAST_TOKENS = 48
LEAST_OUTPUT_TOKENS = 12
_FENCED = re.compile(r"(?P<head>.*?\n)(?P<ticks>`{3,})[^\n`]*\n(?P<body>.*)\n(?P=ticks)", re.DOTALL)


def shrunk(item: Item, max_tokens: int, tokenizer: Tokenizer) -> Item | None:
    """The item in at most ``max_tokens``, or ``None`` when nothing useful would be left."""
    if item.excerpt is not None:
        return smaller(item, max_tokens, tokenizer)
    if item.section is Section.CUSTOM:
        cut = truncate(item.text, max_tokens, tokenizer, Keep.HEAD)
        return replace(item, text=cut.text.rstrip("\n"), compression="head") if cut.text else None
    if item.section is Section.RECENT:
        return _folded(item, max_tokens, tokenizer)
    if item.code is None or max_tokens < LEAST_TOKENS:
        return None
    short = replace(item.code, text=_skeleton(item.code))
    text = code_block(short)
    if tokenizer.count(text) <= max_tokens:
        return replace(item, text=text, code=short, compression="skeleton")
    room = max_tokens - tokenizer.count(code_block(replace(short, text=""))) - 4
    if room < LEAST_TOKENS // 2:
        return None
    short = replace(short, text=truncate(item.code.text, room, tokenizer, Keep.HEAD).text)
    text = code_block(short)
    if tokenizer.count(text) > max_tokens:
        return None
    return replace(item, text=text, code=short, compression="head")


def _skeleton(code: Code) -> str:
    """The code without function bodies; where they are was found when the file was indexed."""
    return skeleton(code.language, code.text, code.bodies, code.start_line)


def _folded(item: Item, max_tokens: int, tokenizer: Tokenizer) -> Item | None:
    """An event with its output folded into the room that its own line leaves."""
    found = _FENCED.fullmatch(item.text)
    if found is None:
        return None
    head, body = found["head"], found["body"]
    room = max_tokens - tokenizer.count(head + fence("")) - 2
    if room >= LEAST_OUTPUT_TOKENS:
        short = folded(body, room, tokenizer)
        text = head + fence(short) if short else head.rstrip("\n")
    else:
        text = head.rstrip("\n")
    fits = len(text) < len(item.text) and tokenizer.count(text) <= max_tokens
    return replace(item, text=text, compression="fold") if fits else None
