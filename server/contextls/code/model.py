"""One file as the code layer sees it, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from itertools import starmap
from operator import attrgetter
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """How large chunks may be, in characters.

    A definition up to ``max_chars`` stays whole; a larger one is cut at statement borders. Small neighbours merge
    until they reach ``target_chars``.
    """

    target_chars: int = 800
    max_chars: int = 1800


@dataclass(frozen=True, slots=True)
class Chunk:
    """A syntactic piece of a file.

    Chunks of a file never overlap and the concatenation of their ``text`` is the file's text. Lines are 1-based and
    inclusive. A piece of one very long line shares its line number with its neighbours.
    """

    kind: str  # function, method, class, interface, section, block, ... (see docs in code/chunks.py)
    symbol: str  # qualified, e.g. "Budget.allocate"; "" where nothing is named
    start_line: int
    end_line: int
    text: str
    header: str  # enclosing class lines and signature that make the piece readable alone; "" at top level


@dataclass(frozen=True, slots=True)
class Definition:
    """A named thing defined in the file."""

    name: str  # "allocate"
    qualified: str  # "Budget.allocate"
    kind: str  # function, method, class, interface, constant, module, ...
    start_line: int
    end_line: int
    signature: str  # the first line(s) up to the body, whitespace collapsed, at most 200 characters
    doc: str  # first paragraph of its docstring or of the comment right above it; "" where none


class Reference(NamedTuple):
    """A use of a name: a call, an instantiation, a base class. ``call`` tells the first two from the rest."""

    name: str
    line: int
    call: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module, as written: ``os.path``, ``./util``, ``github.com/a/b``, ``crate::x``."""

    module: str
    names: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The structure of one file. Parsing never fails: ``problems`` names what could not be read."""

    language: str  # a folder name under grammars/, or "text"
    chunks: tuple[Chunk, ...]
    definitions: tuple[Definition, ...]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]
    problems: tuple[str, ...]
    bodies: str = ""  # packed, see ``contextls.code.skeleton``
    doc: str = ""  # the first paragraph that the file says of itself

    def __reduce__(self) -> tuple[Callable[..., ParsedFile], tuple[Any, ...]]:
        """Travel between processes as plain tuples: a third of the time that pickled dataclasses take."""
        parts = (self.chunks, self.definitions, self.imports)
        rows = [list(map(_as_row[kind], part)) for kind, part in zip(_as_row, parts, strict=True)]
        references = list(map(tuple, self.references))
        return _from_rows, (self.language, rows, references, self.problems, self.bodies, self.doc)


_as_row: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    kind: attrgetter(*(field.name for field in fields(kind))) for kind in (Chunk, Definition, Import)
}


def _from_rows(
    language: str,
    rows: list[list[tuple[Any, ...]]],
    references: list[tuple[str, int, bool]],
    problems: tuple[str, ...],
    bodies: str,
    doc: str,
) -> ParsedFile:
    chunks, definitions, imports = rows
    return ParsedFile(
        language,
        tuple(starmap(Chunk, chunks)),
        tuple(starmap(Definition, definitions)),
        tuple(starmap(Reference, references)),
        tuple(starmap(Import, imports)),
        problems,
        bodies,
        doc,
    )
