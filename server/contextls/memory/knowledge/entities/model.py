"""Entities as plain data."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class EntityType(StrEnum):
    """The types that are no kinds of definition; a symbol's type is its kind (``function``, ``class``, …)."""

    FILE = "file"
    PACKAGE = "package"
    PERSON = "person"
    COMMAND = "command"
    ERROR = "error"
    TASK = "task"
    TEST = "test"  # a file of tests, or a test in one


class Entity(Struct, frozen=True):
    """A thing worth naming.

    ``id`` is a path for a file, ``path#Qualified.name`` for a symbol, ``type:name`` for what has no place in the code.
    ``path`` is ``""`` and ``line`` 0 for what has no place. ``properties`` are short facts in words. ``salience`` and what
    it is made of lie in 0..1 and are explained in ``docs/entities.md``.
    """

    id: str
    type: str
    name: str
    path: str = ""
    line: int = 0
    signature: str = ""
    doc: str = ""
    salience: float = 0.0
    centrality: float = 0.0
    activity: float = 0.0
    churn: float = 0.0
    properties: tuple[tuple[str, str], ...] = ()
