"""Packed files: which are asked for and how, and the document that they become."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from contextls.model.choices import Detail, PackFormat


class PackRequest(Struct, frozen=True):
    """The files to pack, and their form. What chooses files adds up; without any of it, all are packed.

    ``what`` names files, folders and gitignore patterns, ``listed`` files alone (an empty list chooses none); ``changed``
    is a branch, a tag or a commit, and means what is new since HEAD left it. What ``ignore`` matches stays out anyway.
    ``max_tokens`` bounds the whole, ``split_tokens`` each of the parts that it is cut into.
    """

    what: tuple[str, ...] = ()
    listed: tuple[str, ...] | None = None
    working_set: bool = False
    changed: str | None = None
    ignore: tuple[str, ...] = ()
    include_noise: bool = False
    max_tokens: int | None = None
    split_tokens: int | None = None
    format: PackFormat = PackFormat.MARKDOWN
    tokenizer: str | None = None
    skeletons: bool = False
    line_numbers: bool = False
    drop_comments: bool = False
    drop_empty_lines: bool = False
    summary: bool = True
    tree: bool = True
    texts: bool = True
    diffs: bool = False
    commits: int = 0
    header: str = ""
    instructions: str = ""


class PackedFile(Struct, frozen=True):
    """A file of a pack: ``tokens`` are those of what is shown of it, ``whole_tokens`` those of all of it."""

    path: str
    detail: Detail
    tokens: int
    whole_tokens: int


class UnpackedFile(Struct, frozen=True):
    """A file that was chosen and is not shown, and why."""

    path: str
    reason: str


class Pack(Struct, frozen=True):
    """The document in its ``parts``, which are one unless it was to be split.

    ``left_out`` names what was chosen and cannot be shown; ``ignored`` counts, by reason, what rules keep out.
    """

    parts: tuple[str, ...]
    token_count: int
    tokenizer: str
    tokenizer_exact: bool
    files: tuple[PackedFile, ...]
    left_out: tuple[UnpackedFile, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
