"""What a user does in the editor and in a terminal becomes events. What time does to them is tested in ``tests/live``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .conftest import build_workspace, visit
from .wire import Wire

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
FLOOD = 3_000  # events, more than a server takes in within a second


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

    def text(self, name: str) -> str:
        return (self.root / name).read_text()


@pytest.fixture(scope="module")
def servers() -> Iterator[Callable[..., Wire]]:
    """A server without a folder for each set of options, which tests use one after the other."""
    started: dict[frozenset[tuple[str, Any]], Wire] = {}

    def server(**options: Any) -> Wire:  # noqa: ANN401 - settings of any type
        asked = frozenset(options.items())
        if asked not in started:
            started[asked] = Wire()
            started[asked].initialize(options=options)
        return started[asked]

    yield server
    ended = [wire.end() for wire in started.values()]
    for wire in started.values():
        wire.kill()
    assert set(ended) == {0}


@pytest.fixture
def sitting(servers: Callable[..., Wire], tmp_path: Path) -> Iterator[Callable[..., Sitting]]:
    """Begin a sitting; by default a file is read after a blink and an edit is told when saved or left."""
    with ExitStack() as visits:

        def begin(**options: Any) -> Sitting:  # noqa: ANN401 - settings of any type
            root = build_workspace(tmp_path / "shop project")
            wire = servers(**{"readSeconds": 0.05, "editSeconds": 60.0, "watch": False, **options})
            visits.enter_context(visit(wire, root))
            return Sitting(wire, root)

        yield begin


def test_an_edit_is_told_by_symbol_when_the_file_is_saved(sitting: Callable[..., Sitting]) -> None:
    shop = sitting()
    uri = shop.wire.open("shop/cart.py")
    shop.until("file_read")
    edited = shop.text("shop/cart.py").replace("total * 0.05", "total * 0.07\n    # more")
    for end in range(len(edited) - 40, len(edited) + 1):  # keystroke by keystroke
        shop.replace(uri, edited[:end])
    assert shop.events("file_edit") == []
    (shop.root / "shop/cart.py").write_text(edited)
    shop.wire.save(uri)
    shop.until("file_write")
    (edit,) = shop.events("file_edit")
    assert edit["summary"] == "edited `discount_for` (+2 −1)"
    assert (edit["path"], edit["symbols"]) == ("shop/cart.py", ["discount_for"])
    assert [event["type"] for event in shop.events()] == ["file_read", "file_edit", "file_write"]


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
    while not (answer := shop.wire.assemble("discount of a large order"))["report"]["indexComplete"]:
        pass
    assert "shop/basket.py" in answer["content"]


def diagnostic(message: str, line: int = 0, severity: int = 1) -> dict[str, Any]:
    at = {"line": line, "character": 0}
    return {"range": {"start": at, "end": at}, "message": message, "severity": severity, "source": "pyright"}


def test_problems_and_focus_reach_the_events(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(editSeconds=0.05)
    uri = shop.wire.open("shop/cart.py")
    diagnostics = [diagnostic("old error", line=4), diagnostic("a hint", severity=4)]
    shop.wire.notify("context/didChangeDiagnostics", {"uri": uri, "diagnostics": diagnostics})
    (error,) = shop.until("diagnostic")
    assert error == {
        "type": "diagnostic",
        "path": "shop/cart.py",
        "message": "old error",
        "line": 5,
        "source": "pyright",
        "severity": "error",
        "state": "appeared",
    }
    shop.wire.notify("context/didFocus", {"uri": shop.wire.uri("README.md")})
    assert [event["path"] for event in shop.until("file_focus")] == ["README.md"]


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
        "test": "tests/test_cart.py::test_discount",
        "source": "pytest",
        "command": "pytest -q",
    }
    assert "tests/test_cart.py:5" in shop.wire.assemble("why does the test fail?")["content"]


def test_nothing_of_an_ignored_file_is_recorded(sitting: Callable[..., Sitting]) -> None:
    shop = sitting(editSeconds=0.05)
    uri = shop.wire.open("private/notes.py")
    shop.replace(uri, "def secret_plan():\n    pass\n")
    shop.wire.save(uri)
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


def test_a_flood_of_events_blocks_no_question(sitting: Callable[..., Sitting]) -> None:
    shop = sitting()
    shop.wire.assemble("discount")
    began = time.monotonic()
    ids = [
        shop.wire.send("context/recordEvent", {"type": "note", "content": {"text": f"number {number}"}})
        for number in range(FLOOD)
    ]
    asked = time.monotonic()
    assert "discount_for" in shop.wire.assemble("how is the discount computed?")["content"]
    assert time.monotonic() - asked < 30
    shop.wire.answer(ids[-1])
    assert time.monotonic() - began < 60
    assert shop.wire.request("context/status")["events"] == FLOOD
