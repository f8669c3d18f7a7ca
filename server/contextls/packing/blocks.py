"""Blocks of a document with their tokens, and documents cut into parts between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from msgspec import Struct

from contextls.code.source import SourceText
from contextls.errors import InvalidRequestError
from contextls.packing.forms.form import Form

Count = Callable[[str], int]


class Write(Protocol):
    """Makes a block of a piece of its body, which is these ``lines`` (``12-80``) of it."""

    def __call__(self, text: str, lines: str = "") -> str:
        """The block of ``text``."""


class PackBlock(Struct, frozen=True):
    """A block and its tokens. One that may be cut has a ``body``, and ``write`` makes a block of some lines of it."""

    text: str
    tokens: int
    body: str = ""
    write: Write | None = None


class Part(Struct, frozen=True):
    """A document, or one part of it."""

    text: str
    tokens: int


def join_blocks(form: Form, blocks: Sequence[PackBlock], count: Count) -> Part:
    """One document."""
    return _close(form, 1, list(blocks), count, more=False)


def split_blocks(form: Form, blocks: Sequence[PackBlock], most: int, count: Count) -> list[Part]:
    """Parts of at most ``most`` tokens each; a block that is larger than a part goes on in the next ones.

    Raises ``InvalidRequestError`` where a block that cannot be cut is larger.
    """
    frame = count(form.opening(1_000)) + count(form.closing(more=True)) + count(form.closing(more=False))
    room = most - frame
    filled: list[list[PackBlock]] = [[]]
    left = room
    for block in _cut_large(blocks, room, count):
        if block.tokens > left and filled[-1]:
            filled.append([])
            left = room
        filled[-1].append(block)
        left -= block.tokens
    last = len(filled)
    return [_close(form, number, part, count, more=number < last) for number, part in enumerate(filled, 1)]


def _close(form: Form, number: int, blocks: list[PackBlock], count: Count, *, more: bool) -> Part:
    """A part with its beginning and its end."""
    texts = [form.opening(number), *(block.text for block in blocks), form.closing(more=more)]
    tokens = count(texts[0]) + sum(block.tokens for block in blocks) + count(texts[-1])
    if blocks:
        texts[-2] = form.last(texts[-2])
        tokens += count(texts[-2]) - blocks[-1].tokens
    return Part("".join(texts), tokens)


def _cut_large(blocks: Iterable[PackBlock], room: int, count: Count) -> Iterator[PackBlock]:
    for block in blocks:
        if block.tokens <= room:
            yield block
        elif block.write is None:
            raise InvalidRequestError(
                "splitTokens",
                f"parts of at least {block.tokens + 100:,} tokens, for the text that comes first",
            )
        else:
            yield from _cut(block.body, block.write, room, count)


def _cut(body: str, write: Write, room: int, count: Count) -> Iterator[PackBlock]:
    """Blocks of as many lines as fit; a line that is too long for one goes on in the next."""
    lines = SourceText(body).lines
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
            yield PackBlock(text, tokens)
            at, number = at + fitting, number + fitting
            continue
        block, length = _cut_line(lines[at], partial(write, lines=f"{number}-{number}"), room, count)
        yield block
        lines[at] = lines[at][length:]


def _cut_line(line: str, write: Callable[[str], str], room: int, count: Count) -> tuple[PackBlock, int]:
    """A block of the beginning of a line, and how many characters of it that is: at least one."""
    length = len(line)
    while (tokens := count(text := write(line[:length]))) > room and length > 1:
        length = length * 3 // 4
    return PackBlock(text, tokens), length
