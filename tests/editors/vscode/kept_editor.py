"""One browser, one VS Code server and one window on one workspace, which tests use one after the other."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from .chat import PROPOSED_API
from .installed import installed
from .sample import build_workspace, restore_workspace
from .vscode_server import ServerOptions, VSCodeServer
from .window import Window, new_window

_BROWSER_FLAGS = (
    "--no-sandbox",  # tests may run as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class KeptEditor:
    """Each part starts when it is first asked for and is kept until ``close``, after which it would start again."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._ends = ExitStack()
        self._browser: Browser | None = None
        self._server: VSCodeServer | None = None
        self._workspace: Path | None = None
        self._window: Window | None = None
        self._spoilt = False

    @property
    def opened(self) -> Sequence[Window]:
        """The window, while there is one."""
        return () if self._window is None else (self._window,)

    def browser(self) -> Browser:
        """The browser of all windows."""
        if self._browser is None:
            playwright = self._ends.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(
                executable_path=installed().chromium,
                headless=not os.environ.get("CONTEXTLS_HEADED"),
                args=list(_BROWSER_FLAGS),
            )
            self._ends.callback(self._browser.close)
        return self._browser

    def server(self, options: ServerOptions) -> VSCodeServer:
        """The server, which the first ``options`` started."""
        if self._server is None:
            self._server = VSCodeServer(self._folder() / "vscode", options)
            self._ends.callback(self._server.stop)
        return self._server

    def workspace(self) -> Path:
        """The sample workspace that the window is on, as it was committed."""
        if self._workspace is None:
            self._workspace = build_workspace(self._folder() / "shop")
        else:
            restore_workspace(self._workspace)
        return self._workspace

    def window(self, server: VSCodeServer, workspace: Path) -> Window:
        """The window, tidied up; all that its memory holds stays there."""
        if self._window is not None and (self._spoilt or not self._window.tidy_up()):
            self.close_window()
        if self._window is None:
            self._window = new_window(self.browser())
            self._window.load(server, workspace, payload=PROPOSED_API)
            assert self._window.tidy_up()
        return self._window

    def spoil_window(self) -> None:
        """Have the next test get a new window, as one that failed may have left anything in this one."""
        self._spoilt = True

    def close(self) -> None:
        """End all that was started."""
        self.close_window()
        self._ends.close()
        self._browser = self._server = self._workspace = None

    def close_window(self) -> None:
        """Close the window; the next test that wants one gets a new one."""
        if self._window is not None:
            self._window.close()
        self._window = None
        self._spoilt = False

    def _folder(self) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="contextls-editor-", ignore_cleanup_errors=True)
        self._ends.callback(folder.cleanup)
        return Path(folder.name).resolve()
