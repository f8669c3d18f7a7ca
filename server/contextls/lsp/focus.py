"""Messages of the client that say which file is in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contextls.requests.uris import to_path

if TYPE_CHECKING:
    from pathlib import Path

    from contextls.live.live_workspaces import LiveWorkspaces


class Focus:
    """Turns the attention of the live workspaces. Belongs to the event loop."""

    def __init__(self, live: LiveWorkspaces) -> None:
        self._live = live

    def turned_to(self, path: Path) -> None:
        """The file came to the front."""
        self._live.attention.turn_to(path)

    def turned_away(self) -> None:
        """Something that is no file of a workspace came to the front."""
        self._live.attention.turn_away()

    def asked_about(self, uri: str | None) -> None:
        """A question has this document as its place; one that is not open is not in front either."""
        path = to_path(uri) if uri else None
        if path is not None and path in self._live.open_files:
            self._live.attention.work_in(path)
