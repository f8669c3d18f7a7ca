"""What a user does in the editor, in git and in a terminal becomes events that say what happened, each once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..repositories import git
from .conftest import build_workspace
from .wire import Wire

Start = Callable[..., Wire]
Event = dict[str, Any]

PYTEST = """\
________________________________ test_discount _________________________________
tests/test_cart.py:5: in test_discount
    assert discount_for(90) == 5
E   assert 0.0 == 5
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_discount - assert 0.0 == 5
"""
TEST = "from shop.cart import discount_for\n\n\ndef test_discount():\n    assert discount_for(90) == 5\n"


class Sitting:
    """A server on a workspace, and what it has recorded."""

    def __init__(self, wire: Wire, root: Path) -> None:
        self.wire = wire
        self.root = root

    def events(self, kind: str = "") -> list[Event]:
        """What was recorded, oldest first; asked as any user can, from the command line."""
        from contextls.engine import Engine
        from contextls.model import Filters

        engine = Engine.open(self.root)
        try:
            found = engine.events(1000, Filters(event_types=(kind,) if kind else None))
        finally:
            engine.close()
        return [{"type": event.type, **event.content} for event in reversed(found)]

    def fence(self) -> None:
        """Wait until everything that is queued was recorded."""
        self.wire.request("context/recordEvent", {"type": "fence", "content": {}})

    def until(self, kind: str, count: int = 1) -> list[Event]:
        """Wait for so many events of a type; all of that type."""
        deadline = time.monotonic() + 60
        while len(found := self.events(kind)) < count:
            assert time.monotonic() < deadline, (kind, self.events())
            time.sleep(0.05)
        return found

    def replace(self, uri: str, text: str) -> None:
        self.wire.change(uri, {"text": text})

    def save(self, uri: str) -> None:
        self.wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def text(self, name: str) -> str:
        return (self.root / name).read_text()


@pytest.fixture
def sitting(start: Start, tmp_path: Path) -> Callable[..., Sitting]:
    """Begin a sitting; by default a file is read after a blink and an edit is told when saved or left."""

    def begin(**options: Any) -> Sitting:  # noqa: ANN401 - settings of any type
        root = build_workspace(tmp_path / "shop project")
        wire = start()
        wire.initialize(root, options={"readSeconds": 0.05, "editSeconds": 60.0, "watch": False, **options})
        wire.ready()
        return Sitting(wire, root)

    return begin


def test_an_edit_is_told_by_symbol_when_the_file_is_saved(sitting: Callable[..., Sitting]) -> None:
    shop = sitting()
    uri = shop.wire.open("shop/cart.py")
    shop.until("file_read")
    edited = shop.text("shop/cart.py").replace("total * 0.05", "total * 0.07\n    # more")
    for end in range(len(edited) - 40, len(edited) + 1):  # keystroke by keystroke
        shop.replace(uri, edited[:end])
    assert shop.events("file_edit") == []
    (shop.root / "shop/cart.py").write_text(edited)
    shop.save(uri)
    shop.until("file_write")
    (edit,) = shop.events("file_edit")
    assert edit["summary"] == "edited `discount_for` (+2 −1)"
    assert (edit["path"], edit["symbols"]) == ("shop/cart.py", ["discount_for"])
    assert [event["type"] for event in shop.events()] == ["file_read", "file_edit", "file_write"]


def test_an_edit_is_told_once_the_file_is_left_alone(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(editSeconds=0.2)
    uri = shop.wire.open("shop/cart.py")
    shop.replace(uri, shop.text("shop/cart.py") + "\n\ndef refund():\n    pass\n")
    (edit,) = shop.until("file_edit")
    assert edit["summary"] == "added `refund` (+4 −0)"


def test_an_edit_that_is_closed_without_saving_is_taken_back(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(editSeconds=0.2)
    uri = shop.wire.open("shop/cart.py")
    shop.replace(uri, shop.text("shop/cart.py") + "\n\ndef refund():\n    pass\n")
    shop.until("file_edit")
    shop.close(uri)
    edits = shop.until("file_edit", 2)
    assert [edit["summary"] for edit in edits] == ["added `refund` (+4 −0)", "removed `refund` (+0 −4)"]


def test_text_that_a_checkout_replaced_was_edited_by_nobody(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(editSeconds=0.1)
    uri = shop.wire.open("shop/cart.py")
    (shop.root / "shop/cart.py").write_text("CHECKED_OUT = 1\n")
    shop.replace(uri, "CHECKED_OUT = 1\n")
    time.sleep(0.4)
    shop.fence()
    assert shop.events("file_edit") == []


def test_a_file_that_is_left_at_once_was_not_read(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(readSeconds=2.0)
    passed = shop.wire.open("shop/cart.py")
    shop.wire.open("shop/invoice.py")
    shop.close(passed)
    # The time of what came first would be over before that of what came later.
    assert [event["path"] for event in shop.until("file_read")] == ["shop/invoice.py"]
    shop.fence()
    assert [event["path"] for event in shop.events("file_read")] == ["shop/invoice.py"]


def test_going_back_to_an_open_file_is_focus(sitting: Callable[..., Sitting]) -> None:
    shop = sitting()
    for name in ("shop/cart.py", "shop/invoice.py"):
        shop.wire.open(name)
        shop.wire.request(
            "context/assemble", {"query": "total", "textDocument": {"uri": shop.wire.uri(name)}}
        )
    shop.until("file_read", 2)
    for _ in range(3):
        for name in ("README.md", "shop/cart.py"):
            shop.wire.notify("context/didFocus", {"uri": shop.wire.uri(name)})
            time.sleep(0.15)
    shop.fence()
    assert [event["path"] for event in shop.events("file_focus")] == ["README.md"]


def test_a_rename_in_the_editor_is_one_event(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(watch=True)
    old, new = shop.root / "shop/cart.py", shop.root / "shop/basket.py"
    old.rename(new)
    shop.wire.notify(
        "workspace/didRenameFiles", {"files": [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]}
    )
    changes = [{"uri": old.as_uri(), "type": 3}, {"uri": new.as_uri(), "type": 1}]
    shop.wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    shop.until("file_rename")
    shop.fence()
    events = [event for event in shop.events() if event["type"].startswith("file")]
    assert events == [{"type": "file_rename", "path": "shop/basket.py", "from": "shop/cart.py"}]
    assert "shop/basket.py" in shop.wire.assemble("discount of a large order")["content"]


def test_a_rename_outside_of_the_editor_is_recognised(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(watch=True)
    old, new = shop.root / "shop/cart.py", shop.root / "shop/basket.py"
    old.rename(new)
    changes = [{"uri": old.as_uri(), "type": 3}, {"uri": new.as_uri(), "type": 1}]
    shop.wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    (event,) = shop.until("file_rename")
    assert (event["path"], event["from"]) == ("shop/basket.py", "shop/cart.py")
    shop.fence()
    assert shop.events("file_delete") == []


def test_a_deleted_file_is_told(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(watch=True)
    (shop.root / "shop/cart.py").unlink()
    uri = (shop.root / "shop/cart.py").as_uri()
    shop.wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
    assert [event["path"] for event in shop.until("file_delete")] == ["shop/cart.py"]


def test_what_came_and_went_without_being_known_is_no_loss(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(watch=True)
    changes = [
        {"uri": (shop.root / name).as_uri(), "type": 3} for name in ("shop/tmp-cache-1x9", "shop/cart.py")
    ]
    (shop.root / "shop/cart.py").unlink()
    shop.wire.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert [event["path"] for event in shop.until("file_delete")] == ["shop/cart.py"]
    shop.fence()
    assert [event["path"] for event in shop.events("file_delete")] == ["shop/cart.py"]


def test_saving_again_at_once_is_one_event(sitting: Callable[..., Sitting]) -> None:
    shop = sitting()
    uri = shop.wire.open("shop/cart.py")
    for number in range(5):
        (shop.root / "shop/cart.py").write_text(f"NUMBER = {number}\n" * (number + 1))
        shop.save(uri)
    shop.fence()
    assert len(shop.events("file_write")) == 1
    shop.close(uri)
    assert "NUMBER = 4" in shop.wire.assemble("NUMBER", maxTokens=2000)["content"]


def test_commits_and_checkouts_are_followed(start: Start, tmp_path: Path) -> None:
    root = build_workspace(tmp_path / "shop project")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Open the shop")
    wire = start()
    wire.initialize(root)
    wire.ready()
    shop = Sitting(wire, root)
    deadline = time.monotonic() + 60
    while not list(Path(wire.request("context/status")["stateLocation"]).glob("git-moves.json")):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    git(root, "checkout", "-q", "-b", "sale")
    (root / "shop/sale.py").write_text("SALE = True\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Sell")
    (event,) = shop.until("git_commit")
    assert (event["subject"], event["branch"], event["paths"]) == ("Sell", "sale", ["shop/sale.py"])
    (moved,) = shop.events("git_checkout")
    assert (moved["from"], moved["to"]) == ("main", "sale")


def diagnostic(message: str, line: int = 0, severity: int = 1) -> dict[str, Any]:
    at = {"line": line, "character": 0}
    return {"range": {"start": at, "end": at}, "message": message, "severity": severity, "source": "pyright"}


def test_problems_that_appear_and_go_are_told_once_they_hold_still(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(editSeconds=0.5)
    uri = shop.wire.open("shop/cart.py")

    def now(*diagnostics: dict[str, Any]) -> None:
        shop.wire.notify("context/didChangeDiagnostics", {"uri": uri, "diagnostics": list(diagnostics)})

    now(diagnostic("old error"), diagnostic("old warning", severity=2))
    shop.until("diagnostic")
    now(diagnostic("half typed"))
    now(
        diagnostic("old error", line=7),
        diagnostic("unused", line=2, severity=2),
        diagnostic("a hint", severity=4),
    )
    shop.until("diagnostic", 3)
    now()
    shop.until("diagnostic", 5)
    told = [(event["state"], event["message"], event["severity"]) for event in shop.events("diagnostic")]
    assert told == [
        ("appeared", "old error", "error"),
        ("gone", "old warning", "warning"),
        ("appeared", "unused", "warning"),
        ("gone", "old error", "error"),
        ("gone", "unused", "warning"),
    ]
    assert shop.events("diagnostic")[0]["path"] == "shop/cart.py"


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"diagnostics": []}, "uri"),
        ({"uri": "file:///a.py"}, "diagnostics"),
        ({"uri": "file:///a.py", "diagnostics": [{"message": "m"}]}, "diagnostics[0].range.start.line"),
        ({"uri": "file:///a.py", "diagnostics": [{"range": {}}]}, "diagnostics[0].message"),
        ({"uri": "file:///a.py", "diagnostics": [{"message": "m", "severity": "1"}]}, "diagnostics[0]"),
    ],
)
def test_odd_diagnostics_are_refused_by_name(server: Wire, params: dict[str, Any], field: str) -> None:
    from .wire import WireError

    with pytest.raises(WireError) as caught:
        server.request("context/didChangeDiagnostics", params)
    assert caught.value.code == -32602
    assert caught.value.data["field"].startswith(field)


def test_a_failed_test_run_becomes_an_error_with_its_line(sitting: Callable[..., Sitting]) -> None:
    shop = sitting()
    (shop.root / "tests").mkdir()
    (shop.root / "tests/test_cart.py").write_text(TEST)
    content = {"command": "pytest -q", "exitCode": 1, "stdout": PYTEST, "cwd": str(shop.root)}
    answer = shop.wire.request("context/recordEvent", {"type": "shell_exec", "content": content})
    assert answer["id"] == "event-1"
    (error,) = shop.events("error")
    assert error == {
        "type": "error",
        "path": "tests/test_cart.py",
        "line": 5,
        "message": "assert 0.0 == 5",
        "test": "test_discount",
        "source": "pytest",
        "command": "pytest -q",
    }
    assert "tests/test_cart.py:5" in shop.wire.assemble("why does the test fail?")["content"]


def test_nothing_of_an_ignored_file_is_recorded(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(editSeconds=0.05)
    uri = shop.wire.open("private/notes.py")
    shop.replace(uri, "def secret_plan():\n    pass\n")
    shop.save(uri)
    diagnostics = [diagnostic("secret_plan is not defined")]
    shop.wire.notify("context/didChangeDiagnostics", {"uri": uri, "diagnostics": diagnostics})
    shop.wire.notify("context/didFocus", {"uri": uri})
    old, new = (shop.root / name for name in ("private/notes.py", "private/other.py"))
    old.rename(new)
    files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
    shop.wire.notify("workspace/didRenameFiles", {"files": files})
    trace = f"{shop.root}/private/notes.py:1:1: error: secret_plan\n"
    content = {"command": "make", "exitCode": 1, "stdout": trace}
    shop.wire.request("context/recordEvent", {"type": "shell_exec", "content": content})
    time.sleep(0.3)
    shop.fence()
    assert [event["type"] for event in shop.events()] == ["shell_exec", "fence"]


@pytest.mark.parametrize(
    ("options", "recorded"),
    [
        ({"memoryPaused": True}, []),
        ({"record": ["git_*", "file_w*"]}, ["file_write"]),
        ({"record": ["*"], "unrecorded": ["shell_exec", "file_[!w]*"]}, ["file_write"]),
    ],
)
def test_recording_can_be_paused_or_narrowed(
    sitting: Callable[..., Sitting], options: dict[str, Any], recorded: list[str]
) -> None:
    shop = sitting(**options)
    uri = shop.wire.open("shop/cart.py")
    shop.replace(uri, "CHANGED = 1\n")
    (shop.root / "shop/cart.py").write_text("CHANGED = 1\n")
    shop.save(uri)
    content = {"command": "make", "exitCode": 0}
    answer = shop.wire.request("context/recordEvent", {"type": "shell_exec", "content": content})
    assert answer == {"id": None, "reason": "switched off"}
    assert [event["type"] for event in shop.events()] == recorded
    assert "CHANGED = 1" in shop.wire.assemble("CHANGED")["content"]


def test_a_flood_of_events_blocks_no_question(sitting: Callable[..., Sitting]) -> None:
    shop = sitting()
    shop.wire.assemble("discount")
    began = time.monotonic()
    ids = [
        shop.wire.send("context/recordEvent", {"type": "note", "content": {"text": f"number {number}"}})
        for number in range(10_000)
    ]
    asked = time.monotonic()
    assert "discount_for" in shop.wire.assemble("how is the discount computed?")["content"]
    assert time.monotonic() - asked < 30
    shop.wire.answer(ids[-1])
    assert time.monotonic() - began < 60
    assert shop.wire.request("context/status")["events"] == 10_000
