"""Read names, headings and line numbers from tree-sitter nodes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NAME_CHARS = 120
QUOTES = "'\"`<>"
_PAIRS = frozenset({("'", "'"), ('"', '"'), ("`", "`"), ("<", ">")})

_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_IMAGE = re.compile(r"<img\b[^<>]*?\balt=[\"']([^\"'<>]*)[\"'][^<>]*>")
# As Hugo, Pandoc, kramdown and Docusaurus write it; only at the end of a line, behind a title.
_ANCHOR = re.compile(r"(?<=\S) ?\{(?:/\*[^{}]*\*/|:? ?[#.][\w-][^{}]*)\}$")
_TAG = re.compile(r"</?(?:a|b|br|code|em|i|img|kbd|picture|source|span|strong|sub|sup)\b[^<>]*>")


def read_name(data: bytes, node: Node) -> str:
    """A name as it is written, on one line, without quotes, cut at 120 characters."""
    start, end = node.byte_range
    if end - start <= MAX_NAME_CHARS and (name := decode(data[start:end])).isidentifier():
        return name
    return _on_one_line(data, node).strip(QUOTES)[:MAX_NAME_CHARS]


def read_heading(data: bytes, node: Node) -> str:
    """A heading as it is read: without its anchor and the addresses of links and pictures, unless nothing else is left."""
    return read_title(_on_one_line(data, node))


def read_title(text: str) -> str:
    """A line as it is read; see ``read_heading``."""
    written = without_anchor(" ".join(text.split()))
    # A badge is a picture in a link.
    bare = _LINK.sub(r"\1", _LINK.sub(r"\1", _TAG.sub("", _IMAGE.sub(r"\1", written))))
    return _without_quotes(" ".join(bare.split()) or written)[:MAX_NAME_CHARS]


def without_anchor(heading: str) -> str:
    """A heading without the name for links that stands behind it: ``{#name}``, ``{: .class}``, ``{/* #name */}``."""
    return _ANCHOR.sub("", heading)


def _without_quotes(title: str) -> str:
    """``title`` without the quotes around the whole of it; those around a part of it stay, however it begins or ends."""
    while len(title) > 2 and (pair := (title[0], title[-1])) in _PAIRS and not {*pair} & {*title[1:-1]}:
        title = title[1:-1].strip()
    return title


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
