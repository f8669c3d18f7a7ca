"""The outline of a file: its definitions, references and imports, as the index keeps them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import astuple

from contextls.code.model import Definition, Import


@dataclass(frozen=True)
class Outline:
    """The definitions, uses and imports of one file.

    ``references`` are distinct names in ascending order; ``calls`` says which of them are called where, packed as
    ``segments.calls`` describes; ``bodies`` where function bodies are, packed as ``code.skeleton`` describes; ``doc`` is the
    first paragraph that the file says of itself.
    """

    path: str
    language: str
    definitions: tuple[Definition, ...]
    references: tuple[str, ...]
    imports: tuple[Import, ...]
    # No value of the class, which would hide that a stored outline has not read its own yet.
    calls: str = field(default_factory=str)
    bodies: str = field(default_factory=str)
    doc: str = field(default_factory=str)
    version: int = field(default=0, compare=False)  # tells contents of the file apart; 0 is not known

    def is_of_same_text(self, other: Outline | None) -> bool:
        """Whether both are of the same content of a file."""
        return self is other or (other is not None and self.version == other.version != 0)

    def definitions_of(self, name: str) -> list[Definition]:
        """The definitions whose own name is ``name``, case ignored, in line order."""
        folded = name.lower()
        return [definition for definition in self.definitions if definition.name.lower() == folded]

    def beginning_in(self, first_line: int, last_line: int) -> list[Definition]:
        """The definitions that begin on one of these lines, in line order."""
        return [each for each in self.touching(first_line, last_line) if each.start_line >= first_line]

    def defines(self, name: str, line: str) -> bool:
        """Whether ``line`` begins a definition of ``name``, wherever it stands by now."""
        shown = " ".join(line.split()).rstrip("{:( ")
        return any(
            each.name == name and (each.signature.startswith(shown) or each.signature in shown)
            for each in self.definitions
        )

    @property
    def names(self) -> list[str]:
        """The names of the definitions, in line order."""
        return [definition.name for definition in self.definitions]

    def touching(self, first_line: int, last_line: int) -> list[Definition]:
        """The definitions that have a line among these, in line order."""
        return [
            each for each in self.definitions if each.start_line <= last_line and each.end_line >= first_line
        ]


_PARTS = ("definitions", "references", "imports", "calls", "bodies", "doc")
_NAME, _START, _END = map(Definition.__struct_fields__.index, ("name", "start_line", "end_line"))


class _StoredOutline(Outline):
    """An outline of which each part is read when it is asked for: most questions look at one of five."""

    def __init__(self, path: str, language: str, version: int, read: Callable[[], bytes]) -> None:
        self.__dict__.update(path=path, language=language, version=version, _read=read)

    def __getattr__(self, name: str) -> object:
        if name not in _PARTS:
            raise AttributeError(name)
        if name == "definitions":
            found: Any = tuple(Definition(*row) for row in self._read_rows())
            self.__dict__[name] = found
            self.__dict__.pop("_rows", None)
            return found
        values = self._read_part(name)
        found = values or ""
        if name == "references":
            found = tuple(values)
        elif name == "imports":
            found = tuple(Import(module, tuple(names), line) for module, names, line in values)
        self.__dict__[name] = found
        return found

    @property
    def names(self) -> list[str]:
        return [row[_NAME] for row in self._read_rows()]

    def definitions_of(self, name: str) -> list[Definition]:
        if "definitions" in self.__dict__:
            return super().definitions_of(name)
        # A header has thousands, of which one is asked for.
        folded = name.lower()
        return [Definition(*row) for row in self._read_rows() if row[_NAME].lower() == folded]

    def touching(self, first_line: int, last_line: int) -> list[Definition]:
        if "definitions" in self.__dict__:
            return super().touching(first_line, last_line)
        return [
            Definition(*row)
            for row in self._read_rows()
            if row[_START] <= last_line and row[_END] >= first_line
        ]

    def _read_rows(self) -> Sequence[Any]:
        """The rows of the definitions, as ``dumps`` wrote them."""
        rows = self.__dict__.get("_rows")
        if rows is None:
            rows = self.__dict__["_rows"] = self._read_part("definitions")
        return rows

    def _read_part(self, name: str) -> Sequence[Any]:
        if "_lines" not in self.__dict__:
            self.__dict__["_lines"] = self.__dict__["_read"]().split(b"\n")
        lines = self.__dict__["_lines"]
        if len(lines) != len(_PARTS):
            return ()
        found: Sequence[Any] = msgspec.json.decode(lines[_PARTS.index(name)])
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outline):
            return NotImplemented
        return all(getattr(self, part) == getattr(other, part) for part in ("path", "language", *_PARTS))

    def __hash__(self) -> int:
        return hash(self.path)


def dumps(outline: Outline) -> str:
    """One line of JSON for each part, which ``loads`` reads back."""
    parts = (
        [astuple(definition) for definition in outline.definitions],
        outline.references,
        [astuple(item) for item in outline.imports],
        outline.calls,
        outline.bodies,
        outline.doc,
    )
    return "\n".join(map(_write, parts))


def _write(part: object) -> str:
    try:
        return msgspec.json.encode(part).decode()
    except UnicodeEncodeError:  # half of a surrogate pair, as unsaved text may hold
        return json.dumps(part, ensure_ascii=False, separators=(",", ":"))


def is_readable(text: str) -> bool:
    """Whether ``loads`` can read every part of what another process may have written."""
    outline = _StoredOutline("", "", 0, text.encode)
    try:
        return not text or (
            text.count("\n") == len(_PARTS) - 1 and all(hasattr(outline, part) for part in _PARTS)
        )
    except (ValueError, TypeError, RecursionError):
        return False


def loads(path: str, language: str, version: int, read: Callable[[], bytes]) -> Outline:
    """The outline of ``path`` from what ``dumps`` wrote, read when a part is asked for; an empty one of an empty text."""
    return _StoredOutline(path, language, version, read)
