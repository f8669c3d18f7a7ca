"""The types that implement an interface, extend a class or mix a module in, and the members that they override."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from contextls.code.kinds import TYPE_LIKE, Kind
from contextls.code.model import Definition
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.knowledge.relations.uses import owner_of
from contextls.regex import compile_late

# The number of files that are read, and of steps that subtypes of subtypes are followed.
MAX_FILES, MAX_STEPS = 400, 3
# A longer text is not the head of a type.
MAX_HEAD_CHARS = 2_000
MAX_NESTING = 6

_NAME, _NAMES = compile_late(r"[A-Za-z_$][\w$]*"), compile_late(r"[\w.]+")
_ROUND, _SQUARE, _ANGLES = (
    compile_late(pattern) for pattern in (r"\(([^()]*)\)", r"\[[^\[\]]*\]", r"<[^<>\n]*>")
)
# A head goes on in the next line where its line ends, or the next one begins, with one of these.
_GOES_ON = compile_late(r"(?:,|\s:|\b(?:extends|implements|with))\s*$")
_CONTINUES = compile_late(r"\s*(?:[:,]|(?:extends|implements|with|permits|Inherits|Implements)\b)")
# Declarations of bases apart from the definition of a type, by language.
_DECLARED_APART = {
    "rust": compile_late(
        r"^[ \t]*(?:unsafe[ \t]+)?impl\b(?P<bases>[^{;]{1,300}?)\sfor\s+(?P<name>[^{;]{1,200})", re.MULTILINE
    ),
    "swift": compile_late(
        r"^[ \t]*(?:\w{1,20}[ \t]+){0,3}extension[ \t]+(?P<name>[\w.]{1,100})[ \t]*:(?P<bases>[^{]{1,300})",
        re.MULTILINE,
    ),
    "elixir": compile_late(
        r"^[ \t]*defimpl[ \t]+(?P<bases>[\w.]{1,200})[ \t]*,[ \t]*for:[ \t]*(?P<name>[\w.]{1,200})",
        re.MULTILINE,
    ),
    # "@interface Loans : NSObject <Lending>": what it extends is told by its definition, what it conforms to is not.
    "objc": compile_late(
        r"^[ \t]*@(?:interface|protocol)[ \t]+(?P<name>\w{1,100})[^<{\n]{0,200}<(?P<bases>[^{\n]{1,300})",
        re.MULTILINE,
    ),
    "haskell": compile_late(
        r"^instance\s(?:[^=\n]{1,200}=>)?\s*(?P<bases>[A-Z][\w.]{0,100})[ \t]+(?P<name>[^\n]{1,200}?)(?:[ \t]where\b|$)",
        re.MULTILINE,
    ),
}
# Declarations that mix a module into the type around them, by language.
_MIXED_IN = {
    "ruby": compile_late(
        r"^[ \t]*(?:include|extend|prepend)[ \t(]+(?P<bases>[A-Z][\w:, \t]{0,300})", re.MULTILINE
    ),
    "elixir": compile_late(r"^[ \t]*(?:@behaviour|use)[ \t(]+(?P<bases>[A-Z][\w.]{0,200})", re.MULTILINE),
    "php": compile_late(r"^[ \t]+use[ \t]+(?P<bases>[\w\\, \t]{1,300})[;{]", re.MULTILINE),
}
# Languages whose classes name their bases in brackets.
_IN_BRACKETS = frozenset({"python", "pascal"})
_GO_METHOD = compile_late(r"\s+([A-Za-z_]\w*)\(")
# Modules of Ruby and Elixir are mixed into others, and have others mixed in.
MIXABLE = TYPE_LIKE | {Kind.MODULE}
_GO_TYPES = frozenset({Kind.STRUCT, Kind.TYPE})


class Subtype(Struct, frozen=True):
    """A type that is based on another one, and the line that declares it."""

    name: str
    path: str
    line: int


def find_subtypes(name: str, snapshot: Snapshot) -> Iterator[Subtype]:
    """The types that implement or extend the type ``name``, those nearest to it first."""
    yield from _find_satisfying(name, snapshot)
    seen, nearest, files = {name}, [name], MAX_FILES
    for _ in range(MAX_STEPS):
        found: list[Subtype] = []
        for base in nearest:
            users = list(islice(snapshot.symbols.users(base), files))
            files -= len(users)
            found += (subtype for path in users for subtype in _read_subtypes(base, path, snapshot))
        yield from found
        nearest = list(dict.fromkeys(subtype.name for subtype in found if subtype.name not in seen))
        seen.update(nearest)


def find_overriding(owner: str, member: str, snapshot: Snapshot) -> Iterator[tuple[str, Definition]]:
    """The file and definition of each ``member`` of what implements or extends ``owner``."""
    for subtype in find_subtypes(owner, snapshot):
        outline = snapshot.outlines.get(subtype.path)
        for item in outline.definitions_of(member) if outline else ():
            if owner_of(item) == subtype.name:
                yield subtype.path, item


def find_implementing(interface: str, member: str, snapshot: Snapshot) -> Iterator[Located]:
    """The definitions of ``member`` in types that declare ``interface`` as a base, in their head or apart from it."""
    users = snapshot.symbols.users(interface)
    subtypes: dict[str, set[str]] = {}
    for item in snapshot.symbols.find_named(member):
        owner = owner_of(item.definition)
        if owner and owner != interface and item.path in users:
            if item.path not in subtypes:
                subtypes[item.path] = {
                    subtype.name for subtype in _read_subtypes(interface, item.path, snapshot)
                }
            if owner in subtypes[item.path]:
                yield item


def _find_satisfying(base: str, snapshot: Snapshot) -> Iterator[Subtype]:
    """The types of Go that have every method of the interface ``base``; Go does not declare what a type implements."""
    named = snapshot.symbols.find_named
    for item in named(base):
        outline = snapshot.outlines.get(item.path)
        if item.definition.name != base or item.definition.kind != Kind.INTERFACE:
            continue
        methods = _methods_of(item, snapshot) if outline is not None and outline.language == "go" else ()
        having = [
            {_place_of(each) for each in named(method) if each.definition.name == method}
            for method in methods
        ]
        for folder, owner in sorted(set.intersection(*having)) if having else ():
            for each in named(owner):
                if each.definition.kind in _GO_TYPES and _folder(each.path) == folder:
                    yield Subtype(owner, each.path, each.definition.start_line)


def _methods_of(item: Located, snapshot: Snapshot) -> list[str]:
    ref = snapshot.view.chunk_at(item.path, item.definition.start_line)
    if ref is None:
        return []
    row = snapshot.view.row(ref)
    first, end = item.definition.start_line - row.start_line, item.definition.end_line - row.start_line
    return [found[1] for line in row.text.split("\n")[first + 1 : end] if (found := _GO_METHOD.match(line))]


def _place_of(method: Located) -> tuple[str, str]:
    """The folder of a method and the type that has it."""
    return _folder(method.path), owner_of(method.definition)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _read_subtypes(base: str, path: str, snapshot: Snapshot) -> Iterator[Subtype]:
    outline = snapshot.outlines.get(path)
    if outline is not None:
        yield from _subtypes_defined(base, outline, snapshot)
        yield from _subtypes_declared_apart(base, outline, snapshot)
        yield from _subtypes_mixed(base, outline, snapshot)


def _subtypes_defined(base: str, outline: Outline, snapshot: Snapshot) -> Iterator[Subtype]:
    for item in outline.definitions:
        if item.kind not in TYPE_LIKE or item.name == base:
            continue
        ref = snapshot.view.chunk_at(outline.path, item.start_line)
        if ref is None:
            continue
        row = snapshot.view.row(ref)
        head = "".join(row.text.splitlines(keepends=True)[item.start_line - row.start_line :])
        if base in _bases(head[:MAX_HEAD_CHARS], item.name, outline.language):
            yield Subtype(item.name, outline.path, item.start_line)


def _subtypes_declared_apart(base: str, outline: Outline, snapshot: Snapshot) -> Iterator[Subtype]:
    pattern = _DECLARED_APART.get(outline.language)
    if pattern is None:
        return
    for told, line in _find_declarations(pattern, base, outline.path, snapshot):
        if base in _NAME.findall(_without_arguments(told["bases"])):
            *_, name = _NAME.findall(_without_arguments(told["name"]).split(" where ")[0]) or [""]
            yield Subtype(name, outline.path, line)


def _subtypes_mixed(base: str, outline: Outline, snapshot: Snapshot) -> Iterator[Subtype]:
    """The types into which ``base`` is mixed, each from the line that says so."""
    pattern = _MIXED_IN.get(outline.language)
    if pattern is None:
        return
    types = [item for item in outline.definitions if item.kind in MIXABLE]
    for told, line in _find_declarations(pattern, base, outline.path, snapshot):
        around = [item for item in types if item.start_line <= line <= item.end_line]
        if around and base in _NAME.findall(told["bases"]):
            yield Subtype(max(around, key=lambda item: item.start_line).name, outline.path, line)


def _find_declarations(
    pattern: re.Pattern[str], base: str, path: str, snapshot: Snapshot
) -> Iterator[tuple[re.Match[str], int]]:
    """Each place of a file where ``pattern`` names bases, and its line, in chunks that hold ``base``."""
    for ref in snapshot.view.chunks_of(path):
        row = snapshot.view.row(ref)
        for told in pattern.finditer(row.text) if base in row.text else ():
            yield told, row.start_line + row.text.count("\n", 0, told.start("bases"))


def _bases(head: str, name: str, language: str) -> frozenset[str]:
    """The names after ``name`` in the head of its definition, without those of parameters and type arguments."""
    head = _until_body(head)
    kept = _name_bases if language in _IN_BRACKETS else " "
    for _ in range(MAX_NESTING):
        shorter = _ROUND.sub(kept, _SQUARE.sub("", head))
        if shorter == head:
            break
        head = shorter
    _, _, behind = head.partition(name)
    lines = behind.split("\n")
    last = 0
    while last + 1 < len(lines) and (_GOES_ON.search(lines[last]) or _CONTINUES.match(lines[last + 1])):
        last += 1
    return frozenset(_NAME.findall(_without_arguments("\n".join(lines[: last + 1]))))


def _until_body(text: str) -> str:
    """``text`` up to the first ``{`` or ``;`` outside of brackets."""
    depth = 0
    for at, char in enumerate(text):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif depth == 0 and char in "{;":
            return text[:at]
    return text


def _name_bases(inside: re.Match[str]) -> str:
    """The bases of a Python class that are plain names: ``metaclass=Base`` is none."""
    parts = (part.strip() for part in inside[1].split(","))
    return " " + " ".join(part for part in parts if _NAMES.fullmatch(part))


def _without_arguments(text: str) -> str:
    """``text`` without the arguments of its types."""
    for _ in range(MAX_NESTING):
        shorter = _ANGLES.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text
