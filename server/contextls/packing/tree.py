"""The packed files as a tree with their tokens, drawn as deep as there is room for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from contextls.model import Detail, PackedFile
from contextls.text.fence import name_line

_INDENT = "  "


class FolderNode(Struct):
    """A folder with what lies right in it; ``tokens`` (of what is shown) and ``number`` are those of all files below it."""

    name: str = ""
    folders: dict[str, FolderNode] = field(default_factory=dict)
    files: list[PackedFile] = field(default_factory=list)
    tokens: int = 0
    number: int = 0


def grow_tree(files: Iterable[PackedFile], *, whole: bool) -> FolderNode:
    """The folders of ``files``, which come in path order; ``whole`` draws them as if all of each were shown."""
    root = FolderNode()
    for file in files:
        if whole:
            file = replace(file, detail=Detail.WHOLE, tokens=file.whole_tokens)
        folder = root
        _add(folder, file)
        for name in file.path.split("/")[:-1]:
            folder = folder.folders.setdefault(name, FolderNode(name))
            _add(folder, file)
        folder.files.append(file)
    return root


def draw_tree(root: FolderNode, depth: int | None = None) -> list[str]:
    """The lines of the tree; of folders at ``depth`` (1 is the top) only how many files they hold."""
    return list(_draw(root, 0, depth))


def deepest(root: FolderNode) -> int:
    """The number of folders that lie within one another."""
    return 1 + max(map(deepest, root.folders.values()), default=0)


def _add(folder: FolderNode, file: PackedFile) -> None:
    folder.tokens += file.tokens
    folder.number += 1


def _draw(folder: FolderNode, level: int, depth: int | None) -> Iterator[str]:
    pad = _INDENT * level
    if depth is not None and level >= depth:
        return
    for inner in folder.folders.values():
        names, inner = _without_links(inner)
        folded = depth is not None and level + 1 >= depth
        count = f" in {inner.number:,} {'file' if inner.number == 1 else 'files'}" if folded else ""
        yield f"{pad}{name_line('/'.join(names))}/ {inner.tokens:,}{count}"
        yield from _draw(inner, level + 1, depth)
    for file in folder.files:
        yield f"{pad}{name_line(file.path[file.path.rfind('/') + 1 :])} {_describe(file)}"


def _without_links(folder: FolderNode) -> tuple[Sequence[str], FolderNode]:
    """A folder that holds nothing but one folder stands on one line with it."""
    names = [folder.name]
    while len(folder.folders) == 1 and not folder.files:
        (folder,) = folder.folders.values()
        names.append(folder.name)
    return names, folder


def _describe(file: PackedFile) -> str:
    match file.detail:
        case Detail.WHOLE:
            return f"{file.tokens:,}"
        case Detail.SKELETON:
            return f"{file.tokens:,} (skeleton of {file.whole_tokens:,})"
        case Detail.BEGINNING:
            return f"{file.tokens:,} (beginning of {file.whole_tokens:,})"
        case _:
            return f"(name only, {file.whole_tokens:,})"
