"""Real VS Code windows on real workspaces. A module that needs another server overrides ``server_options``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, sync_playwright

from .installed import EXTENSION, REPOSITORY, installed
from .sample import build_workspace
from .vscode_server import ServerOptions, VSCodeServer
from .window import OpenWindow, Window

_BROWSER_FLAGS = (
    "--no-sandbox",  # tests may run as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_OPENED = pytest.StashKey[list[Window]]()


@pytest.fixture(scope="session")
def vsix() -> Path:
    """The packaged extension, built anew where its sources are younger."""
    _make("editors/vscode/contextls.vsix")
    return EXTENSION / "contextls.vsix"


@pytest.fixture(scope="session")
def extension() -> Path:
    """The extension's folder with its sources and its tests bundled: quicker than ``vsix``, for ``folders``."""
    _make("extension-tests")
    return EXTENSION


@pytest.fixture(scope="session")
def extension_settings() -> dict[str, str]:
    """User settings that make the extension run the server of this checkout."""
    return {"contextls.server.path": str(Path(sys.executable).parent / "contextls")}


def _make(target: str) -> None:
    lock = EXTENSION / "out" / ".lock"
    lock.parent.mkdir(exist_ok=True)
    with FileLock(lock):  # several runs of tests may share a checkout
        done = subprocess.run(["make", target], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for a module (not for the session: its event loop would be in the way of asynchronous tests)."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=installed().chromium,
            headless=not os.environ.get("CONTEXTLS_HEADED"),
            args=list(_BROWSER_FLAGS),
        )
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def server_options() -> ServerOptions:
    """What the module's server starts with; override it in the module."""
    return ServerOptions()


@pytest.fixture(scope="module")
def vscode_server(
    server_options: ServerOptions, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[VSCodeServer]:
    """The one VS Code server of a test module."""
    data = tmp_path_factory.mktemp("vscode")
    server = VSCodeServer(data, server_options)
    yield server
    server.stop()
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A small git repository of its own for one test: Python and TypeScript, two commits, a clean working tree."""
    return build_workspace(tmp_path / "shop")


@pytest.fixture
def open_window(
    request: pytest.FixtureRequest, browser: Browser, vscode_server: VSCodeServer
) -> Iterator[OpenWindow]:
    """``open_window(folder)`` opens a window as in a fresh browser and waits until it can be used."""
    with _opener(request.node, browser, vscode_server) as open_one:
        yield open_one


@pytest.fixture(scope="module")
def open_shared_window(
    request: pytest.FixtureRequest, browser: Browser, vscode_server: VSCodeServer
) -> Iterator[OpenWindow]:
    """As ``open_window``, for windows that all tests of a module use one after the other."""
    with _opener(request.node, browser, vscode_server) as open_one:
        yield open_one


@contextmanager
def _opener(
    node: pytest.Item | pytest.Module, browser: Browser, server: VSCodeServer
) -> Iterator[OpenWindow]:
    opened = node.stash.setdefault(_OPENED, [])

    def _open(
        folder: Path, *, width: int = 1280, height: int = 800, payload: Sequence[tuple[str, str]] = ()
    ) -> Window:
        context = browser.new_context(viewport={"width": width, "height": height})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        window = Window(context.new_page())
        opened.append(window)
        window.page.goto(server.url(folder, payload=payload))
        window.wait_until_ready()
        if folder.suffix == ".code-workspace":
            window.wait_for_folders()
        return window

    yield _open
    for window in opened:
        window.page.context.close()
    opened.clear()


@pytest.fixture
def window(open_window: OpenWindow, workspace: Path) -> Window:
    """A window on ``workspace``."""
    return open_window(workspace)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a test fails, save what its windows show and name the files in the report."""
    report = yield
    if report.failed and call.when in ("setup", "call"):
        opened = [window for node in item.listchain() for window in node.stash.get(_OPENED, [])]
        for number, window in enumerate(opened, start=1):
            path = _screenshots(item.config) / f"{_file_name(item.name)}-{number}.png"
            try:
                window.screenshot(path)
            except Exception as error:
                report.sections.append(("window", f"no screenshot: {error}"))
            else:
                report.sections.append(("window", f"what it showed: {path}"))
    return report


def _screenshots(config: pytest.Config) -> Path:
    named = os.environ.get("CONTEXTLS_SCREENSHOTS")
    return Path(named) if named else config.cache.mkdir("vscode-windows")


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)
