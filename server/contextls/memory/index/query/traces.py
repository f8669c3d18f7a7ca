"""Places in code that a text names: frames of stack traces in any common format, and what prose mentions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from contextls import cancellation
from contextls.memory.index.query.frame_formats import BARE, FRAME_SIGN, FRAMES, INNERMOST_LAST
from contextls.memory.index.query.places import Place, clean_path, mentions_in
from contextls.regex import compile_late

# A pasted log may hold the same trace hundreds of times; what the first frames do not say, the rest will not.
MAX_PLACES = 100
_MAX_LINE_CHARS = 500
# How strongly prose names a file; of a path in folders that are not here, less: it may be one of another project.
MENTIONED, NAMESAKE = 0.5, 0.3

_CALLED = compile_late(r"^(?:\s*\d+: )?(?:[\w.\-/~:]+[./:])?(?:\(\*?\w+\)\.)?(?P<name>\w+)(?:\(.*\))?$")
# Java and JavaScript print what caused an error below it.
_CAUSE = compile_late(r"^\s*(?:Caused by:|\[cause\]:)")
# How IPython points at the line of the frame above, within a few lines of its code.
_POINTED = compile_late(r"^-+> (?P<line>\d{1,7})\b")
_INSTALLED = compile_late(
    r"site-packages/|node_modules/|/lib/python|/rustc/|registry/src/|/gems/|/usr/|node:|<frozen|runtime/"
)
# Where it is in a frame; of the JVM and of test runners, by the class.
_INSTALLED_FRAME = compile_late(
    _INSTALLED.pattern
    + r"|\(<anonymous>\)|\b(?:java\.base/|jdk\.internal\.|org\.junit\.|org\.gradle\.|kotlin\.reflect\.)"
)
_FRAME_BEGINS = ("at ", "File ", "# ", "❯ ", "from ", "<frozen ", "java.base/", "jdk.")
# Rust and Go name the function on the line above.
_NAMES_FRAME = compile_late(r"^\s*\d+: \S|^[\w./*()\[\]]+\([^()]*\)$|^created by ")
# The package of npm that an installed file belongs to, without its scope.
_OF_PACKAGE = compile_late(r".*\bnode_modules/(?:@[^/]+/)?(?P<name>[^/@]+)/")

# The fewest bare function names, one on each line, that are read as a trace.
MIN_BARE = 4
_SHAPED = compile_late(r"[a-z\d]_[a-z]|[a-z\d][A-Z]")
# What is compiled to each of these. Its lines are others.
_SOURCES = {
    ".js": (".ts", ".tsx", ".jsx", ".vue", ".svelte", ".coffee"),
    ".mjs": (".mts", ".ts"),
    ".cjs": (".cts", ".ts"),
    ".class": (".java", ".kt", ".scala", ".groovy", ".cs", ".fs", ".vb"),
}
# The method for which a compiler made a class or a function: `<Run>d__12.MoveNext`, `<>c.<Run>b__3`.
_MADE_FOR = compile_late(r"<(\w*)>[\w|]*")
_PARAMETERS = compile_late(r"`\d+|\[[^\[\]]*\]")


class Found(Struct, frozen=True):
    """A file of the workspace that a text names, and how strongly (1 the innermost frame).

    ``frame`` and ``name`` are as of a ``Place``; the ``line`` is unknown where the text names what was compiled from it.
    """

    path: str
    line: int | None
    strength: float
    frame: bool = False
    name: str = ""


def frame_of(line: str, before: str = "") -> tuple[str, Place] | None:
    """The runtime and the place when ``line`` is a frame; Go and Rust print the function on the line ``before``."""
    line = line[:_MAX_LINE_CHARS]
    if not FRAME_SIGN.search(line):
        return None
    for runtime, pattern in FRAMES:
        match = pattern.search(line)
        if match:
            return runtime, _read_frame(runtime, match, before)
    return None


def _read_frame(runtime: str, match: re.Match[str], before: str) -> Place:
    groups = match.groupdict()
    name = groups.get("name") or ""
    if runtime == "class":
        return _find_class(name)
    if runtime == "function":
        return _function(name)
    path = clean_path(groups["path"])
    if runtime == "java":
        path = "/".join([*_package(name), path])
    at = int(groups["line"][:9]) if groups.get("line") else None
    if not name and (runtime == "go" or match.string.lstrip().startswith("at ")):
        called = _CALLED.match(before[:_MAX_LINE_CHARS].strip())
        name = called["name"] if called else ""
    return Place(path, at, re.split(r"[.:#/$]+", name)[-1], frame=True)


def is_installed(path: str) -> bool:
    """Whether a path is one of a runtime or of an installed package."""
    return _INSTALLED.search(path) is not None


def without_installed_frames(lines: Sequence[str]) -> Iterator[str]:
    """``lines`` without the frames of runtimes and packages, with what belongs to each: its function, its line of code."""
    dropped: int | None = None
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if dropped is not None and indent > dropped:
            continue
        dropped = None
        if _is_installed_frame(line):
            dropped = indent
        elif not (
            number + 1 < len(lines) and _NAMES_FRAME.match(line) and _is_installed_frame(lines[number + 1])
        ):
            yield line


def _is_installed_frame(line: str) -> bool:
    line = line[:_MAX_LINE_CHARS]
    if not _INSTALLED_FRAME.search(line):
        return False
    return frame_of(line) is not None or line.lstrip().startswith(_FRAME_BEGINS)


def is_named_below(lines: Sequence[str], number: int) -> bool:
    """Whether a line is the function of a frame of Go, whose file stands on the next one."""
    frame = frame_of(lines[number + 1]) if number + 1 < len(lines) else None
    return frame is not None and frame[0] == "go"


def places_in(text: str) -> tuple[Place, ...]:
    """The places that ``text`` names, the most telling first.

    Frames of the root cause come first, from the innermost out, then those of what it caused, then other mentions.
    """
    frames: list[list[Place]] = [[]]
    last_first: list[Place] = []
    others: list[Place] = []
    before = ""
    lines = text.splitlines()
    bare = _find_bare_frames(lines)
    for number, line in enumerate(lines):
        cancellation.check()
        if sum(map(len, frames)) + len(last_first) + len(others) >= MAX_PLACES:
            break
        frame = frame_of(line, before)
        if number in bare:
            frames[0].append(bare[number])
        elif frame:
            is_last = frame[0] in INNERMOST_LAST or (frame[0] == "ruby" and last_first)
            (last_first if is_last else frames[0]).append(frame[1])
        else:
            if _CAUSE.match(line):
                frames.insert(0, [])
            pointed = _POINTED.match(line)
            if pointed and last_first and last_first[-1].line is None:
                last_first[-1] = replace(last_first[-1], line=int(pointed["line"]))
            others.extend(mentions_in(line[: 4 * _MAX_LINE_CHARS]))
        before = line
    return tuple(
        dict.fromkeys([*reversed(last_first), *(place for cause in frames for place in cause), *others])
    )


def _find_bare_frames(lines: Sequence[str]) -> dict[int, Place]:
    """Lines with nothing but function names, one below the other, as the frames of a copied trace.

    Most of the names have to look like code: a list of words is none.
    """
    found: dict[int, Place] = {}
    matches = enumerate(BARE.match(line[:_MAX_LINE_CHARS]) for line in lines)
    for _, run in groupby(matches, key=lambda one: one[1]["program"] or "" if one[1] else None):
        named = {number: match["name"] for number, match in run if match}
        shaped = sum(_SHAPED.search(name) is not None for name in named.values())
        if len(named) >= MIN_BARE and shaped > len(named) / 2:
            found.update((number, _function(name)) for number, name in named.items())
    return found


def _function(name: str) -> Place:
    return Place("", None, re.split(r"[:~]+", name)[-1], frame=True)


def find_in_workspace(places: Iterable[Place], paths: Collection[str]) -> list[Found]:
    """The ``paths`` of the workspace that are meant, by the longest common tail; each further frame counts half.

    Places outside the workspace drop out, so that the innermost frame of the user's own code leads.
    """
    wanted = [(place, tuple(reversed(place.path.split("/")))) for place in places]
    names = {name for _, tail in wanted for name in (tail[0], *_sources_of(tail[0]))}
    by_name: dict[str, list[str]] = {}
    for path in paths:
        name = path.rpartition("/")[2]
        if name in names:
            by_name.setdefault(name, []).append(path)
    found: list[Found] = []
    depth = 0
    for place, tail in wanted:
        meant = _meant(place, tail, by_name.get(tail[0], ()))
        line = place.line
        if not meant:
            meant, line = _compiled_from(tail, _of_this_workspace(place.path, by_name, paths)), None
        if not meant:
            continue
        strength = 0.5 ** min(depth, 4) if place.frame else MENTIONED
        if not place.frame and place.line is None and len(tail) > 1 and _common(tail, meant[0]) == 1:
            strength *= NAMESAKE
        found.extend(Found(path, line, strength / len(meant), place.frame, place.name) for path in meant)
        depth += place.frame
    return found


def _meant(place: Place, tail: Sequence[str], candidates: Sequence[str]) -> list[str]:
    """The candidates with the longest tail in common; nothing when a name alone could be of many files."""
    lengths = {path: _common(tail, path) for path in candidates}
    best = max(lengths.values(), default=0)
    meant = sorted(path for path, length in lengths.items() if length == best)
    if best == 1 and len(tail) > 1:
        # "/home/me/project/main.py" is the workspace's top-level main.py; "/usr/lib/…/main.py" and "other/main.py" are not.
        rooted = place.path.startswith("/") or ":" in tail[-1]
        meant = [path for path in meant if "/" not in path and rooted and not is_installed(place.path)]
    return meant if len(meant) <= 3 else []


def _of_this_workspace(
    path: str, by_name: Mapping[str, Sequence[str]], paths: Collection[str]
) -> Mapping[str, Sequence[str]]:
    """The files, by their names, of which ``path`` may have been made.

    Of an installed file these are the sources of its package, where the workspace has that in a folder of its own.
    """
    package = _OF_PACKAGE.match(path)
    if not package:
        return {} if is_installed(path) else by_name
    within = f"/{package['name']}/"
    own = {name: [each for each in found if within in f"/{each}"] for name, found in by_name.items()}
    roots = {f"/{each}".partition(within)[0] + within for found in own.values() for each in found}
    return own if any(f"{root}package.json"[1:] in paths for root in roots) else {}


def _sources_of(name: str) -> list[str]:
    """The names that the source of the compiled file ``name`` may have."""
    stem, dot, extension = name.rpartition(".")
    return [stem + each for each in _SOURCES.get(dot + extension, ())]


def _compiled_from(tail: Sequence[str], by_name: Mapping[str, Sequence[str]]) -> list[str]:
    """The file that ``tail`` was compiled from: of the same stem, with most folders in common; none where several may be."""
    named = {path: name for name in _sources_of(tail[0]) for path in by_name.get(name, ())}
    lengths = {path: _common((name, *tail[1:]), path) for path, name in named.items()}
    best = max(lengths.values(), default=0)
    meant = [path for path, length in lengths.items() if length == best]
    return meant if len(meant) == 1 else []


def _common(tail: Sequence[str], path: str) -> int:
    count = 0
    for left, right in zip(tail, reversed(path.split("/")), strict=False):
        if left != right:
            break
        count += 1
    return count


def _find_class(name: str) -> Place:
    """The class of a method ``a.b.C.m`` as the file that it was compiled to."""
    plain = _PARAMETERS.sub("", _MADE_FOR.sub(r"\1", name.removesuffix(".MoveNext")))
    *folders, owner, method = ["", *(part for part in plain.rpartition("/")[2].split(".") if part)]
    path = "/".join([*filter(None, folders), re.split(r"[$+]", owner)[0]])
    return Place(f"{path}.class", None, method, frame=True)


def _package(name: str) -> list[str]:
    """The folders of a Java method ``a.b.C.m``: everything before the class and the method."""
    return name.rpartition("/")[2].split(".")[:-2]
