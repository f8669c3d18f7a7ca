"""Blocks of a document with their tokens, and documents cut into parts between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from contextls.code.source import Source
from contextls.errors import InvalidRequestError
from contextls.packing.forms.form import Form

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Block:
    """A block and its tokens. One that may be cut has a ``body``, and ``write`` makes a block of some lines of it."""

    text: str
    tokens: int
    body: str = ""
    write: Callable[[str, str], str] | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A document, or one part of it."""

    text: str
    tokens: int


def join_blocks(form: Form, blocks: Sequence[Block], count: Count) -> Part:
    """One document."""
    return _close(form, 1, list(blocks), count, more=False)


def split_blocks(form: Form, blocks: Sequence[Block], most: int, count: Count) -> list[Part]:
    """Parts of at most ``most`` tokens each; a block that is larger than a part goes on in the next ones.

    Raises ``InvalidRequestError`` where a block that cannot be cut is larger.
    """
    frame = count(form.opening(1_000)) + count(form.closing(more=True)) + count(form.closing(more=False))
    room = most - frame
    filled: list[list[Block]] = [[]]
    left = room
    for block in _cut_large(blocks, room, count):
        if block.tokens > left and filled[-1]:
            filled.append([])
            left = room
        filled[-1].append(block)
        left -= block.tokens
    last = len(filled)
    return [_close(form, number, part, count, more=number < last) for number, part in enumerate(filled, 1)]


def _close(form: Form, number: int, blocks: list[Block], count: Count, *, more: bool) -> Part:
    """A part with its beginning and its end."""
    texts = [form.opening(number), *(block.text for block in blocks), form.closing(more=more)]
    tokens = count(texts[0]) + sum(block.tokens for block in blocks) + count(texts[-1])
    if blocks:
        texts[-2] = form.last(texts[-2])
        tokens += count(texts[-2]) - blocks[-1].tokens
    return Part("".join(texts), tokens)


def _cut_large(blocks: Iterable[Block], room: int, count: Count) -> Iterator[Block]:
    for block in blocks:
        if block.tokens <= room:
            yield block
        elif block.write is None:
            raise InvalidRequestError(
                "splitTokens", f"parts of at least {block.tokens + 100:,} tokens, for the text that comes first"
            )
        else:
            yield from _cut(block.body, block.write, room, count)


def _cut(body: str, write: Callable[[str, str], str], room: int, count: Count) -> Iterator[Block]:
    """Blocks of as many lines as fit; a line that is too long for one goes on in the next."""
    lines = Source(body).lines
    number, at = 1, 0
    while at < len(lines):
        taken, fitting = 1, 0
        text, tokens = "", room + 1
        # Doubles until it is too much, then halves the rest: few and short texts are counted.
        high = len(lines) - at + 1
        while high - fitting > 1:
            taken = min(fitting * 2 or 1, (fitting + high) // 2)
            tried = write("".join(lines[at : at + taken]), f"{number}-{number + taken - 1}")
            used = count(tried)
            if used <= room:
                fitting, text, tokens = taken, tried, used
            else:
                high = taken
        if fitting:
            yield Block(text, tokens)
            at, number = at + fitting, number + fitting
            continue
        head = _fitting_characters(lines[at], lambda part: count(write(part, f"{number}-{number}")), room)
        text = write(lines[at][:head], f"{number}-{number}")
        yield Block(text, count(text))
        lines[at] = lines[at][head:]


def _fitting_characters(line: str, measure: Count, room: int) -> int:
    """About how many characters of a line fit; at least one."""
    length = len(line)
    while length > 1 and measure(line[:length]) > room:
        length = length * 3 // 4
    return length
