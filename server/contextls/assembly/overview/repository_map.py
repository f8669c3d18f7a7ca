"""The map of a workspace: its folders with what each holds, and the definitions that the rest of the code stands on."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.overview.first_words import MAX_CHARS, first_words
from contextls.assembly.pieces.bodies import MapEntry, MapFolder, RepositoryMap
from contextls.code.model import Definition
from contextls.memory.index.priors import FileKind
from contextls.memory.index.segments.outlines import Outline
from contextls.memory.index.snapshot.view import IndexView
from contextls.memory.knowledge.relations.symbol_rank import DIGITS
from contextls.regex import compile_late

MAX_ENTRIES = 240
# The factor for each further definition of a file, so that the map shows many files.
FADING = 0.75
MAX_STARTS, MAX_CENTRAL = 6, 3
MAX_LANGUAGES = 3
# Folders at the top that are drawn; deeper ones are where something in them is shown.
MAX_TOPS = 30
# More folders are not told apart.
MAX_FOLDERS = 400
_READ_FIRST = compile_late(
    r"(readme|architecture|contributing|overview|docs/(index|overview|architecture|introduction|getting[-_]started))[^/]*",
    re.IGNORECASE,
)
_ENTRY = compile_late(
    r"(?:[^/]+/){0,3}(__main__|main|cli|index|lib|app|server|manage)\.(py|go|rs|ts|tsx|js|mjs|c|cc|cpp|java|kt|rb|php|swift|zig|ex)",
    re.IGNORECASE,
)
_KIND_WORDS: Mapping[FileKind, str] = {
    FileKind.TEST: "tests",
    FileKind.EXAMPLE: "examples",
    FileKind.DOCUMENT: "documents",
    FileKind.SETTINGS: "settings",
    FileKind.DATA: "data",
    FileKind.LEGACY: "kept for old users",
    FileKind.LICENCE: "licences",
    FileKind.CHANGELOG: "changelogs",
    FileKind.TRANSLATION: "translations",
}
_FRONTS = (
    "README.md",
    "__init__.py",
    "mod.rs",
    "lib.rs",
    "doc.go",
    "index.ts",
    "index.js",
    "package-info.java",
)


def draw_map(memories: MemorySnapshot, characters: int, exclude: Collection[str]) -> RepositoryMap | None:
    """The map of all files that may be shown, in about ``characters`` characters; ``None`` where there is none."""
    view, outlines = memories.snapshot.view, memories.snapshot.outlines
    hides = memories.exclusion.hides
    paths = sorted(path for path in view.paths if path not in exclude and not hides(path))
    if not paths:
        return None
    of_all = memories.snapshot.files.kinds()
    kinds = {path: of_all[path] for path in paths}
    ranks = memories.graph.symbol_ranks()
    entries = tuple(_entries(ranks.symbols, outlines, kinds, memories))
    shown = {entry.path for entry in entries}
    about = {path: words for path in sorted(shown) if (words := _about(path, view))}
    central = sorted((p for p in paths if ranks.files.get(p)), key=lambda path: (-ranks.files[path], path))
    return RepositoryMap(
        name=memories.root.name,
        starts=tuple(_starts(paths, kinds)),
        central=tuple(path for path in central if kinds[path] is FileKind.SOURCE)[:MAX_CENTRAL],
        folders=tuple(_folders(paths, kinds, memories.snapshot.files.languages(), view)),
        entries=entries,
        about=about,
        shown=_count_shown(entries, characters),
        tops=MAX_TOPS,
    )


def _count_shown(entries: Sequence[MapEntry], characters: int) -> int:
    """The number of entries that fit the characters, each with the lines around it that are not there yet."""
    drawn: set[tuple[str, int]] = set()
    for count, entry in enumerate(entries):
        lines = [(entry.path, number, len(text) + 2 * depth + 5) for number, depth, text in entry.lines]
        if entry.path not in {path for path, _ in drawn}:
            characters -= len(entry.path) + MAX_CHARS // 2
        characters -= sum(size for path, number, size in lines if (path, number) not in drawn)
        if characters < 0:
            return count
        drawn.update((path, number) for path, number, _ in lines)
    return len(entries)


def _entries(
    ranks: Mapping[tuple[str, str], float],
    outlines: Mapping[str, Outline],
    kinds: Mapping[str, FileKind],
    memories: MemorySnapshot,
) -> Iterator[MapEntry]:
    """The most central definitions of the source, best first."""
    hides = memories.exclusion.hides
    of_file: Counter[str] = Counter()
    # The first of several with one name, such as overloads.
    named: dict[str, dict[str, Definition]] = {}
    weighed = []
    for symbol in sorted(ranks, key=lambda symbol: (-ranks[symbol], symbol))[: 4 * MAX_ENTRIES]:
        path, qualified = symbol
        if kinds.get(path) is FileKind.SOURCE and not hides(f"{path}#{qualified}"):
            if path not in named:
                named[path] = {each.qualified: each for each in reversed(outlines[path].definitions)}
            definition = named[path][qualified]
            # What is used by all is often a helper of a few lines; what is large as well is where things happen.
            size = math.log1p(definition.end_line - definition.start_line + 1)
            weighed.append((-round(ranks[symbol] * size, DIGITS), symbol))
    faded = []
    for worth, symbol in sorted(weighed):
        faded.append((worth * FADING ** of_file[symbol[0]], symbol))
        of_file[symbol[0]] += 1
    for _, (path, qualified) in sorted(faded)[:MAX_ENTRIES]:
        lines = tuple(_lines(named[path], qualified))
        if not any(memories.exclusion.is_named_in(line) for _, _, line in lines):
            yield MapEntry(path, lines)


def _lines(first: Mapping[str, Definition], qualified: str) -> Iterator[tuple[int, int, str]]:
    """Line, depth and signature of a definition and of those around it, from the outermost."""
    parts = qualified.split(".")
    around = [first[name] for n in range(1, len(parts) + 1) if (name := ".".join(parts[:n])) in first]
    for depth, definition in enumerate(around):
        signature = definition.signature.rstrip(" {:")
        yield definition.start_line, depth, signature or definition.name


def _starts(paths: Sequence[str], kinds: Mapping[str, FileKind]) -> Iterator[str]:
    """The files to start reading at: those that introduce the workspace, then those where it starts to run."""
    said = sorted(
        (p for p in paths if _READ_FIRST.fullmatch(p)),
        key=lambda p: (p.count("/"), p.lower()[:4] != "read", p),
    )
    runs = [path for path in paths if _ENTRY.fullmatch(path) and kinds[path] is FileKind.SOURCE]
    runs.sort(key=lambda path: (path.count("/"), path))
    half = MAX_STARTS // 2
    yield from said[:half]
    yield from runs[:half]


def _folders(
    paths: Sequence[str],
    kinds: Mapping[str, FileKind],
    languages: Mapping[str, str],
    view: IndexView,
) -> Iterator[MapFolder]:
    """Every folder with all that lies below it, in the order of a tree."""
    below: dict[str, list[str]] = {}
    for path in paths:
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            below.setdefault(folder, []).append(path)
    known = set(paths)
    largest = sorted(below, key=lambda folder: (folder.count("/"), -len(below[folder]), folder))[:MAX_FOLDERS]
    for folder in sorted(largest, key=lambda folder: folder.split("/")):
        inside = below[folder]
        written = Counter(languages[path] for path in inside if path in languages)
        kind, count = Counter(kinds[path] for path in inside).most_common(1)[0]
        mostly = _KIND_WORDS.get(kind, "") if 2 * count > len(inside) else ""
        front = next((f"{folder}/{name}" for name in _FRONTS if f"{folder}/{name}" in known), None)
        own = [path.rpartition("/")[2] for path in inside if path.rpartition("/")[0] == folder]
        own.sort(key=lambda name: name.startswith("."))
        yield MapFolder(
            path=folder,
            files=len(inside),
            languages=tuple(language for language, _ in written.most_common(MAX_LANGUAGES)),
            mostly=mostly,
            about=_about(front, view) if front and folder else "",
            names=tuple(own),
        )


def _about(path: str, view: IndexView) -> str:
    refs = view.chunks_of(path)
    row = view.row(refs[0]) if refs else None
    return first_words(row.text, row.language) if row is not None and row.start_line == 1 else ""
