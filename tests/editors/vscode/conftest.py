"""Real VS Code windows on real workspaces. A module that needs another server overrides ``server_options``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser

from .chat import CHAT_HOST
from .installed import EXTENSION, REPOSITORY
from .kept_editor import KeptEditor
from .sample import build_workspace
from .vscode_server import ServerOptions, VSCodeServer
from .window import OpenWindow, Window, new_window

_HERE = Path(__file__).parent
_KEPT = pytest.StashKey[KeptEditor]()
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


@pytest.fixture(scope="session")
def kept_editor(request: pytest.FixtureRequest) -> KeptEditor:
    """Shared by the tests here that do not ask for their own."""
    return request.session.stash.setdefault(_KEPT, KeptEditor())


@pytest.fixture(scope="module")
def browser(kept_editor: KeptEditor) -> Browser:
    """The one browser."""
    return kept_editor.browser()


@pytest.fixture(scope="module")
def server_options() -> ServerOptions | None:
    """The start of the module's server; None is the server that all modules share."""
    return None


@pytest.fixture(scope="session")
def shared_options(vsix: Path, extension_settings: Mapping[str, str]) -> ServerOptions:
    """The start of the server that all modules share."""
    settings = {
        **extension_settings,
        "contextls.trace.server": "messages",
        "workbench.colorTheme": "Default Dark Modern",
    }
    return ServerOptions(vsix=(vsix,), folders=(_HERE / "tiny_extension", CHAT_HOST), settings=settings)


@pytest.fixture(scope="module")
def vscode_server(
    request: pytest.FixtureRequest,
    kept_editor: KeptEditor,
    server_options: ServerOptions | None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[VSCodeServer]:
    """The VS Code server of a test module: that of all of them, or one of its own."""
    if server_options is None:
        yield kept_editor.server(request.getfixturevalue("shared_options"))
        return
    kept_editor.close_window()
    data = tmp_path_factory.mktemp("vscode")
    server = VSCodeServer(data, server_options)
    yield server
    server.stop()
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture
def workspace(kept_editor: KeptEditor) -> Path:
    """The workspace of ``window``: a small git repository, as it was committed, with a clean working tree."""
    return kept_editor.workspace()


@pytest.fixture
def fresh_workspace(tmp_path: Path) -> Path:
    """The same in a folder of its own, which no editor has seen."""
    return build_workspace(tmp_path / "shop")


@pytest.fixture
def window(kept_editor: KeptEditor, vscode_server: VSCodeServer, workspace: Path) -> Window:
    """The window that tests share, on ``workspace``, tidied up."""
    return kept_editor.window(vscode_server, workspace)


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
        window = new_window(browser, width=width, height=height)
        opened.append(window)
        window.load(server, folder, payload=payload)
        return window

    yield _open
    for window in opened:
        window.close()
    opened.clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those first that share a window, so that it need not stay open beside the windows of the others."""
    here = [(index, item) for index, item in enumerate(items) if _HERE in item.path.parents]
    ordered = sorted((item for _, item in here), key=lambda item: _own_server(item))
    for (index, _), item in zip(here, ordered, strict=True):
        items[index] = item


def _own_server(item: pytest.Item) -> bool:
    return "server_options" in vars(getattr(item, "module", None))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close what was kept once no test here follows: the event loop of the browser is in the way of asynchronous tests."""
    if _KEPT in item.session.stash and (nextitem is None or _HERE not in nextitem.path.parents):
        item.session.stash[_KEPT].close()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave nothing behind a run that was interrupted, either."""
    if _KEPT in session.stash:
        session.stash[_KEPT].close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where a test fails, save what its windows show and name the files in the report."""
    report = yield
    if report.failed and call.when in ("setup", "call"):
        kept = item.session.stash.get(_KEPT, None)
        opened = [window for node in item.listchain() for window in node.stash.get(_OPENED, [])]
        opened += kept.opened if kept else []
        for number, window in enumerate(opened, start=1):
            path = _screenshots(item.config) / f"{_file_name(item.name)}-{number}.png"
            try:
                window.screenshot(path)
            except Exception as error:
                report.sections.append(("window", f"no screenshot: {error}"))
            else:
                report.sections.append(("window", f"what it showed: {path}"))
        if kept:
            kept.spoil_window()
    return report


def _screenshots(config: pytest.Config) -> Path:
    named = os.environ.get("CONTEXTLS_SCREENSHOTS")
    return Path(named) if named else config.cache.mkdir("vscode-windows")


def _file_name(name: str) -> str:
    return "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in name)
