"""Tells the type whose member a call means, where several have one of that name, by what it is called on.

No types are worked out. What a file says of a receiver (``folder: Folder``, ``v *visitor``, ``api = Api()``) is read as it
stands, and else its name is: ``db_exporter`` is called after an ``AlchemyExporter``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice

from contextls.code.kinds import TYPE_LIKE, Kind
from contextls.code.languages import default_languages
from contextls.code.model import Definition
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter
from contextls.memory.knowledge.relations import RelationGraph
from contextls.memory.knowledge.relations.uses import owner_of

# Where more types than this have a member of that name, the receiver of a call does not tell which one is meant.
MAX_OWNERS = 400
OWNERS = TYPE_LIKE | {Kind.MODULE}
# The words for the object whose code it is, or for its base.
_SELF = frozenset({"self", "this", "cls", "super", "base", "parent", "static", "Self", "@"})
# A name of at most this many characters may abbreviate its type by its first letters: ``cl`` for a Client.
MAX_SHORT_CHARS = 3
# A value is typed by the definitions of its name if there are at most this many, from the first lines of each.
MAX_NAMED, MAX_HEAD_LINES = 3, 5
_MAX_LINE_CHARS = 1_000
# The certainty of a call whose receiver is of the asked type, and the factor for a call with an unknown receiver.
RECEIVED, UNTOLD = 0.9, 0.5
# The number of calls, and of files, that are looked at.
MAX_CALLS, MAX_FILES = 500, 200

# What tells the calls of a definition in a file.
ReceiversOf = Callable[[str, Definition], "Receivers"]
# The file and line of each call of a definition in a file, with how sure that is.
CallSites = Callable[[str, Definition], Iterator[tuple[str, int, float]]]


class Meant(StrEnum):
    """The type whose member a call means: the one asked for, another one, or unknown."""

    ASKED = "asked"
    OTHER = "other"
    UNKNOWN = "unknown"


class Receivers:
    """Tells the calls of a member of one type from those of members of others that are called the same."""

    def __init__(self, path: str, definition: Definition, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._splitter = TermSplitter()
        self._lines: dict[str, dict[int, str]] = {}
        self._owner, self._name = owner_of(definition), definition.name
        self._rivals = frozenset(self._find_rivals(Located(path, definition)))
        name = re.escape(self._name)
        self._call = re.compile(
            r"(?P<on>@|[\w$]{1,100}+)(?:\([^()]*\)|\[[^\[\]]*\])?\s{0,3}[?!&]?(?:\.|->|::)\s{0,3}"
            rf"{name}(?!\w)|(?<![\w$.>:@]){name}\s?\("
        )

    @property
    def tell(self) -> bool:
        """Whether another type has a member of that name, so that it makes a difference on what it is called."""
        return bool(self._owner) and 0 < len(self._rivals) <= MAX_OWNERS

    def meant(self, path: str, line: int) -> Meant:
        """Whose member is called in ``line`` of the file ``path``."""
        told = {self._type_of(on, path, line) for on in self._called_on(path, line)}
        if self._owner in told:
            return Meant.ASKED
        return Meant.OTHER if told and told <= self._rivals else Meant.UNKNOWN

    def only_others(self, path: str, first: int, last: int) -> bool:
        """Whether the lines ``first`` to ``last`` of ``path`` hold the name only where it means another type's member."""
        if not self.tell:
            return False
        lines, defining = self._lines_of(path), self._find_defining(path)
        holding = [number for number in range(first, last + 1) if self._name in lines.get(number, "")]
        marks = self._comment_marks(path)
        holding = [number for number in holding if not lines[number].lstrip().startswith(marks)] or holding
        return bool(holding) and all(
            number in defining or self.meant(path, number) is Meant.OTHER for number in holding
        )

    def _find_defining(self, path: str) -> frozenset[int]:
        """The lines of a file in which rivals define their members of that name."""
        found: set[int] = set()
        outline = self._snapshot.outlines.get(path)
        for each in outline.definitions_of(self._name.lower()) if outline else ():
            if owner_of(each) in self._rivals:
                lines = self._lines_of(path)
                numbers = range(each.start_line, each.end_line + 1)
                found.update([next((n for n in numbers if self._name in lines.get(n, "")), each.start_line)])
        return frozenset(found)

    def _find_rivals(self, asked: Located) -> Iterator[str]:
        """The other types with a member of that name through which the asked one cannot be called.

        A value that is known by its interface, or by a type that this one is based on, may be what is asked for.
        """
        type_ = self._find_type(asked)
        if type_ is None or type_.definition.kind is Kind.INTERFACE:
            return  # what implements it need not say so
        related = self._read_head(asked)
        for item in self._snapshot.symbols.find_named(self._name):
            owner = owner_of(item.definition)
            type_ = self._find_type(item)
            if type_ is None or owner == self._owner or item.definition.name != self._name:
                continue
            based = (
                type_.definition.kind is Kind.INTERFACE
                or owner in related
                or self._owner in self._read_head(item)
            )
            if not based:
                yield owner

    def _read_head(self, item: Located) -> frozenset[str]:
        """The names in the first line of the type that has a member."""
        type_ = self._find_type(item)
        return self._read_line(type_) if type_ else frozenset()

    def _read_line(self, item: Located) -> frozenset[str]:
        line = self._lines_of(item.path).get(item.definition.start_line, "")
        return frozenset(self._splitter.words(line))

    def _find_type(self, member: Located) -> Located | None:
        """The type that has a ``member``: of Go it may be in another file."""
        wanted = member.definition.qualified.rpartition(".")[0]
        types = [
            each
            for each in (self._snapshot.symbols.find_named(owner_of(member.definition)) if wanted else ())
            if each.definition.qualified == wanted and each.definition.kind in OWNERS
        ]
        return next((each for each in types if each.path == member.path), types[0] if types else None)

    def _called_on(self, path: str, line: int) -> list[str]:
        text = self._lines_of(path).get(line, "")[:_MAX_LINE_CHARS]
        return [found["on"] or "" for found in self._call.finditer(text)]

    def _type_of(self, on: str, path: str, line: int) -> str:
        """The type, of those with the member, that ``on`` is or is a value of; "" where nothing says so.

        What is called on nothing is a member of the type around it, if of any.
        """
        types = [self._owner, *sorted(self._rivals)]
        if not on or on in _SELF:
            outline = self._snapshot.outlines.get(path)
            around = outline.touching(line, line) if outline else ()
            return next((each.name for each in reversed(around) if each.kind in OWNERS), "")
        if on in types:
            return on
        told = self._find_declared(on, types, path, line) or self._find_returned(on, types, path)
        if told:
            return told
        heads = self._read_heads(declared := self._find_declared(on, (), path, line))
        based = (each for each in types if any(each in head for head in heads))
        return next(based, "") or self._find_namesake(declared if heads else on, types)

    def _find_declared(self, on: str, types: Sequence[str], path: str, line: int) -> str:
        """The type that the nearest line above says ``on`` to be of, else the first one below: of ``types``, or any."""
        named = "|".join(map(re.escape, sorted(types, key=len, reverse=True))) or r"[A-Z]\w{1,80}"
        value = rf"(?<![\w$]){re.escape(on)}"
        declared = re.compile(
            rf"{value}\??(?:\s*:?=\s*|\s*:\s*|\s+)(?:new\s+|await\s+|&|\*|\[\])*(?:\w+[.:\[]+)*(?P<is>{named})(?!\w)"
            rf"|(?<![\w$])(?P<type>{named})(?:<[^<>]*>)?[?*&\s]+[&$]?{value}(?!\w)"
        )
        lines = self._lines_of(path)
        holding = sorted(number for number, text in lines.items() if on in text)
        above = [number for number in reversed(holding) if number <= line]
        for number in (*above, *(number for number in holding if number > line)):
            if found := declared.search(lines[number][:_MAX_LINE_CHARS]):
                return found["is"] or found["type"]
        return ""

    def _read_heads(self, name: str) -> list[frozenset[str]]:
        """The words of the lines in which the types of a name begin, where it says what they are based on."""
        found = self._snapshot.symbols.find_named(name) if name else ()
        types = [each for each in found if each.definition.kind in OWNERS and each.definition.name == name]
        return [self._read_line(each) for each in types[:MAX_NAMED]]

    def _find_returned(self, on: str, types: Sequence[str], path: str) -> str:
        """The one type named at the beginning of the property or function ``on``, in this file, or of few anywhere."""
        found = [item for item in self._snapshot.symbols.find_named(on) if item.definition.name == on]
        found = [item for item in found if item.path == path] or found
        if len(found) > MAX_NAMED:
            return ""
        told: set[str] = set()
        for item in found:
            first, last = item.definition.start_line, item.definition.end_line
            lines = self._lines_of(item.path)
            for number in range(first, min(last, first + MAX_HEAD_LINES) + 1):
                told.update(self._splitter.words(lines.get(number, "")))
        told.intersection_update(types)
        return told.pop() if len(told) == 1 else ""

    def _find_namesake(self, on: str, types: Sequence[str]) -> str:
        """The one type after which ``on`` is called, by its last words, or as an abbreviation."""
        words = self._splitter.parts(on)
        parts = {each: self._splitter.parts(each) for each in types}
        shared = {each: _count_shared(words, parts[each]) for each in types}
        most = max(shared.values(), default=0)
        if not most and len(on) <= MAX_SHORT_CHARS:
            short = on.lower()
            shared = {each: any(part.startswith(short) for part in parts[each]) for each in types}
            most = max(shared.values(), default=0)
        best = [each for each in types if shared[each] == most]
        return best[0] if most and len(best) == 1 else ""

    def _comment_marks(self, path: str) -> tuple[str, ...]:
        outline = self._snapshot.outlines.get(path)
        facts = default_languages().facts(outline.language) if outline else None
        return facts.comments.line if facts else ()

    def _lines_of(self, path: str) -> dict[int, str]:
        """The lines of a file by their number, as far as chunks hold them."""
        found = self._lines.get(path)
        if found is None:
            view = self._snapshot.view
            found = self._lines[path] = {}
            for ref in view.chunks_of(path) if len(self._lines) <= MAX_FILES else ():
                row = view.row(ref)
                found.update(enumerate(row.text.splitlines(), row.start_line))
        return found


def find_foreign_lines(
    tellers: Sequence[Receivers], chunks: Iterable[ChunkRef], snapshot: Snapshot
) -> dict[ChunkRef, frozenset[str]]:
    """The lines of the chunks that call a member of another type than each that ``tellers`` tell apart."""
    if not tellers or not all(one.tell for one in tellers):
        return {}
    found = {}
    for ref in chunks:
        row = snapshot.view.row(ref)
        lines = enumerate(row.text.splitlines(), row.start_line)
        found[ref] = frozenset(
            text.strip()
            for number, text in lines
            if all(one.meant(row.path, number) is Meant.OTHER for one in tellers)
        )
    return found


def tell_by_receivers(
    members: Mapping[tuple[str, Definition], Receivers], graph: RelationGraph, find: CallSites
) -> CallSites:
    """``find`` without calls of other types' members, and first those that are plainly meant, wherever they are."""

    def found(path: str, definition: Definition) -> Iterator[tuple[str, int, float]]:
        receivers = members[path, definition]
        if not receivers.tell:
            yield from find(path, definition)
            return
        sites = {
            (user, line): certainty for user, line, certainty in islice(find(path, definition), MAX_CALLS)
        }
        further = islice(graph.uses.calls_by_name(path, definition), MAX_CALLS)
        told = {site: receivers.meant(*site) for site in dict.fromkeys((*sites, *further))}
        for site, meant in told.items():
            if meant is Meant.ASKED:
                yield *site, max(sites.get(site, 0.0), RECEIVED)
        for site, certainty in sites.items():
            if told[site] is Meant.UNKNOWN:
                yield *site, UNTOLD * certainty

    return found


def _count_shared(words: Sequence[str], others: Sequence[str]) -> int:
    """The number of words that both end with."""
    count = 0
    for word, other in zip(reversed(words), reversed(others), strict=False):
        if word != other:
            break
        count += 1
    return count
