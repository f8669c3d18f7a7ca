"""Finds an example for who adds another thing of a kind: a small one of those that are there, and what names it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from contextls.assembly.overview.catalog import MIN_FILES, is_called, stem_of
from contextls.assembly.usefulness.manuals import read_titles
from contextls.assembly.usefulness.named_chunks import source_defining
from contextls.code.kinds import CALLABLE, Kind
from contextls.memory.index.priors import FileKind
from contextls.memory.index.snapshot.snapshot import Snapshot
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.memory.index.terms import TermSplitter, hash_term

# The number of files to choose the example from.
MAX_FILES = 60
# The chunks shown of the example, of the places that name several of its kind, and of documents; where no place names
# several, those that name the example.
MAX_OWN, MAX_PLACES, MAX_SECTIONS, MAX_USES = 4, 5, 2, 2
# A shorter file does not show how it is done; a longer one shows much that is its own.
MIN_CHARS, MAX_CHARS = 300, 9_000
_VERBS = ("add", "create", "delete", "insert", "remove")
_CODE = frozenset({FileKind.SOURCE, FileKind.SETTINGS})


def find_exemplar(names: Sequence[str], files: Sequence[str], snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks that show how to add another thing called one of ``names``, like those of ``files``.

    These are sections of documents, the example, and the places that name it, first those that name most others as well.
    There are none for things that users add, and not developers.
    """
    if _are_data(names[0], snapshot):
        return []
    view, files = snapshot.view, _choose_alike(names, files, snapshot)
    chunks = {path: view.chunks_of(path) for path in files[:: max(1, len(files) // MAX_FILES)]}
    fitting = {
        path: refs for path, refs in chunks.items() if MIN_CHARS <= sum(map(view.size, refs)) <= MAX_CHARS
    }
    if not fitting:
        return []
    uses = {
        path: [] if _tells_nothing(stem_of(path), names) else _find_naming(path, snapshot) for path in fitting
    }
    usual = median(map(len, uses.values()))
    chosen = min(
        (path for path in fitting if len(uses[path]) >= usual),
        key=lambda path: (sum(map(view.size, fitting[path])), path),
    )
    named = Counter(ref for refs in uses.values() for ref in refs)
    places = sorted(uses[chosen], key=lambda ref: (-named[ref], ref))
    registries = [ref for ref in places if named[ref] > 1] or places[:MAX_USES]
    return [*_find_sections(names, snapshot), *fitting[chosen][:MAX_OWN], *registries[:MAX_PLACES]]


def _are_data(name: str, snapshot: Snapshot) -> bool:
    """Whether code adds or removes things that are called so: then they are data, and their folder has what handles them."""
    deeds = (f"{verb}{joint}{name}" for verb in _VERBS for joint in ("", "_"))
    return any(item.definition.kind in CALLABLE for item, _ in source_defining(deeds, snapshot))


def _choose_alike(names: Sequence[str], files: Sequence[str], snapshot: Snapshot) -> list[str]:
    """Those of ``files`` that are most alike: in one language, with a definition, called after the kind if enough are."""
    outlines = {
        path: outline for path in files if (outline := snapshot.outlines.get(path)) and outline.definitions
    }
    languages = Counter(outline.language for outline in outlines.values())
    usual = languages.most_common(1)[0][0] if languages else ""
    alike = [
        path
        for path, outline in outlines.items()
        if outline.language == usual and not stem_of(path).startswith("_")
    ]
    called = [
        path for path in alike if is_called(stem_of(path), names[0]) and stem_of(path).lower() not in names
    ]
    return called if len(called) >= MIN_FILES else alike


def _tells_nothing(stem: str, names: Sequence[str]) -> bool:
    """Whether each of the things may have a file that is called so."""
    return stem.lower() in ("index", "init", "main", "mod", *names)


def _find_naming(path: str, snapshot: Snapshot) -> list[ChunkRef]:
    """The chunks of code elsewhere that hold the name of a file, in any form."""
    view, splitter = snapshot.view, TermSplitter()
    stem = stem_of(path)
    parts = [part for word in splitter.words(stem) for part in splitter.parts(word)]
    terms = [hash_term("".join(parts))] if len(parts) > 1 else splitter.stem_hashes(stem)
    own = path.rpartition("/")[0]
    return [
        ref
        for ref in view.holding(sorted(terms))
        if view.file_kind(ref) in _CODE
        and view.kind(ref) != Kind.IMPORT
        and view.path(ref).rpartition("/")[0] != own
    ]


def _find_sections(names: Sequence[str], snapshot: Snapshot) -> list[ChunkRef]:
    """The sections of documents on adding one."""
    view = snapshot.view
    named = "|".join(map(re.escape, names))
    title = re.compile(rf"\b(?:add|creat|implement|new|writ)\w*\b.{{0,20}}\b(?:{named})", re.IGNORECASE)
    found = (
        ref
        for ref in view.holding(sorted(TermSplitter().stem_hashes(names[0])))
        if view.file_kind(ref) is FileKind.DOCUMENT and any(map(title.search, read_titles(ref, view)))
    )
    return sorted(found, key=lambda ref: (view.path(ref).count("/"), view.path(ref)))[:MAX_SECTIONS]
