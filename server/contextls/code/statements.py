"""Finds where statements begin: a chunk that is too large is cut there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.code.node_text import last_row

if TYPE_CHECKING:
    from tree_sitter import Tree


def statement_rows(tree: Tree, minimum_bytes: int) -> dict[int, int]:
    """The rows at which a statement begins in a node larger than ``minimum_bytes``, with its depth.

    A statement begins with the comments and attributes right above it.
    """
    rows: dict[int, int] = {}
    level, depth = [tree.root_node], 0
    while level:
        below = []
        for node in level:
            last = node.start_point[0] if depth else -1
            above = -1  # the row of a comment that the next statement belongs to
            for child in node.children:
                row, end = child.start_point[0], last_row(child)
                attached = above >= 0 and row == above + 1
                if row > last and child.is_named and not attached:
                    rows.setdefault(row, depth)
                above = end if row > last and ("comment" in child.type or "attribute" in child.type) else -1
                last = max(last, end)
                if child.end_byte - child.start_byte > minimum_bytes and child.end_point[0] > row:
                    below.append(child)
        level, depth = below, depth + 1
    return rows
