"""Sittings of users of Windows, under its rules: ``make windows`` sets up its Python under Wine and runs this.

It is no part of the other tests, which need no Wine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tools.windows.set_up import environment

from ..protocol.wire import Wire, span

FOLDER = Path(os.environ.get("CONTEXTLS_WINDOWS", ".windows")).resolve()
DISK = FOLDER / "wine" / "drive_c"
PYTHON = ("wine", str(FOLDER / "python" / "python.exe"))
SHOP = {
    "src/__init__.py": "",
    "src/cart.py": "TAX = 1.91\n\n\ndef total(prices):\n    return sum(prices) * TAX  # “größer”\n",
    "src/order.py": "from src.cart import total\n\n\ndef pay(prices):\n    return total(prices)\n",
    "tests/test_order.py": "from src.order import pay\n\n\ndef test_tax():\n    assert pay([100]) == 119\n",
    ".gitignore": ".venv/\n",
    ".venv/Scripts/pytest.exe": "MZ",
}


@pytest.fixture
def shop() -> Path:
    """A small workspace on the disk ``C:``, and nothing known of it."""
    shutil.rmtree(DISK / "home", ignore_errors=True)
    root = DISK / "shop project"
    shutil.rmtree(root, ignore_errors=True)
    for path, text in SHOP.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def variables() -> dict[str, str]:
    return {**environment(FOLDER), "CONTEXTLS_HOME": r"C:\home"}


def contextls(root: Path, *arguments: str, **more: str) -> str:
    """What a command in ``root`` prints; ``more`` are further variables."""
    done = subprocess.run(
        [*PYTHON, "-m", "contextls", *arguments],
        cwd=root,
        env={**variables(), **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    return (done.stdout + done.stderr).decode("utf-8")


@pytest.mark.usefixtures("shop")
def test_vs_code_asks_about_a_folder_on_a_drive() -> None:
    wire = Wire((*PYTHON, "-m", "contextls", "serve"), variables())
    folder = "file:///c%3A/shop%20project"
    cart = f"{folder}/src/cart.py"
    try:
        folders = [{"uri": folder, "name": "shop"}]
        wire.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": folders})
        wire.notify("initialized", {})
        text = SHOP["src/cart.py"] + "\n\ndef discount_of_friday():\n    return 5\n"
        document = {"uri": cart, "languageId": "python", "version": 1, "text": text}
        wire.notify("textDocument/didOpen", {"textDocument": document})
        wire.ready()
        assert "def discount_of_friday" in wire.assemble("where is discount_of_friday defined?")["content"]
        place: dict[str, Any] = {"textDocument": {"uri": cart}, "range": span((3, 0), (4, 0))}
        assert "def total" in wire.assemble("explain this function", **place)["content"]
        assert wire.end() == 0
    finally:
        wire.kill()


def test_a_failing_test_is_fixed_with_what_it_printed(shop: Path) -> None:
    assert "1 failed" in contextls(shop, "run", "--", "python", "-m", "pytest", "-q")
    prompt = contextls(shop, "assemble", "fix the failing test")
    assert "assert 191.0 == 119" in prompt
    assert "### `tests/test_order.py:1-5` `test_tax`" in prompt
    assert "def total" in prompt


def test_what_a_program_of_the_environment_printed_is_kept(shop: Path) -> None:
    (shop / "printed.txt").write_text("1 failed in the cart")
    command = ("--command", r".venv\Scripts\pytest tests", "--exit-code", "1", "--output-file", "printed.txt")
    contextls(shop, "record", "shell_exec", *command, "--root", ".")
    assert "1 failed in the cart" in contextls(shop, "assemble", "what failed?")


def test_a_damaged_event_log_is_put_right(shop: Path) -> None:
    contextls(shop, "record", "file_read", "--path", r"src\cart.py", "--root", ".")
    (log,) = (DISK / "home").rglob("events.sqlite")
    log.write_bytes(b"this is no database" * 500)
    said = contextls(shop, "record", "file_read", "--path", r"src\order.py", "--root", ".")
    assert "cannot be salvaged" not in said
    assert "src/order.py" in contextls(shop, "events")
    assert [place.name for place in log.parent.glob("*.damaged")] == ["events.sqlite.damaged"]


def test_any_text_is_printed(shop: Path) -> None:
    assert "“größer”" in contextls(shop, "assemble", "where is total defined?")


def test_programs_on_the_drive_of_python_are_found(shop: Path) -> None:
    tools = FOLDER / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "git.exe").write_bytes(b"MZ")
    where = f"Z:{tools}".replace("/", "\\")
    assert rf"{where}\git.exe" in contextls(Path("/"), "doctor", rf"C:\{shop.name}", WINEPATH=where)
