"""Gathers what is wrong in one file of a working set, each with its place in the text."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec import Struct

from contextls.memory.working_set.disk import NAME
from contextls.memory.working_set.nodes import BrokenFileError, is_null, is_scalar, last_leaf
from contextls.model import ManifestFault, Severity

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node

# Codes of faults, for editors and programs: they stay what they are when the words change.
SYNTAX = "syntax"  # the file is not understood
VALUE = "value"  # a field has a value that it cannot have
UNKNOWN = "unknown-field"  # nearly the name of a field
DUPLICATE = "duplicate"  # named before
TARGET = "target"  # names nothing that could be pinned or excluded
INCLUDE = "include"  # another file cannot be included
LIMIT = "limit"  # more than is read
MISSING = "missing"  # nothing lies there, or not any more
UNREADABLE = "unreadable"  # it may not be read
BUDGET = "budget"  # numbers that contradict one another

# The similarity (0..1) from which an unknown name is taken for a misspelt known one.
_MISSPELT = 0.75
# The number of unknown names in a file that are compared with known ones, as each comparison takes time.
MAX_GUESSES = 100


class Span(Struct, frozen=True):
    """A place in a file. Lines are 1-based, columns 0-based, in characters; the end is exclusive."""

    file: str
    line: int = 1
    column: int = 0
    end_line: int = 1
    end_column: int = 0

    @property
    def included_from(self) -> str | None:
        """The included file that it lies in; ``None`` for the working set's own."""
        return self.file if self.file != NAME else None

    @classmethod
    def of(cls, file: str, node: Node) -> Span:
        """The span in which ``node`` is written; for an empty one, the place of its value."""
        start, end = node.start_mark, last_leaf(node).end_mark
        behind = (end.line, end.column) > (start.line, start.column)
        # A block of text ends where the next line begins.
        if is_null(node) or not behind or (end.column == 0 and end.line > start.line):
            end = start
        return cls(file, start.line + 1, start.column, end.line + 1, end.column)

    def fault(
        self, code: str, message: str, severity: Severity = Severity.ERROR, *, of_entry: bool = False
    ) -> ManifestFault:
        """Something wrong there."""
        place = (self.file, self.line, self.column, self.end_line, self.end_column)
        return ManifestFault(*place, code, message, severity, of_entry)


class Faults:
    """The faults of one file, ``name``, as they are found."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._all: list[ManifestFault] = []
        self._guesses = MAX_GUESSES

    @property
    def found(self) -> tuple[ManifestFault, ...]:
        """All of them, in the order in which they were found."""
        return tuple(self._all)

    def add(
        self,
        node: Node,
        code: str,
        message: str,
        severity: Severity = Severity.ERROR,
        *,
        of_entry: bool = False,
    ) -> None:
        """Note what is wrong with ``node``."""
        span = Span.of(self.name, node)
        self._all.append(span.fault(code, message, severity, of_entry=of_entry))

    def check_names(self, mapping: MappingNode, known: Collection[str]) -> None:
        """Name the fields that are called nearly like a known one; any other name is the author's own."""
        for key, _ in mapping.value:
            if is_scalar(key) and key.value not in known and self._guesses > 0:
                self._guesses -= 1
                near = difflib.get_close_matches(key.value[:80], known, 1, _MISSPELT)
                if near:
                    message = f"{key.value[:80]}: no such field, so it says nothing; {near[0]} is meant?"
                    self.add(key, UNKNOWN, message, Severity.INFORMATION)


def fault_of(file: str, error: BrokenFileError) -> ManifestFault:
    """The fault that keeps a file from being understood."""
    return Span(file, error.line, error.column, error.line, error.column).fault(SYNTAX, error.problem)
