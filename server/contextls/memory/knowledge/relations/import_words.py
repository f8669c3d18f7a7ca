"""By which words of its imports a file may mean another: a sieve, so that few are resolved again when files come and go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from contextls.code.languages import default_languages
from contextls.memory.index.segments.outlines import Outline
from contextls.regex import compile_late

# Files that stand for their folder: who means them writes its name, and they pass on what they import.
_FRONTS = frozenset({"__init__", "index", "mod", "lib", "main", "package", "init"})
# Not words of a text, but what is told of it: an import leads to a place that it does not name (`..`, `super::*`); some of
# it has no letters that a word here is made of.
NAMELESS, STRANGE = ".", "?"

_WORD = compile_late(r"[a-z0-9]+")
_STRANGE = compile_late(r"[^\x00-\x7f]|(?<![^\s/\\.:])[^\sa-z0-9/\\.:*]+(?![^\s/\\.:])")


def is_front(path: str) -> bool:
    """Whether a file stands for its folder and passes on what it imports."""
    return _stem(path) in _FRONTS


def words_of(outline: Outline) -> set[str]:
    """The words of a file's imports, lower case and without underscores; ``NAMELESS`` and ``STRANGE`` where it is so."""
    if not outline.imports:
        return set()
    text = "\n".join(f"{item.module} {' '.join(item.names)}" for item in outline.imports)
    text = text.lower().replace("_", "")
    found = set(_WORD.findall(text))
    if _STRANGE.search(text):
        found.add(STRANGE)
    if any(_is_nameless(item.module, outline.language) for item in outline.imports):
        found.add(NAMELESS)
    return found


def words_for(path: str, language: str, *, alone: bool) -> Iterator[str]:
    """A word of each import by which the file at ``path`` may be meant; the folder's, too, where it lies there ``alone``."""
    folders, _, name = path.rpartition("/")
    facts = default_languages().facts(language)
    named = [_stem(path) or name]
    if alone or is_front(path) or (facts is not None and facts.imports.whole_folder):
        named += folders.split("/")[-2:] if is_front(path) else [folders.rpartition("/")[2]]
    for each in named:
        plain = each.lower().replace("_", "")
        runs = _WORD.findall(plain)
        if plain.isascii() and runs:
            yield max(runs, key=len)
        elif each:
            yield STRANGE


def may_lead_to(importer: str, path: str) -> bool:
    """Whether an import of ``importer`` that names no place may lead to ``path``, which then is for a folder around it."""
    folder = path.rpartition("/")[0]
    places = [f"{folder}/{_stem(path)}" if folder else _stem(path)]
    if is_front(path):
        places += [folder, folder.rpartition("/")[0]]
    return any(_is_below(importer, place) for place in places)


def _is_below(importer: str, place: str) -> bool:
    return not place or importer.startswith((f"{place}/", f"{place}."))


def _is_nameless(module: str, language: str) -> bool:
    if module.rstrip("/ ").endswith("."):
        return True
    facts = default_languages().facts(language)
    if facts is None:
        return False
    parts = _named_parts(module.replace(" ", "").split(facts.imports.separator))
    # The last parts may be names in the module that is meant: `crate::Thing`.
    return not facts.imports.anchors.keys().isdisjoint(parts[-facts.imports.drop_tail - 1 :])


def _named_parts(parts: Iterable[str]) -> list[str]:
    return [part for part in parts if part and part != "*"]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
