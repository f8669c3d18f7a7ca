"""Import texts: taking them apart, and finding the workspace files that they mean.

What differs between languages stands in the ``[imports]`` table of their ``language.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, normpath
from typing import TYPE_CHECKING

from contextls.regex import compile_late

if TYPE_CHECKING:
    from contextls.code.language_facts import ImportFacts, LanguageFacts
    from contextls.code.model import Import
    from contextls.code.path_index import Paths

MAX_FOLDER_FILES = 40  # a package with more files than these says nothing about any one of them

_CAMEL = compile_late(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_KEYWORD = compile_late(r"^(?:import|use|using)\s+(?:(?:static|function|const|type)\s+)?")
# What ``normpath`` would change, and now and then something that it would not.
_UNUSUAL = compile_late(r"^[./]|/[./]|/$")
_ALIAS = compile_late(r"(?<!\s)\s++(?:as|=>)\s++[\w*]++$|^[\w.]+\s*=(?!>)\s*")


def expand_module(written: str, *, braces: bool) -> list[str]:
    """``a::{b, c::d as e}`` -> ``["a::b", "a::c::d"]``; without braces, the text itself.

    Aliases are dropped; a list of more than 200 modules is cut there.
    """
    if not braces or "{" not in written:
        return [_bare(written)] if written else []
    found: list[str] = []
    prefixes, word = [""], ""
    for char in written:
        if char == "{":
            prefixes.append(prefixes[-1] + word.lstrip())
            word = ""
        elif char in ",}":
            if word.strip():
                found.append(_bare(prefixes[-1] + word.strip()))
            word = ""
            if char == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            word += char
    if word.strip():
        found.append(_bare(prefixes[-1] + word.strip()))
    return [module for module in found if module][:200]


def _bare(module: str) -> str:
    return _ALIAS.sub("", _KEYWORD.sub("", module.strip())).rstrip("; ").strip("'\"`<> ")


# What the parts of a module lead to, by language: the same for all files that import it, but for which of it is nearest.
Found = dict[tuple[str, tuple[str, ...]], list[str]]


def resolve(
    importer: str,
    item: Import,
    language: str,
    index: Paths,
    found_before: Found | None = None,
) -> tuple[str, ...]:
    """The workspace files that ``item`` in the file ``importer`` means; empty for what lies outside the workspace.

    Where the end of a path leads to several files, the one closest to the importer is taken. ``found_before`` remembers
    what was looked up in ``index``, for who resolves many.
    """
    from contextls.code.languages import default_languages

    known = default_languages().facts(language)
    if known is None or not item.module:
        return ()
    facts = known.imports
    found: dict[str, None] = {}
    for parts, anchored in _module_paths(importer, item, facts):
        hits = _look_up(
            importer, parts, known, index, {} if found_before is None else found_before, anchored=anchored
        )
        found |= dict.fromkeys(hit for hit in hits if hit != importer)
        if hits and not facts.whole_folder and len(found) >= max(1, len(item.names)):
            break
    return tuple(found)


def _module_paths(importer: str, item: Import, facts: ImportFacts) -> Iterator[tuple[list[str], bool]]:
    """The places that an import may mean, best guess first: path parts, and whether they start at the workspace root."""
    module = item.module.replace(" ", "")
    for prefix in facts.strip:
        if module.startswith(prefix):
            module = module[len(prefix) :]
            break
    scheme, inside = facts.packages
    if scheme and module.startswith(scheme):
        package, _, file = module[len(scheme) :].partition("/")
        yield [package, inside, *file.split("/")], False
        return
    if facts.separator == "/":
        module = module.replace("\\", "/")
    if facts.relative == "path" and module.startswith("."):
        yield from _anchors(f"{dirname(importer)}/{module}" if dirname(importer) else module)
        return
    if facts.relative == "dots" and module.startswith("."):
        parts = _from_dots(importer, module)
        for name in item.names:
            yield [*parts, name], True
        yield parts, True
        return
    parts = [part for part in module.split(facts.separator) if part and part != "*"]
    if parts and parts[0] in facts.anchors:
        yield from _from_anchor(importer, parts, facts)
        return
    if facts.bare_is_relative and dirname(importer):
        yield from _anchors(f"{dirname(importer)}/{module}")
    if facts.relative == "dots":
        for name in item.names:
            yield [*parts, name], False
    yield parts, False


def _from_dots(importer: str, module: str) -> list[str]:
    """The path of a module that begins with dots: one for the folder of the importer, each further one for one above."""
    dots = len(module) - len(module.lstrip("."))
    base = dirname(importer).split("/") if dirname(importer) else []
    return base[: len(base) - dots + 1] + [part for part in module[dots:].split(".") if part]


def _anchors(path: str) -> Iterator[tuple[list[str], bool]]:
    plain = normpath(path) if _UNUSUAL.search(path) else path
    if not plain.startswith(".."):
        yield [part for part in plain.split("/") if part != "."], True


def _from_anchor(importer: str, parts: list[str], facts: ImportFacts) -> Iterator[tuple[list[str], bool]]:
    """Paths that begin with a word for a place: the module's own folder, the one above, the root of the package."""
    here = _module_folder(importer, facts)
    while parts and parts[0] in facts.anchors:
        where = facts.anchors[parts[0]]
        if where == "up":
            here = here[:-1]
        elif where == "root":
            here = _package_root(here, facts)
        parts = parts[1:]
    for cut in range(min(facts.drop_tail, len(parts)) + 1):
        yield here + parts[: len(parts) - cut], True


def _module_folder(importer: str, facts: ImportFacts) -> list[str]:
    """The folder that holds a file's submodules: ``src/a.rs`` -> ``src/a``, ``src/a/mod.rs`` -> ``src/a``."""
    folder, _, name = importer.rpartition("/")
    parts = folder.split("/") if folder else []
    stem = name.partition(".")[0]
    index_files = {
        candidate.rpartition("/")[2].partition(".")[0] for candidate in facts.candidates if "/" in candidate
    }
    return parts if stem in index_files | {"main"} else [*parts, stem]


def _package_root(here: list[str], facts: ImportFacts) -> list[str]:
    for root in facts.roots:
        name = root.strip("/")
        if name and name in here:
            return here[: len(here) - here[::-1].index(name)]
    return here[:1]


def _look_up(
    importer: str,
    parts: list[str],
    known: LanguageFacts,
    index: Paths,
    found_before: Found,
    *,
    anchored: bool,
) -> list[str]:
    if not parts:
        return []
    facts = known.imports
    if facts.snake_case:
        parts = [_CAMEL.sub("_", part).lower().replace("-", "_") for part in parts]
    if facts.whole_folder:
        return (
            _files_in("/".join(parts), facts, index)
            if anchored
            else _folder_files(importer, parts, facts, index)
        )
    if anchored:
        return _exact(["/".join(parts)], facts, index)
    key = (known.name, tuple(parts))
    hits = found_before.get(key)
    if hits is None:
        hits = found_before[key] = _find(parts, facts, index)
    return hits if len(hits) < 2 else [min(hits, key=lambda hit: _distance(importer, hit))]


def _find(parts: list[str], facts: ImportFacts, index: Paths) -> list[str]:
    for cut in range(facts.drop_tail + 1):
        kept = parts[: len(parts) - cut]
        if not kept or (cut and len(kept) < facts.min_parts):
            break
        path = "/".join(kept)
        hits = _exact([root + path for root in facts.roots], facts, index)
        if not hits and facts.by_suffix and len(kept) >= facts.min_parts:
            hits = _by_suffix(kept, facts, index)
        if hits:
            return hits
    return []


def _exact(paths: list[str], facts: ImportFacts, index: Paths) -> list[str]:
    for path in paths:
        for candidate in facts.candidates:
            full = _fill_template(candidate, path)
            if full in index:
                return [full]
    return []


def _by_suffix(parts: list[str], facts: ImportFacts, index: Paths) -> list[str]:
    heads = facts.drop_head if not facts.domain_head or "." in parts[0] else 0
    for drop in range(heads + 1):
        kept = parts[drop:]
        if len(kept) < max(1, facts.min_parts):
            break
        for candidate in facts.candidates:
            hits = index.ending_with(_fill_template(candidate, "/".join(kept)))
            if hits:
                return hits
    return []


def _folder_files(importer: str, parts: list[str], facts: ImportFacts, index: Paths) -> list[str]:
    """All source files of the folder that a path names; leading parts may be a domain and a repository."""
    heads = facts.drop_head if not facts.domain_head or "." in parts[0] else 0
    for drop in range(min(heads, len(parts) - 1) + 1):
        path = "/".join(parts[drop:])
        folders = index.folders_ending_with(path)
        if drop and len(parts) - drop == 1:  # one bare word: only a folder at the root can be meant
            folders = [folder for folder in folders if folder == path]
        if parts[0] in facts.standard:
            folders = [folder for folder in folders if f"/{folder}".endswith(f"/src/{path}")]
        if folders:
            return _files_in(min(folders, key=lambda name: _distance(importer, name)), facts, index)
    return []


def _files_in(folder: str, facts: ImportFacts, index: Paths) -> list[str]:
    exclude = re.compile(facts.exclude) if facts.exclude else None
    endings = tuple(candidate.rpartition("*")[2] for candidate in facts.candidates)
    files = [file for file in index.files_of(folder) if file.endswith(endings)]
    return [file for file in files if exclude is None or not exclude.search(file)][:MAX_FOLDER_FILES]


def _fill_template(candidate: str, path: str) -> str:
    filled = candidate.replace("{path}", path)
    if "{" in filled:
        filled = filled.replace("{stem}", _stem(path)).replace("{partial}", _partial(path))
    return filled.lstrip("/")


def _stem(path: str) -> str:
    """``a/b.js`` -> ``a/b``: TypeScript names the file that will exist after compiling."""
    folder, slash, name = path.rpartition("/")
    return folder + slash + (name.rpartition(".")[0] or name)


def _partial(path: str) -> str:
    """``a/b`` -> ``a/_b``: how Sass names what is no page of its own."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}_{name}"


def _distance(importer: str, path: str) -> tuple[int, int, str]:
    """Few folders in common are far; then short paths are near."""
    common = 0
    for left, right in zip(importer.split("/"), path.split("/"), strict=False):
        if left != right:
            break
        common += 1
    return -common, path.count("/"), path
