"""The scope of a workspace: the folders that questions are limited to."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from contextls.schema.rules import Doc


class ScopeFolder(Struct, frozen=True):
    """A folder that a scope has or may have. ``package`` is its name by its manifest, or empty; ``files`` are indexed."""

    path: str
    package: str
    files: int


class ScopeView(Struct, frozen=True):
    """The saved scope. Without ``folders`` there is none: questions are about the whole workspace."""

    folders: tuple[ScopeFolder, ...]
    files: Annotated[int, Doc("indexed files in it; all of them where there is none")]
    total_files: int
    choices: Annotated[
        tuple[ScopeFolder, ...],
        Doc("what it can be made of: folders at the top, and packages by their manifests"),
    ]
    warnings: tuple[str, ...]
