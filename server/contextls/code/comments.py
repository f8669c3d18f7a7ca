"""A text without its comments. Runs in worker processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Tree

    from contextls.code.source import SourceText


def strip_comments(source: SourceText, tree: Tree) -> str:
    """The text without comments, and without the lines that held nothing else; a ``#!`` at its head stays."""
    data = source.data
    kept = bytearray()
    at = 0
    for start, end in _comments(tree):
        if start == 0 and data.startswith(b"#!"):
            continue
        line = data.rfind(b"\n", 0, start) + 1
        after = data.find(b"\n", end)
        after = len(data) if after < 0 else after
        alone = line >= at and not data[line:start].strip() and not data[end:after].strip()
        if alone:
            start, end = line, min(after + 1, len(data))
        elif not data[end:after].strip():
            start = max(at, start - (len(data[line:start]) - len(data[line:start].rstrip())))
        if start >= at:
            kept += data[at:start]
            at = end
    kept += data[at:]
    return kept.decode("utf-8", "replace")


def _comments(tree: Tree) -> list[tuple[int, int]]:
    """The outermost comments in order, as ranges of bytes; one does not hold its own line end."""
    found: list[tuple[int, int]] = []
    cursor = tree.walk()
    while True:
        node = cursor.node
        is_comment = node is not None and node.type.endswith("comment")
        if node is not None and is_comment:
            text = node.text or b""
            found.append((node.start_byte, node.end_byte - (len(text) - len(text.rstrip()))))
        if not is_comment and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return found
