"""Which packages may be learned from: permissive licences only, and nothing from the excluded projects."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path, PurePosixPath

EXCLUDED = Path(__file__).with_name("excluded-projects.txt")

# First match wins; what must be refused is looked for before what would also match beside it.
LICENCES = (
    (
        "refused",
        r"\b(A|L)?GPL|General Public|MPL|Mozilla Public|EPL|Eclipse Public|CDDL|CC-BY-NC|SSPL|BUSL|UNLICENSED",
    ),
    ("Apache-2.0", r"apache"),
    ("BSD", r"\bBSD|^Go$|redistribution and use in source and binary forms"),
    ("MIT", r"\bMIT|\bX11\b|expat|permission is hereby granted, free of charge"),
    ("ISC", r"\bISC|permission to use, copy, modify, and(/or)? distribute"),
    ("BSL-1.0", r"boost|BSL"),
    ("Zlib", r"zlib|libpng|permission is granted to anyone to use this software for any purpose"),
    ("PSF", r"PSF|python software foundation"),
    ("PostgreSQL", r"postgresql"),
    ("Unlicense", r"unlicense|public[- ]domain|CC0|0BSD"),
    ("HPND", r"HPND"),
)
_CHOICE = r"(MIT|Apache-2.0|BSD\S*|Artistic) (or|OR) |(or|OR) (MIT|Apache|BSD)"

# These names are also ordinary words: a package is only taken for the project when the owner is named too.
_ORDINARY = frozenset({"cli", "core", "fd", "bat", "next"})
_PREFIX = re.compile(
    r"^(golang-github-|golang-|librust-|ruby-|php-|haskell-|libghc-|node-|python3?-|lua-|lib)"
)
_SUFFIX = re.compile(r"(-dev|-java|-perl|\d*-src|-doc)$")


class RefusedError(Exception):
    """A package that must not be used, with the reason."""


@functools.cache
def excluded_projects() -> tuple[tuple[str, str], ...]:
    """(owner, name) pairs, lower-cased."""
    lines = [line.strip().lower() for line in EXCLUDED.read_text().split("\n")]
    pairs = (line.partition("/") for line in lines if line and not line.startswith("#"))
    return tuple((owner, project) for owner, _, project in pairs)


def check_name(name: str) -> None:
    """Raise ``RefusedError`` for the name of an excluded project, in any registry's spelling."""
    plain = name.lower()
    scope, _, rest = plain.rpartition("/")
    core = _SUFFIX.sub("", _PREFIX.sub("", rest))
    bare = re.sub(r"(-?\d+(\.\d+)*|\.js|\.nvim)$", "", core)
    spellings = {plain, rest, core, bare, f"{scope.lstrip('@')}/{rest}", f"{scope.lstrip('@')}-{rest}"}
    for owner, project in excluded_projects():
        stem = project.removesuffix(".nvim").removesuffix(".js").replace(".", "-")
        forbidden = {f"{owner}-{project}", f"{owner}/{project}"}
        if stem not in _ORDINARY:
            forbidden |= {project, stem}
        if spellings & forbidden:
            raise RefusedError(f"{name} is {owner}/{project}, which is excluded from training")


def check_upstream(name: str, metadata: str) -> None:
    """Raise ``RefusedError`` when a package's metadata names an excluded repository as its home."""
    homes = re.findall(
        r'(?im)^\s*"?(?:repository|homepage|home-page|project-url|source|upstream-contact|url)"?\s*[:=].*$',
        metadata,
    )
    found = {
        (owner, project.removesuffix(".git"))
        for line in homes
        for owner, project in re.findall(r"github\.com[/:]([\w.-]+)/([\w.-]+)", line.lower())
    }
    for pair in excluded_projects():
        if pair in found:
            raise RefusedError(f"{name} comes from {'/'.join(pair)}, which is excluded from training")


def excluded_path(path: str) -> bool:
    """Whether a folder inside a package looks like a copy of an excluded project.

    Names of up to five letters (``core``, ``rack``, ``plug``) are left alone: they are ordinary folder names.
    """
    folders = {part.lower() for part in PurePosixPath(path).parts[:-1]}
    return any(project in folders for _, project in excluded_projects() if len(project) > 5)


def stated_licence(registry: str, name: str, metadata: dict[str, str]) -> str:
    """The licence that a package's own metadata states, by the short names of ``LICENCES``.

    Raises ``RefusedError`` when it is not permissive or not stated. A choice that offers a permissive licence counts.
    """
    text = _licence_text(registry, metadata)
    for short, pattern in LICENCES:
        if short == "refused":
            if re.search(pattern, text) and not re.search(_CHOICE, text):
                break
        elif re.search(pattern, text, re.IGNORECASE):
            return short
    raise RefusedError(f"{name}: no permissive licence in its metadata ({text[:80]!r})")


def _licence_text(registry: str, metadata: dict[str, str]) -> str:
    if registry == "pypi":
        head = next((text for path, text in metadata.items() if path.endswith("METADATA")), "").split("\n\n")[
            0
        ]
        lines = re.findall(r"(?m)^(?:License-Expression: .*|License: .*|Classifier: License :: .*)$", head)
        return "\n".join(line[:200] for line in lines)
    if registry == "npm":
        data = json.loads(metadata.get("package/package.json", "{}"))
        return json.dumps(data.get("license", data.get("licenses", "")))
    stated = [text for path, text in metadata.items() if path.endswith("copyright")]
    stated += [
        text for path, text in metadata.items() if re.fullmatch(r"(?i)[^/]+/(LICEN[CS]E|COPYING)[^/]*", path)
    ]
    text = stated[0] if stated else ""
    stanza = re.search(r"(?ms)^Files:\s*(\*|[^:]*?\s\*)\s*$.*?(?=^\s*$)", text)
    named = re.findall(r"(?m)^License: *(.*)$", stanza.group(0) if stanza else text[:8000])
    return str(named[0]) if named and named[0].strip() else text[:1500]
