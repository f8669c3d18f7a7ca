"""Edits told by symbol: "edited `Budget.allocate` (+6 −2)". Runs in a worker process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from contextls.code.model import Definition
from contextls.code.pool import Result, WorkerPool
from contextls.code.worker_tasks import definitions_in
from contextls.model import EventType, NewEvent, Outcome
from contextls.text.line_diff import Block, find_changed_blocks
from contextls.text.notebook import text_of_file

MAX_SYMBOLS = 20
NAMED = 3


class EditTask(Struct, frozen=True):
    """One file's text before and after, and how long either may be for its symbols to be looked for."""

    path: str
    before: str
    after: str
    max_chars: int


class Edit(Struct, frozen=True):
    """One edit. ``symbols`` are qualified names, in the order of the file; ``added`` and ``removed`` count lines."""

    summary: str
    symbols: tuple[str, ...]
    added: int
    removed: int


def edit_event(pool: WorkerPool, path: str, before: str, after: str, max_chars: int) -> NewEvent | None:
    """The event of an edit; ``None`` when nothing changed.

    A text that is longer than ``max_chars`` or that no parser survives is summed up by lines.
    """
    if before == after:
        return None
    (result,) = pool.map(describe_edit, [EditTask(path, before, after, max_chars)])
    edit = result.value if isinstance(result, Result) else _sum_blocks(_blocks(before, after), (), ())
    if not (edit.added or edit.removed):  # only how lines end, or the outputs of a notebook
        return None
    content = {
        "path": path,
        "summary": edit.summary,
        "symbols": list(edit.symbols),
        "added": edit.added,
        "removed": edit.removed,
    }
    return NewEvent(EventType.FILE_EDIT, content, Outcome.SUCCESS)


def describe_edit(task: EditTask) -> Edit:
    """Compare two texts of one file."""
    before, after = (text_of_file(task.path, text) for text in (task.before, task.after))
    blocks = _blocks(before, after)
    if max(len(before), len(after)) > task.max_chars:
        return _sum_blocks(blocks, (), ())
    old, new = definitions_in((task.path, before)), definitions_in((task.path, after))
    return _sum_blocks(blocks, old, new)


def sum_up_edits(edits: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sum up several edits of one file: contents of ``file_edit`` events, oldest first, as one."""
    symbols = list(dict.fromkeys(str(name) for edit in reversed(edits) for name in edit.get("symbols") or ()))
    added, removed = (sum(_count(edit.get(name)) for edit in edits) for name in ("added", "removed"))
    what = f"changed {_list_names(symbols)}" if symbols else "changed"
    summary = f"{what} (+{added} −{removed})"
    return {**edits[-1], "summary": summary, "symbols": symbols, "added": added, "removed": removed}


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _sum_blocks(blocks: Sequence[Block], old: Sequence[Definition], new: Sequence[Definition]) -> Edit:
    added = sum(block.added for block in blocks)
    removed = sum(block.removed for block in blocks)
    old_names, new_names = _names(old), _names(new)
    came = _outermost(name for name in new_names if name not in old_names)
    went = _outermost(name for name in old_names if name not in new_names)
    touched = [
        *(name for block in blocks for name in _around(new, block.new_start, block.new_end)),
        *(name for block in blocks for name in _around(old, block.old_start, block.old_end)),
    ]
    both = {name for name in touched if name in old_names and name in new_names}
    edited = [name for name in new_names if name in both]
    parts = [
        f"{verb} {_list_names(names)}"
        for verb, names in (("edited", edited), ("added", came), ("removed", went))
        if names
    ]
    what = "; ".join(parts) or f"edited {_lines(blocks)}"
    symbols = tuple(dict.fromkeys([*edited, *came, *went]))[:MAX_SYMBOLS]
    return Edit(f"{what} (+{added} −{removed})", symbols, added, removed)


def _names(definitions: Iterable[Definition]) -> dict[str, None]:
    return dict.fromkeys(definition.qualified for definition in definitions)


def _outermost(names: Iterable[str]) -> list[str]:
    """A class that came brought its methods along: they need not be named."""
    kept: dict[str, None] = {}
    for name in names:
        parents = name.split(".")[:-1]
        if not any(".".join(parents[:depth]) in kept for depth in range(1, len(parents) + 1)):
            kept[name] = None
    return list(kept)


def _around(definitions: Sequence[Definition], start: int, stop: int) -> list[str]:
    """The innermost definitions that hold lines of the half-open, 0-based range."""
    held = [d for d in definitions if d.start_line <= stop and d.end_line > start and start < stop]
    found = []
    for line in range(start + 1, min(stop, start + 2_000) + 1):
        inside = [d for d in held if d.start_line <= line <= d.end_line]
        if inside:
            found.append(max(inside, key=lambda d: (d.start_line, -d.end_line)).qualified)
    return list(dict.fromkeys(found))


def _blocks(before: str, after: str) -> list[Block]:
    return find_changed_blocks(before.splitlines(), after.splitlines())


def _list_names(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(f"`{name.replace('`', '')}`" for name in names[:NAMED]) + more


def _lines(blocks: Sequence[Block]) -> str:
    first = min((block.new_start for block in blocks), default=0) + 1
    last = max((block.new_end for block in blocks), default=1)
    return f"lines {first}-{last}" if last > first else f"line {first}"
