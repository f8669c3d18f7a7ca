"""One file as the code layer sees it, as plain data."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct


class ChunkLimits(Struct, frozen=True):
    """How large chunks may be, in characters.

    A definition up to ``max_chars`` stays whole; a larger one is cut at statement borders. Small neighbours merge
    until they reach ``target_chars``.
    """

    target_chars: int = 800
    max_chars: int = 1800


class Chunk(Struct, frozen=True):
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


class Definition(Struct, frozen=True):
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


class Import(Struct, frozen=True):
    """One imported module, as written: ``os.path``, ``./util``, ``github.com/a/b``, ``crate::x``."""

    module: str
    names: tuple[str, ...]
    line: int


class ParsedFile(Struct, frozen=True):
    """The structure of one file. Parsing never fails: ``problems`` names what could not be read."""

    language: str  # a folder name under grammars/, or "text"
    chunks: tuple[Chunk, ...]
    definitions: tuple[Definition, ...]
    references: tuple[Reference, ...]
    imports: tuple[Import, ...]
    problems: tuple[str, ...]
    bodies: str = ""  # packed, see ``contextls.code.skeleton``
    doc: str = ""  # the first paragraph that the file says of itself
