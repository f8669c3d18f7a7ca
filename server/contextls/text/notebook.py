"""Jupyter notebooks as text: their cells without the JSON around them, and without outputs.

Cells are written in the percent format of jupytext, which VS Code, Spyder and PyCharm read: ``# %%`` begins a cell, and
prose stands in comments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.surrogates import repair_surrogates

EXTENSION = ".ipynb"
# The first line where the code is not Python: no parser is tried.
FOREIGN = "# Notebook in "

_FIELD = compile_late(r'([ \t]*)"(cell_type|source)"\s?:\s?(.*)')
_ENDS = ("]", "],")
_GAP = compile_late(r"\n{3,}")


class _Cell(Struct):
    """A cell as nbformat 4 has it."""

    cell_type: str
    source: str | list[str] = ""


class _Notebook(Struct):
    cells: list[_Cell]
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)


class _Placed(Struct):
    """A cell and the numbers of the lines of the file on which its source begins and each of its own lines stands."""

    kind: str = ""
    begin: int | None = None
    source: list[tuple[int, str]] = msgspec.field(default_factory=list)


def is_notebook(path: str) -> bool:
    """Whether the name is that of a notebook."""
    return path.lower().endswith(EXTENSION)


def text_of_file(path: str, text: str) -> str:
    """The cells where ``path`` is a notebook, else ``text`` as it is.

    Each line stands where the file has it, unless the file has several lines of a cell on one of its own. What is no
    notebook of nbformat 4 stays as it is, but for the first line, which says so.
    """
    if not is_notebook(path):
        return text
    lines = text.split("\n")
    notebook, placed = _decode(text), _place(lines)
    if placed is None or (notebook is not None and len(placed) != len(notebook.cells)):
        found = None if notebook is None else list(_write(notebook.cells))
    else:
        found = _write_placed(placed, len(lines))
    if found is None:
        return "\n".join([f"{FOREIGN}JSON", *lines[1:]])
    language = _language(notebook)
    if language != "python":
        found[:1] = [f"{FOREIGN}{language}"]
    return repair_surrogates("\n".join(found))


def close_gaps(path: str, text: str) -> str:
    """Lines of a file as they are shown: of a notebook, with one blank line where outputs were, and none at the top."""
    return _GAP.sub("\n\n", text).lstrip("\n") if is_notebook(path) else text


def _decode(text: str) -> _Notebook | None:
    try:
        return msgspec.json.decode(repair_surrogates(text), type=_Notebook)
    except (msgspec.DecodeError, RecursionError):
        return None


def _place(lines: Sequence[str]) -> list[_Placed] | None:
    """The cells of a notebook that has each line of its cells on a line of its own; ``None`` for any other."""
    fields = {number: field for number, line in enumerate(lines) if (field := _FIELD.match(line))}
    # Outputs and metadata may have fields of the same names: further in.
    indent = min((field[1] for field in fields.values() if field[2] == "cell_type"), key=len, default="")
    cells: list[_Placed] = []
    open_cell: _Placed | None = None
    for number, line in enumerate(lines):
        if open_cell is not None:
            stripped = line.strip()
            if stripped in _ENDS:
                open_cell = None
            elif not _take(open_cell, number, stripped.removesuffix(",")):
                return None
            continue
        field = fields.get(number)
        if field is None or field[1] != indent:
            continue
        cell = cells[-1] if cells else None
        name, value = field[2], field[3].strip().removesuffix(",")
        if cell is None or (cell.kind if name == "cell_type" else cell.begin is not None):
            cell = _Placed()
            cells.append(cell)
        if name == "cell_type":
            cell.kind = value.strip('"')
        else:
            cell.begin = number
            if value == "[":
                open_cell = cell
            elif value != "[]":
                return None
    is_whole = bool(cells) and open_cell is None and all(cell.kind for cell in cells)
    return cells if is_whole else None


def _take(cell: _Placed, number: int, value: str) -> bool:
    """Give a line of the file to a cell; false where it is none of its lines, or several."""
    try:
        text = json.loads(value) if value.startswith('"') else None
    except ValueError:
        return False
    if text is None or "\n" in text[:-1]:
        return False
    cell.source.append((number, text))
    return True


def _write_placed(cells: Sequence[_Placed], count: int) -> list[str]:
    lines = [""] * count
    for cell in cells:
        if cell.begin is not None:
            lines[cell.begin] = _head(cell.kind)
        for number, text in cell.source:
            lines[number] = _write_line(cell.kind, text)
    return lines


def _write(cells: Sequence[_Cell]) -> Iterator[str]:
    for cell in cells:
        source = cell.source if isinstance(cell.source, str) else "".join(cell.source)
        yield ""
        yield _head(cell.cell_type)
        for line in source.split("\n"):
            yield _write_line(cell.cell_type, line)


def _head(kind: str) -> str:
    return "# %%" if kind == "code" else f"# %% [{kind}]"


def _write_line(kind: str, line: str) -> str:
    line = line.rstrip("\r\n")
    return line if kind == "code" else f"# {line}".rstrip()


def _language(notebook: _Notebook | None) -> str:
    """The language of the kernel, in small letters; Python where nothing is said."""
    metadata = {} if notebook is None else notebook.metadata
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        said = metadata.get(part)
        if isinstance(said, dict) and isinstance(said.get(name), str) and said[name].strip():
            return " ".join(said[name].split()).lower()
    return "python"
