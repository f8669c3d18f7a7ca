"""Changes to the text of a working set that touch only the lines they are about.

Comments, order, spelling and unknown fields of everything else stay byte for byte. Each change is read back before it
counts: a text that would not mean what was intended is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from contextls.memory.working_set.nodes import (
    BrokenFileError,
    field,
    is_list,
    is_mapping,
    last_leaf,
    list_items,
    parse_mapping,
    plain,
)
from contextls.regex import compile_late

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node

Value = str | int | float
_PLAIN = compile_late(r"[A-Za-z_.][\w./@+-]*(?:#[\w.]+)?", re.ASCII)
_WORDS_WITH_MEANING = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"})
_SPACE = compile_late(r"[ \t\r\n]*")


def with_item(text: str, name: str, item: Mapping[str, Value] | str) -> str:
    """``text`` with one more item at the end of the list ``name``. Raises ``BrokenFileError``."""
    root = parse_mapping(text)
    expected = plain(root) or {}
    expected[name] = [*(expected.get(name) or []), _plain_item(item)]
    return _check(_add_item(text, root, name, item), expected)


def without_item(text: str, name: str, index: int) -> str:
    """``text`` without an item of the list ``name``. Raises ``BrokenFileError``."""
    root = parse_mapping(text)
    expected = plain(root)
    node = list_items(root, name)[index]
    del expected[name][index]
    sequence = field(root, name)
    assert is_list(sequence)  # noqa: S101 - list_items has checked it
    cut = _cut_flow(text, node) if sequence.flow_style else _cut_block(text, node)
    expected[name] = expected[name] or ([] if sequence.flow_style else None)
    return _check(cut, expected)


def with_fields(text: str, index: int, fields: Mapping[str, Value]) -> str:
    """``text`` with fields of an item of ``files`` set. Raises ``BrokenFileError``."""
    for key, value in fields.items():
        root = parse_mapping(text)
        expected = plain(root)
        node = list_items(root, "files")[index]
        if is_mapping(node):
            expected["files"][index][key] = _write_scalar(value)
            text = _check(_with_field(text, node, key, value), expected)
        else:  # a path alone, as people write it
            before = expected["files"][index]
            expected["files"][index] = {"path": before, key: _write_scalar(value)}
            sequence = field(root, "files")
            pair: Mapping[str, Value] = {"path": before, key: value}
            if is_list(sequence) and sequence.flow_style:
                item = _flow_item(pair)
            else:
                item = _block_item(pair, node.start_mark.column, text)
            text = _check(_splice(text, node, item), expected)
    return text


def with_metadata(text: str, fields: Mapping[str, str]) -> str:
    """``text`` with those fields of ``metadata`` brought up to date that are there already. Raises ``BrokenFileError``."""
    for key, value in fields.items():
        root = parse_mapping(text)
        metadata = field(root, "metadata")
        if is_mapping(metadata) and (node := field(metadata, key)) is not None:
            expected = plain(root)
            expected["metadata"][key] = value
            text = _check(_splice(text, node, _scalar(value)), expected)
    return text


def _check(text: str, expected: object) -> str:
    try:
        real = plain(parse_mapping(text))
    except BrokenFileError:
        real = object()
    if real != expected:
        raise BrokenFileError(1, "it is written in a way that cannot be changed here; change it by hand")
    return text


def _add_item(text: str, root: MappingNode | None, name: str, item: Mapping[str, Value] | str) -> str:
    value = field(root, name)
    if is_list(value) and value.value:
        last = value.value[-1]
        if value.flow_style:
            return _insert(text, last.end_mark.index, ", " + _flow_item(item))
        return _line_after(text, _end(text, last), _block(item, value.start_mark.column, text))
    if root is not None and root.flow_style:
        new = f"[{_flow_item(item)}]"
        if value is not None:
            return _splice(text, value, new if value.end_mark.index > value.start_mark.index else " " + new)
        place = root.value[-1][1].end_mark.index if root.value else root.start_mark.index + 1
        return _insert(text, place, f"{', ' if root.value else ''}{name}: {new}")
    indent = root.start_mark.column if root else 0
    if value is not None:
        start = value.start_mark.index
        bare = text[:start].rstrip(" ") + text[value.end_mark.index :]
        return _line_after(bare, len(text[:start].rstrip(" ")), _block(item, indent + 2, text))
    block = " " * indent + f"{name}:" + _break(text) + _block(item, indent + 2, text)
    ended = re.search(r"^\.\.\.[ \t\r]*$", text, re.MULTILINE)
    place = ended.start() if ended else len(text)
    lead = "" if not text[:place] or text[:place].endswith("\n") else _break(text)
    return _insert(text, place, f"{lead}{block}{_break(text)}")


def _with_field(text: str, mapping: MappingNode, key: str, value: Value) -> str:
    known = field(mapping, key)
    if known is not None:
        empty = known.start_mark.index == known.end_mark.index
        return _splice(text, known, (" " if empty else "") + _scalar(value))
    last = mapping.value[-1][1]
    if mapping.flow_style:
        return _insert(text, last.end_mark.index, f", {key}: {_scalar(value)}")
    line = " " * mapping.start_mark.column + f"{key}: {_scalar(value)}"
    return _line_after(text, _end(text, last), line)


def _cut_block(text: str, node: Node) -> str:
    start = text.rfind("-", 0, node.start_mark.index)
    start = text.rfind("\n", 0, start) + 1
    end = _end(text, node)
    following = text.find("\n", end)
    return text[:start] + (text[following + 1 :] if following >= 0 else "")


def _cut_flow(text: str, node: Node) -> str:
    start, end = node.start_mark.index, node.end_mark.index
    behind = _SPACE.match(text, end)
    assert behind is not None  # noqa: S101 - matches nothing at least
    if text[behind.end() : behind.end() + 1] == ",":
        rest = _SPACE.match(text, behind.end() + 1)
        return text[:start] + text[rest.end() if rest else behind.end() + 1 :]
    before = text[:start].rstrip()
    return (before[:-1] if before.endswith(",") else text[:start]) + text[end:]


def _end(text: str, node: Node) -> int:
    """The place of the last character of a node; what follows on its line is a comment."""
    leaf = last_leaf(node)
    end: int = leaf.end_mark.index
    # A block of text ends on a line of its own.
    if end > leaf.start_mark.index and text[end - 1 : end] == "\n":
        end = len(text[:end].rstrip())
    return end


def _line_after(text: str, place: int, lines: str) -> str:
    """``text`` with ``lines`` after the line that holds ``place``."""
    following = text.find("\n", place)
    if following < 0:
        return f"{text}{_break(text)}{lines}{_break(text)}"
    return f"{text[: following + 1]}{lines}{_break(text)}{text[following + 1 :]}"


def _insert(text: str, place: int, new: str) -> str:
    return text[:place] + new + text[place:]


def _splice(text: str, node: Node, new: str) -> str:
    return text[: node.start_mark.index] + new + text[node.end_mark.index :]


def _block(item: Mapping[str, Value] | str, column: int, text: str) -> str:
    return " " * column + "- " + _block_item(item, column + 2, text)


def _block_item(item: Mapping[str, Value] | str, column: int, text: str) -> str:
    return _scalar(item) if isinstance(item, str) else (_break(text) + " " * column).join(_pairs(item))


def _flow_item(item: Mapping[str, Value] | str) -> str:
    return _scalar(item) if isinstance(item, str) else f"{{{', '.join(_pairs(item))}}}"


def _pairs(item: Mapping[str, Value]) -> list[str]:
    return [f"{key}: {_scalar(value)}" for key, value in item.items()]


def _plain_item(item: Mapping[str, Value] | str) -> Any:  # noqa: ANN401 - YAML
    return item if isinstance(item, str) else {key: _write_scalar(value) for key, value in item.items()}


def _write_scalar(value: Value) -> str:
    return value if isinstance(value, str) else format(value, "g" if isinstance(value, float) else "d")


def _scalar(value: Value) -> str:
    text = _write_scalar(value)
    if not isinstance(value, str) or (
        _PLAIN.fullmatch(text) and text.lower() not in _WORDS_WITH_MEANING and text.strip(".")
    ):
        return text
    return json.dumps(text, ensure_ascii=False)


def _break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
