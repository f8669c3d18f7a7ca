"""The ignore files of git that lie outside of a workspace and hold in it all the same."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from contextls.workspace.personal_ignore import find_personal_ignore
from contextls.workspace.reflog import pointed_to
from contextls.workspace.stamps import stamp_of_target

GITIGNORE = ".gitignore"


class OuterFile(NamedTuple):
    """An ignore file outside of the root, or in ``.git``."""

    place: str
    base: Path  # the folder that it is about
    within: Path | None  # the folder that no link may lead it out of
    is_personal: bool = False  # the user's own, for all repositories


def find_outer_files(root: Path) -> list[OuterFile]:
    """The ignore files outside of ``root`` that hold in it, the strongest last; none where it is in no repository."""
    top = _repository_top(root)
    if top is None:
        return []
    return [
        *find_repository_files(top),
        *(OuterFile(place, Path(place).parent, top) for place in _ignore_files_between(top, root)),
    ]


def find_repository_files(top: Path) -> list[OuterFile]:
    """The ignore files of the repository at ``top`` that are in none of its folders, the strongest last."""
    # Tools that share one repository between many folders make links of what lies in .git.
    exclude = str(pointed_to(top / ".git").shared / "info" / "exclude")
    personal = find_personal_ignore(top)
    return [
        *([OuterFile(personal, top, None, is_personal=True)] if personal else []),
        OuterFile(exclude, top, None),
    ]


def outer_stamps(root: Path) -> tuple[object, ...]:
    """The places and stamps of these files, which are not watched: they differ once one changed."""
    return tuple((file.place, stamp_of_target(file.place)) for file in find_outer_files(root))


def _repository_top(root: Path) -> Path | None:
    return next((folder for folder in (root, *root.parents) if os.path.lexists(folder / ".git")), None)


def _ignore_files_between(top: Path, root: Path) -> list[str]:
    """The ignore files of the folders above the root, outermost first."""
    folders = [folder for folder in reversed(root.parents) if folder.is_relative_to(top)]
    return [str(folder / GITIGNORE) for folder in folders]
