"""In which order files are worth indexing: those that people are at work on first, then what is likely to be asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from contextls.code.model import Import
from contextls.memory.index.priors import FileKind, file_kind
from contextls.regex import compile_late
from contextls.workspace.scan import FileStat

# Files of more bytes are tables, bundles and generated code more often than not.
HUGE_BYTES = 200_000
# After source. What a program is told comes before how it is tested, told and fed.
_LATER = (
    FileKind.SETTINGS,
    FileKind.TEST,
    FileKind.EXAMPLE,
    FileKind.LEGACY,
    FileKind.DOCUMENT,
    FileKind.CHANGELOG,
    FileKind.DATA,
    FileKind.TRANSLATION,
    FileKind.LICENCE,
)
# A turn is long enough that a parser stays with one language, and short enough that no folder waits for long.
_TURN_FILES = 16
_TURN_DEPTH = 2
_STEPS = compile_late(r"[/\\.:]+|->")


class Use(Struct, frozen=True):
    """The paths that people are at work on: open in an editor, changed and not committed, committed lately; newest first."""

    opened: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    committed: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them, each once, in the order in which they count."""
        return tuple(dict.fromkeys((*self.opened, *self.changed, *self.committed)))


NOTHING_USED = Use()


def order_by_use(files: Iterable[FileStat]) -> Iterator[FileStat]:
    """``files`` as they are likely to be asked for: source before tests before documents and data, small before huge.

    Within that, folders take turns, as the core of a large project is not in the folder with most files. The kind of a
    file is told when its turn comes, so that the first comes at once however many there are.
    """
    huge: list[FileStat] = []
    later: dict[FileKind, list[FileStat]] = {kind: [] for kind in _LATER}
    for stat in _in_turns(files):
        kind = file_kind(stat.path)
        if kind is not FileKind.SOURCE:
            later[kind].append(stat)
        elif stat.size > HUGE_BYTES:
            huge.append(stat)
        else:
            yield stat
    yield from huge
    for kind in _LATER:
        yield from sorted(later[kind], key=lambda stat: stat.size > HUGE_BYTES)


def _in_turns(files: Iterable[FileStat]) -> Iterator[FileStat]:
    """Some files of each folder of the upper levels, then some more of those that have more."""
    folders: dict[str, list[FileStat]] = {}
    for stat in files:
        parts = stat.path.split("/", _TURN_DEPTH)
        folders.setdefault("/".join(parts[:-1][:_TURN_DEPTH]), []).append(stat)
    start = 0
    waiting = list(folders.values())
    while waiting:
        for folder in waiting:
            yield from folder[start : start + _TURN_FILES]
        start += _TURN_FILES
        waiting = [folder for folder in waiting if len(folder) > start]


class ImportTargets(Struct):
    """Finds the files that an import most likely means, by their names alone: before an index could tell."""

    paths: Iterable[str]
    _by_name: dict[str, list[str]] = field(default_factory=dict)

    def find(self, importer: str, imports: Iterable[Import]) -> list[str]:
        """At most one file for each import, in their order: the one whose path ends most like it, then the nearest."""
        if not self._by_name:
            for path in self.paths:
                for name in _names_of(path):
                    self._by_name.setdefault(name, []).append(path)
        found = (self._target(importer, asked) for each in imports for asked in _module_parts(each))
        return [path for path in dict.fromkeys(found) if path is not None and path != importer]

    def _target(self, importer: str, asked: Sequence[str]) -> str | None:
        known = self._by_name.get(asked[-1], ())
        return max(
            known, key=lambda path: (_same_end(path, asked), _same_start(path, importer)), default=None
        )


def _module_parts(each: Import) -> Iterator[list[str]]:
    """The parts of what is imported: of the module, and of names in it, which may be files."""
    module = each.module.removesuffix(".h").removesuffix(".hpp")
    parts = [part for part in _STEPS.split(module) if part]
    if parts:
        yield parts
    for name in each.names:
        yield [*parts, name]


def _names_of(path: str) -> tuple[str, ...]:
    """By which names a file is imported: its own without the extension, or that of the folder that it stands for."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    if stem in ("__init__", "index", "mod"):
        return (folder.rpartition("/")[2] or stem,)
    return (stem,)


def _same_end(path: str, asked: Sequence[str]) -> int:
    """The number of last parts that are the same."""
    parts = path.rpartition(".")[0].split("/")
    same = 0
    for mine, theirs in zip(reversed(parts), reversed(asked), strict=False):
        if mine != theirs:
            break
        same += 1
    return same


def _same_start(path: str, other: str) -> int:
    """The number of folders that two paths have in common."""
    same = 0
    for mine, theirs in zip(path.split("/"), other.split("/"), strict=False):
        if mine != theirs:
            break
        same += 1
    return same
