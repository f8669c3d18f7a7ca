"""The map of a workspace as an indented tree."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

from contextls.assembly.pieces.bodies import MapFolder, RepositoryMap
from contextls.text.fence import name_line, one_line

INDENT = "  "
MAX_SIGNATURE_CHARS = 120
# The number of file names shown for a folder without any definition in the map.
MAX_NAMES = 4


def draw_tree(body: RepositoryMap) -> str:
    """The lines of the map; without its root, what lies below begins at the margin."""
    return dedent("\n".join(_lines(body)))


def _lines(body: RepositoryMap) -> Iterator[str]:
    if body.starts:
        yield f"start reading: {', '.join(map(one_line, body.starts))}"
    if body.central:
        yield f"most depends on: {', '.join(map(one_line, body.central))}"
    inside: dict[str, dict[str, dict[int, tuple[int, str]]]] = {}
    for entry in body.entries[: body.shown]:
        where, _, name = entry.path.rpartition("/")
        lines = inside.setdefault(where, {}).setdefault(name, {})
        lines.update({number: (depth, signature) for number, depth, signature in entry.lines})
    tops = sorted(
        (one for one in body.folders if one.path and "/" not in one.path),
        key=lambda one: (-one.files, one.path),
    )
    drawn = {one.path for one in tops[: body.tops]} | {""} | set(inside)
    for folder in body.folders:
        if folder.path not in drawn:
            continue
        depth, name = _place(folder.path, drawn)
        yield f"{INDENT * depth}{_describe_folder(folder, name, with_names=folder.path not in inside)}"
        for file, lines in sorted(inside.get(folder.path, {}).items()):
            about = body.about.get(f"{folder.path}/{file}" if folder.path else file, "")
            yield f"{INDENT * (depth + 1)}{name_line(file)}{f' — {one_line(about)}' if about else ''}"
            for _, (level, signature) in sorted(lines.items()):
                yield f"{INDENT * (depth + 2 + level)}{one_line(signature)[:MAX_SIGNATURE_CHARS]}"


def _place(path: str, drawn: set[str]) -> tuple[int, str]:
    """The depth of a folder among those that are drawn, and its name below the nearest of them."""
    above, depth, nearest = path, 0, ""
    while above:
        above = above.rpartition("/")[0]
        if above in drawn:
            depth += 1
            nearest = nearest or above
    return depth, f"{path[len(nearest) + 1 :] if nearest else path}/" if path else "./"


def _describe_folder(folder: MapFolder, name: str, *, with_names: bool) -> str:
    count = f"{folder.files:,} file{'' if folder.files == 1 else 's'}"
    what = ", ".join((*folder.languages, *((folder.mostly,) if folder.mostly else ())))
    line = f"{name_line(name)} ({count}: {what})" if what else f"{name_line(name)} ({count})"
    if folder.about:
        line += f" — {one_line(folder.about)}"
    if with_names and folder.names:
        more = ", …" if len(folder.names) > MAX_NAMES else ""
        line += f": {', '.join(map(one_line, folder.names[:MAX_NAMES]))}{more}"
    return line
