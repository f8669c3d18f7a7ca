"""A user edits: open, type, ask, save, ask; rename and delete; with a client that watches files for the server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import build_workspace
from .wire import Json, Wire

CREATED, CHANGED, DELETED = 1, 2, 3
WATCHES = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}


@dataclass(frozen=True)
class Session:
    """A client and its workspace."""

    wire: Wire
    root: Path

    def request(self, method: str, **params: Json) -> Json:
        return self.wire.request(method, params)

    def ask(self, query: str) -> str:
        """What is found for a question, without the question."""
        content: str = self.wire.assemble(query, maxTokens=2000, taskLine=False)["content"]
        return content

    def events(self) -> int:
        count: int = self.request("context/status")["events"]
        return count

    def until(self, query: str, text: str, *, present: bool = True) -> str:
        """Ask until the prompt has, or has no more, this text."""
        deadline = time.monotonic() + 60
        while (text in (content := self.ask(query))) is not present:
            assert time.monotonic() < deadline, f"{text!r} present is not {present}"
            time.sleep(0.05)
        return content

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def open(self, path: Path) -> None:
        self.wire.open(path.relative_to(self.root).as_posix())

    def insert(self, path: Path, line: int, text: str, version: int = 2) -> None:
        at = {"line": line, "character": 0}
        self.wire.change(path.as_uri(), {"range": {"start": at, "end": at}, "text": text}, version=version)

    def save(self, path: Path) -> None:
        self.wire.save(path.as_uri())

    def close(self, path: Path) -> None:
        self.wire.close(path.as_uri())

    def watched(self, *changes: tuple[str, int]) -> None:
        events = [{"uri": self.wire.uri(name), "type": kind} for name, kind in changes]
        self.wire.notify("workspace/didChangeWatchedFiles", {"changes": events})


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    wire = Wire()
    root = build_workspace(tmp_path_factory.mktemp("shop"))
    wire.initialize(root, capabilities=WATCHES)
    wire.ready()
    yield Session(wire, root)
    assert wire.end() == 0
    wire.kill()


def test_the_client_is_asked_to_watch(session: Session) -> None:
    registered = session.wire.calls("client/registerCapability")
    assert [each["method"] for params in registered for each in params["registrations"]] == [
        "workspace/didChangeWatchedFiles"
    ]


def test_an_edit_is_in_answers_before_and_after_it_is_saved(session: Session) -> None:
    path = session.root / "shop/cart.py"
    assert "def discount_for(total: float)" in session.ask("how is the discount computed?")

    session.open(path)
    bonus = "def loyalty_bonus(years: int) -> int:\n    return years * 3\n\n\n"
    session.insert(path, 12, bonus)
    assert "return years * 3" in session.ask("loyalty bonus for years")
    assert "loyalty_bonus" not in path.read_text()

    session.insert(path, 14, "# the bonus is capped nowhere\n", version=3)
    assert "capped nowhere" in session.ask("loyalty bonus for years")

    lines = path.read_text().splitlines(keepends=True)
    lines[12:12] = [bonus]
    path.write_text("".join(lines))
    session.save(path)
    session.close(path)
    saved = session.ask("loyalty bonus for years")
    assert "return years * 3" in saved
    assert "capped nowhere" not in saved
    session.until("loyalty bonus for years", "Edited: `shop/cart.py` — added `loyalty_bonus`")


def test_closing_without_saving_forgets_the_edit(session: Session) -> None:
    path = session.write("shop/animals.py", "def feed(animal):\n    return animal\n")
    session.open(path)
    session.insert(path, 0, "zebra_crossing = 1\n")
    assert "zebra_crossing" in session.ask("zebra crossing")
    session.close(path)
    assert "zebra_crossing" not in session.ask("zebra crossing")


def test_a_dump_that_is_open_is_left_out_until_it_is_short(session: Session) -> None:
    wire = session.wire
    row = "INSERT INTO walruses VALUES (1, 'tusk');\n"
    uri = wire.open("shop/dump.sql", row * 100_000, language="sql")  # four megabytes: seconds of analysis
    assert "INSERT INTO walruses" not in wire.assemble("insert into walruses")["content"]
    wire.change(uri, {"text": row})
    assert "INSERT INTO walruses" in wire.assemble("insert into walruses")["content"]
    wire.close(uri)
    assert "INSERT INTO walruses" not in wire.assemble("insert into walruses")["content"]


def test_watched_changes_renames_and_deletes(session: Session) -> None:
    new = session.write(
        "shop/parcel.py", "def parcel_weight(items):\n    return sum(item.grams for item in items)\n"
    )
    session.watched(("shop/parcel.py", CREATED))
    content = session.until("parcel weight in grams", "item.grams")
    assert "Wrote: `shop/parcel.py`" in content

    new.rename(session.root / "shop/shipment.py")
    session.watched(("shop/parcel.py", DELETED), ("shop/shipment.py", CREATED))
    content = session.until("parcel weight in grams", "### `shop/shipment.py")
    assert "### `shop/parcel.py" not in content

    (session.root / "shop/shipment.py").unlink()
    session.watched(("shop/shipment.py", DELETED))
    session.until("parcel weight in grams", "item.grams", present=False)


def test_folders_are_reported_by_their_names_alone(session: Session) -> None:
    path = session.write("depot/shelf.py", "def shelf_height():\n    return 'four metres of shelf'\n")
    session.watched(("depot", CREATED))
    session.until("shelf height", "four metres of shelf")

    path.unlink()
    path.parent.rmdir()
    session.watched(("depot", DELETED))
    session.until("shelf height", "four metres of shelf", present=False)


def test_a_save_is_one_event_although_it_is_reported_twice(session: Session) -> None:
    path = session.write("shop/twice.py", "TWICE = 2\n")
    session.open(path)
    session.until("what was I doing?", "Read: `shop/twice.py`")
    before = session.events()
    path.write_text("TWICE = 2  # saved once\n")
    session.save(path)
    session.watched(("shop/twice.py", CHANGED))
    session.until("what was I doing?", "Wrote: `shop/twice.py`")
    answer = session.request("context/recordEvent", type="note", content={"text": "behind all writes"})
    assert answer["id"]
    assert session.events() == before + 2


def test_a_checkout_is_one_event(session: Session) -> None:
    before = session.events()
    names = [f"many/file_{number}.py" for number in range(60)]
    for name in names:
        session.write(name, f"{name[5:-3].upper()} = 'checked out'\n")
    session.watched(*((name, CREATED) for name in names))
    session.until("FILE_42 checked out", "FILE_42 = 'checked out'")
    assert session.events() == before + 1


@pytest.mark.parametrize("name", ["private/notes.py", ".env"])
def test_ignored_files_stay_out_even_when_open(session: Session, name: str) -> None:
    before = session.events()
    path = session.write(name, "THE_IGNORED_WORD = 'sesame'\n")
    session.open(path)
    session.insert(path, 0, "# THE_IGNORED_WORD again\n")
    session.save(path)
    session.watched((name, CHANGED))
    answer = session.request("context/recordEvent", type="file_write", content={"path": name})
    assert answer["id"] is None
    assert answer["reason"] == "ignored"
    content = session.ask("THE_IGNORED_WORD sesame")
    assert "THE_IGNORED_WORD" not in content
    assert name not in content
    assert session.events() == before
