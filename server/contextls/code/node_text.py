"""Read names, headings and line numbers from tree-sitter nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.code.titles import MAX_NAME_CHARS, read_title

if TYPE_CHECKING:
    from tree_sitter import Node

QUOTES = "'\"`<>"


def read_name(data: bytes, node: Node) -> str:
    """A name as it is written, on one line, without quotes, cut at 120 characters."""
    start, end = node.byte_range
    if end - start <= MAX_NAME_CHARS and (name := decode(data[start:end])).isidentifier():
        return name
    return _on_one_line(data, node).strip(QUOTES)[:MAX_NAME_CHARS]


def read_heading(data: bytes, node: Node) -> str:
    """A heading as it is read; see ``read_title``."""
    return read_title(_on_one_line(data, node))


def _on_one_line(data: bytes, node: Node) -> str:
    end = min(node.end_byte, node.start_byte + 4 * MAX_NAME_CHARS)
    return " ".join(decode(data[node.start_byte : end]).split())


def decode(data: bytes) -> str:
    """A text of bytes, with a sign in the place of those that are no UTF-8."""
    return data.decode("utf-8", "replace")


def last_row(node: Node) -> int:
    """The last row of ``node``; a line break at its end does not reach into the next one."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row
