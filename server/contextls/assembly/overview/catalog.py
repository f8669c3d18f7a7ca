"""Draws a map of all things of a kind: the files whose folder or whose own name is called after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby, zip_longest

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.overview.first_words import MAX_CHARS
from contextls.assembly.pieces.bodies import MapEntry, MapFolder, RepositoryMap
from contextls.assembly.wording.catalog_questions import AskedCatalog
from contextls.code.kinds import CALLABLE, TYPES
from contextls.memory.index.priors import FileKind
from contextls.memory.index.terms import MAX_WORD_CHARS, TermSplitter
from contextls.memory.index.words.plurals import singulars
from contextls.regex import compile_late

# For fewer files, their code says as much as a map.
MIN_FILES = 3
# The number of definitions named for a file.
MAX_NAMES = 8
# The characters of a line besides its words, and of the line of a folder.
AROUND, AROUND_FOLDER = 7, 18
# Files next to the things that are none of them.
_BESIDE = compile_late(
    r"(?:^|/)(?:(?:__init__|_?base|common|helpers?|mod|types?|utils?)\.\w+|[^/]+\.(?:css|less|s[ac]ss))$",
    re.IGNORECASE,
)
# The functions of a component are its own.
_COMPONENTS = (".vue", ".svelte", ".astro")


def find_catalogued(asked: AskedCatalog, memories: MemorySnapshot) -> list[str]:
    """The files for things of a kind, in the order of a tree; none where there are few."""
    source = [path for path, kind in memories.snapshot.files.kinds().items() if kind is FileKind.SOURCE]
    found = next(filter(None, (_find_files(name, asked.which, source) for name in asked.names)), [])
    return [path for path in found if not memories.exclusion.hides(path)]


def draw_catalog(
    asked: AskedCatalog, found: Sequence[str], memories: MemorySnapshot, characters: int
) -> RepositoryMap:
    """The map of the files that were ``found`` for things of a kind, in about ``characters`` characters."""
    folders = {folder: tuple(inside) for folder, inside in groupby(found, key=_folder_of)}
    about = {path: _describe(path, memories) for path in found}
    # Where not all fit, each folder has its first.
    turns = [path for path in chain.from_iterable(zip_longest(*folders.values())) if path is not None]
    return RepositoryMap(
        name=asked.things,
        starts=(),
        central=(),
        folders=tuple(MapFolder(folder, len(inside), (), "", "", ()) for folder, inside in folders.items()),
        entries=tuple(MapEntry(path, ()) for path in turns),
        about=about,
        shown=_count_shown(turns, about, characters),
        tops=0,
    )


def _find_files(name: str, which: Sequence[str], paths: Iterable[str]) -> list[str]:
    """Those of ``paths`` that lie in a folder called ``name``, or are called so themselves, if there are enough.

    Of them those that hold the words ``which``, in the order of a tree.
    """
    known: dict[str, bool] = {"": False}

    def is_inside(folder: str) -> bool:
        if folder not in known:
            above, _, own = folder.rpartition("/")
            known[folder] = is_called(own, name) or is_inside(above)
        return known[folder]

    found = [
        path
        for path in paths
        if (is_inside(_folder_of(path)) or is_called(stem_of(path), name))
        and not (_BESIDE.search(path) or _lists_all(path, name))
    ]
    if len(found) < MIN_FILES:
        return []
    meant = [path for path in found if all(_holds(path.lower(), word) for word in which)]
    return sorted(meant, key=lambda path: (_folder_of(path), path))


def _holds(path: str, word: str) -> bool:
    return any(form in path for form in (word, *singulars(word)))


def is_called(part: str, name: str) -> bool:
    """Whether the last word of a folder or a file is ``name``, or its plural."""
    # The plural of "policy" keeps all but its last letter; few parts hold that.
    words = TermSplitter.parts(part[-MAX_WORD_CHARS:]) if name[:-1] in part.lower() else []
    last = words[-1] if words else ""
    return name in (last, *singulars(last))


def _lists_all(path: str, name: str) -> bool:
    """Whether a file is the front of the folder that is called so, rather than one of the things in it."""
    return stem_of(path) == "index" and is_called(_folder_of(path).rpartition("/")[2], name)


def _describe(path: str, memories: MemorySnapshot) -> str:
    """The names of what a file defines, where they say more than its own; else what it says of itself."""
    outline = memories.snapshot.outlines.get(path)
    if outline is None:
        return ""
    top = [
        each for each in outline.definitions if "." not in each.qualified and not each.name.startswith("_")
    ]
    types = [each.name for each in top if each.kind in TYPES]
    if not (types or path.endswith(_COMPONENTS)):
        types = [each.name for each in top if each.kind in CALLABLE]
    names = list(dict.fromkeys(types))
    if [_fold(name) for name in names] == [_fold(stem_of(path))]:
        return outline.doc[:MAX_CHARS]
    return ", ".join(names[:MAX_NAMES]) + (", …" if len(names) > MAX_NAMES else "")


def _count_shown(paths: Sequence[str], about: Mapping[str, str], characters: int) -> int:
    """The number of ``paths`` whose lines fit so many characters, with those of their folders."""
    seen: set[str] = set()
    for count, path in enumerate(paths):
        folder = _folder_of(path)
        characters -= len(path) - len(folder) + len(about[path]) + AROUND
        if folder not in seen:
            seen.add(folder)
            characters -= len(folder) + AROUND_FOLDER
        if characters < 0:
            return count
    return len(paths)


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def stem_of(path: str) -> str:
    """The name of a file without its extension."""
    return path.rpartition("/")[2].rpartition(".")[0]


def _fold(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(".", "").lower()
