"""Take the pictures of the documentation from the running product: a real VS Code on a clone of this repository.

usage: python -m tests.editors.vscode.screenshots [FOLDER]

Needs what the tests here need (`make editors`). FOLDER is ``docs/images`` when absent.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, sync_playwright

from contextls.engine import Engine

from .chat import ANSWER_MS, CHAT_HOST, PROPOSED_API, Chat
from .installed import EXTENSION, REPOSITORY, installed
from .terminal import Terminal
from .vscode_server import ServerOptions, VSCodeServer
from .window import READY_MS, Window

WIDTH, HEIGHT = 1320, 820
# Sharp on the screens that people have, without being twice as heavy to load as the page around it.
SCALE = 1.5
DARK, LIGHT = "Default Dark Modern", "Default Light Modern"
QUESTION = "how is a secret redacted before it is stored?"
# What breaks tests of the clone, as somebody at work might.
EDITED, LINE = "server/contextls/text/truncate.py", 42
GOOD, BAD = "return Truncated(text, 0)", "return Truncated(text, 1)"
FAILING = "python -m pytest --tb=no -p no:cacheprovider tests/text/test_truncate.py"
COMMAND_MS = 120_000


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=EXTENSION, check=True)
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["CONTEXTLS_HOME"] = str(Path(temporary) / "home")
        workspace = _workspace(Path(temporary) / "contextls")
        with _window(Path(temporary) / "dark", workspace, DARK) as window:
            _work(window, workspace)
            _panel(window, folder / "vscode-panel-dark.png")
            _activity(window, folder / "vscode-activity.png")
            _status(window, folder / "vscode-status.png")
            _chat(window, folder / "vscode-chat.png")
        with _window(Path(temporary) / "light", workspace, LIGHT) as window:
            window.open_file(EDITED, line=LINE)
            _panel(window, folder / "vscode-panel-light.png")


def _workspace(root: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", "--local", str(REPOSITORY), str(root)], check=True)
    # The name of the branch is in the pictures.
    subprocess.run(["git", "-C", str(root), "checkout", "--quiet", "-B", "main"], check=True)
    with closing(Engine.open(root)) as engine:
        engine.index()
    return root


@contextmanager
def _window(data: Path, workspace: Path, theme: str) -> Iterator[Window]:
    programs = Path(sys.executable).parent
    options = ServerOptions(
        folders=(EXTENSION, CHAT_HOST),
        settings={
            "contextls.server.path": str(programs / "contextls"),
            "editor.minimap.enabled": False,
            "git.blame.statusBarItem.enabled": False,
            "terminal.integrated.env.linux": {
                "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(workspace / "server"),
            },
            "workbench.colorTheme": theme,
        },
    )
    server = VSCodeServer(data, options)
    (data / "home" / ".bashrc").write_text("PS1='\\W $ '\n", encoding="utf-8")
    try:
        with sync_playwright() as playwright:
            browser: Browser = playwright.chromium.launch(
                executable_path=installed().chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=SCALE
            )
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            window = Window(context.new_page())
            window.page.goto(server.url(workspace, payload=PROPOSED_API))
            window.wait_until_ready()
            yield window
            browser.close()
    finally:
        server.stop()


def _work(window: Window, workspace: Path) -> None:
    """An hour at work in half a minute: a task, a pin, an edit, a failing test."""
    window.open_file(EDITED, line=LINE)
    window.run("contextls: Begin Task…", timeout=READY_MS)
    window.answer("cut long output at line borders only")
    window.run("contextls: Pin to Context")
    file = workspace / EDITED
    file.write_text(file.read_text("utf-8").replace(GOOD, BAD, 1), "utf-8")
    terminal = Terminal(window)
    terminal.type(FAILING)
    terminal.wait_for("short test summary", timeout=COMMAND_MS)


def _panel(window: Window, picture: Path) -> None:
    window.run("contextls: Show Context Panel", timeout=READY_MS)
    _widen_side_bar(window)
    panel = window.webview("textarea")
    panel.locator("textarea").first.fill(QUESTION)
    panel.locator("textarea").first.press("Enter")
    panel.get_by_text("Relevant Content").first.wait_for(timeout=READY_MS)
    activity = window.page.locator(".pane-header").filter(has_text="Activity").first
    activity.click()  # room for the pieces
    window.page.mouse.move(WIDTH - 10, HEIGHT // 3)
    window.page.wait_for_timeout(1_500)  # the bar moves to its new widths
    window.screenshot(picture)
    activity.click()


def _activity(window: Window, picture: Path) -> None:
    header = window.page.locator(".pane-header").filter(has_text="Context")
    header.first.click()  # room for the tree
    window.view("Activity").locator(".monaco-list-row").first.wait_for()
    window.page.mouse.move(WIDTH - 10, HEIGHT // 3)
    window.page.wait_for_timeout(1_000)
    window.screenshot(picture)
    header.first.click()


def _status(window: Window, picture: Path) -> None:
    item = window.status_item("tokens")
    item.hover()
    window.page.locator(".monaco-hover").last.wait_for()
    window.page.wait_for_timeout(500)
    width, height = 620, 330
    clip: FloatRect = {"x": WIDTH - width, "y": HEIGHT - height, "width": width, "height": height}
    window.page.screenshot(path=picture, clip=clip)
    window.page.mouse.move(WIDTH // 2, HEIGHT // 3)


def _chat(window: Window, picture: Path) -> None:
    window.run("View: Close Primary Side Bar")
    answer = Chat(window).ask(f"#context {QUESTION}")
    answer.get_by_text("This is where to look").wait_for(timeout=ANSWER_MS)
    window.page.wait_for_timeout(1_000)
    window.screenshot(picture)


def _widen_side_bar(window: Window) -> None:
    edge = window.page.locator(".part.sidebar").bounding_box()
    assert edge is not None
    x, y = edge["x"] + edge["width"], edge["y"] + 200
    window.page.mouse.move(x, y)
    window.page.mouse.down()
    window.page.mouse.move(x + 90, y, steps=5)
    window.page.mouse.up()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "docs" / "images")
