"""Finds what implements the likely members of interfaces: an interface says what is done, and seldom more words tell how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import astuple

from contextls.assembly.usefulness.name_words import NameWords
from contextls.assembly.usefulness.subtypes import find_implementing
from contextls.code.kinds import CALLABLE, Kind
from contextls.code.model import Definition
from contextls.code.skeleton import read_bodies
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.knowledge.relations.uses import owner_of

# What is known of a member, it shares with what implements it, which has fewer comments.
SHARE = 0.8


class Implementation(Struct, frozen=True):
    """The chance of a chunk that implements a likely member of an interface, and the qualified name of that."""

    chance: float
    member: str


class Implementations(Struct, frozen=True):
    """The chunks that only ``declare`` what a single type implements, and those that ``implement`` it."""

    declare: frozenset[ChunkRef] = frozenset()
    implement: Mapping[ChunkRef, Implementation] = field(default_factory=dict)

    def member(self, ref: ChunkRef) -> str:
        """The qualified name of the likely member that a chunk implements; empty where it implements none."""
        return self.implement[ref].member if ref in self.implement else ""


def find_implementations(
    chances: Mapping[ChunkRef, float], snapshot: Snapshot, words: NameWords, least: float
) -> Implementations:
    """Find what implements members of interfaces in chunks whose chance is at least ``least``.

    Of each chunk those members count that hold most of the question's ``words``. Tests implement nothing, and an interface
    that several types implement says what they have in common.
    """
    declare: set[ChunkRef] = set()
    implement: dict[ChunkRef, Implementation] = {}
    for ref, chance in chances.items():
        for member in _telling(_declared_in(ref, snapshot), words) if chance >= least else ():
            found = list(_implementing(member, snapshot))
            if len({(one.path, owner_of(one.definition)) for one, _ in found}) == 1:
                declare.add(ref)
                one = Implementation(SHARE * chance, member.qualified)
                for _, chunk in found:
                    implement[chunk] = max(one, implement.get(chunk, one), key=astuple)
    return Implementations(frozenset(declare), implement)


def _declared_in(ref: ChunkRef, snapshot: Snapshot) -> Iterator[Definition]:
    """The members of interfaces that begin in a chunk and have no body."""
    lines = snapshot.view.lines(ref)
    outline = snapshot.outlines.get(lines.path)
    inside = outline.touching(lines.start_line, lines.end_line) if outline else []
    interfaces = {one.name for one in inside if one.kind == Kind.INTERFACE}
    if outline is None or not interfaces:
        return
    bodies = [first for first, *_ in read_bodies(outline.bodies)]
    for one in outline.beginning_in(lines.start_line, lines.end_line):
        has_body = any(one.start_line <= body <= one.end_line for body in bodies)
        if one.kind in CALLABLE and owner_of(one) in interfaces and not has_body:
            yield one


def _telling(members: Iterator[Definition], words: NameWords) -> list[Definition]:
    """The ``members`` whose name and comment hold most of the question."""
    worth = [(words.worth(f"{one.name} {one.doc}"), one) for one in members]
    most = max((value for value, _ in worth), default=0.0)
    return [one for value, one in worth if value >= most]


def _implementing(member: Definition, snapshot: Snapshot) -> Iterator[tuple[Located, ChunkRef]]:
    """The definitions outside of tests that implement ``member``, each with its chunk."""
    for one in find_implementing(owner_of(member), member.name, snapshot):
        chunk = snapshot.view.chunk_at(one.path, one.definition.start_line)
        if chunk is not None and snapshot.view.file_kind(chunk) != FileKind.TEST:
            yield one, chunk
