"""The folders in which contextls keeps what it knows: the platform's, or those below a folder of the user's choice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, NamedTuple

from contextls.errors import InvalidRequestError

HOME_VARIABLE = "CONTEXTLS_HOME"


class StateFolders(NamedTuple):
    """The folder of what must be kept, and that of what can be made again, of all workspaces. Neither need exist."""

    state: Path
    cache: Path

    @property
    def sockets(self) -> Path:
        """Folder of the sockets at which running processes can be asked."""
        return self.state / "hooks"

    @property
    def known_workspaces(self) -> Path:
        """The list of known workspaces: one absolute path a line, the one opened last at the end."""
        return self.state / "workspaces"


def chosen_home() -> Path | None:
    """The folder that the user chose by ``CONTEXTLS_HOME``; ``None`` where the platform's folders count.

    Raises ``InvalidRequestError`` for a relative path: it would be another folder for each command and server, and often
    one inside a workspace. The XDG specification calls such paths invalid, too.
    """
    given = os.environ.get(HOME_VARIABLE)
    if not given:
        return None
    if not Path(given).is_absolute():
        raise InvalidRequestError(HOME_VARIABLE, "an absolute path", given)
    return Path(given)


def state_folders() -> StateFolders:
    """The folders of this user. Raises ``InvalidRequestError``."""
    home = chosen_home()
    if home is not None:
        return StateFolders(home / "state", home / "cache")
    return StateFolders(platform_folder("state"), platform_folder("cache"))


def platform_folder(kind: Literal["config", "state", "cache"]) -> Path:
    """The platform's folder for such files of ours. Raises ``InvalidRequestError`` for a user without a home."""
    import platformdirs

    try:
        folder: Path = getattr(platformdirs, f"user_{kind}_path")("contextls", appauthor=False)
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():  # what older versions of platformdirs give
        raise InvalidRequestError(
            HOME_VARIABLE, "a folder, as HOME is not set and the system knows no home of this user"
        )
    return folder
