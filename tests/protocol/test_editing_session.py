"""The main job through a standard LSP client: open, edit, ask, save, ask; rename and delete."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from .conftest import build_workspace
from .wire import Json

pytestmark = pytest.mark.asyncio(loop_scope="module")
Kind = types.FileChangeType


@dataclass
class Session:
    """A client, its workspace and what the server registered with it."""

    client: LanguageClient
    root: Path
    registered: list[types.Registration] = field(default_factory=list)

    async def request(self, method: str, **params: Json) -> Json:
        answer = self.client.protocol.send_request_async(method, params)  # type: ignore[no-untyped-call]
        return await answer

    async def ask(self, query: str) -> str:
        content: str = (await self.request("context/assemble", query=query, maxTokens=2000)).content
        return content

    async def events(self) -> int:
        count: int = (await self.request("context/status")).events
        return count

    async def until(self, query: str, text: str, *, present: bool = True) -> str:
        """Ask until the prompt has, or has no more, this text."""
        deadline = time.monotonic() + 60
        while (text in (content := await self.ask(query))) is not present:
            assert time.monotonic() < deadline, f"{text!r} present is not {present}"
            await asyncio.sleep(0.05)
        return content

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def open(self, path: Path) -> None:
        item = types.TextDocumentItem(path.as_uri(), "python", 1, path.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def insert(self, path: Path, line: int, text: str, version: int = 2) -> None:
        at = types.Position(line, 0)
        change = types.TextDocumentContentChangePartial(range=types.Range(at, at), text=text)
        document = types.VersionedTextDocumentIdentifier(uri=path.as_uri(), version=version)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def save(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    def close(self, path: Path) -> None:
        document = types.TextDocumentIdentifier(path.as_uri())
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def watched(self, *changes: tuple[str, types.FileChangeType]) -> None:
        events = [types.FileEvent((self.root / name).as_uri(), kind) for name, kind in changes]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def session(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Session]:
    client = make_test_lsp_client()
    session = Session(client, build_workspace(tmp_path_factory.mktemp("shop")))

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: types.RegistrationParams) -> None:
        session.registered.extend(params.registrations)

    await client.start_io(sys.executable, "-m", "contextls.lsp")
    await client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            workspace_folders=[types.WorkspaceFolder(uri=session.root.as_uri(), name="shop")],
        )
    )
    deadline = time.monotonic() + 60
    while (await session.request("context/status")).state != "ready":
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)
    yield session
    await client.shutdown_session()
    await client.stop()  # type: ignore[no-untyped-call]


async def test_the_client_is_asked_to_watch(session: Session) -> None:
    assert [each.method for each in session.registered] == ["workspace/didChangeWatchedFiles"]


async def test_open_edit_ask_save_ask(session: Session) -> None:
    path = session.root / "shop/cart.py"
    assert "def discount_for(total: float)" in await session.ask("how is the discount computed?")

    session.open(path)
    bonus = "def loyalty_bonus(years: int) -> int:\n    return years * 3\n\n\n"
    session.insert(path, 12, bonus)
    assert "return years * 3" in await session.ask("loyalty bonus for years")
    assert "loyalty_bonus" not in path.read_text()

    session.insert(path, 14, "# the bonus is capped nowhere\n", version=3)
    assert "capped nowhere" in await session.ask("loyalty bonus for years")

    lines = path.read_text().splitlines(keepends=True)
    lines[12:12] = [bonus]
    path.write_text("".join(lines))
    session.save(path)
    session.close(path)
    saved = await session.ask("loyalty bonus for years")
    assert "return years * 3" in saved
    assert "capped nowhere" not in saved
    await session.until("loyalty bonus for years", "Edited: `shop/cart.py` — added `loyalty_bonus`")


async def test_closing_without_saving_forgets_the_edit(session: Session) -> None:
    path = session.write("shop/animals.py", "def feed(animal):\n    return animal\n")
    session.open(path)
    session.insert(path, 0, "zebra_crossing = 1\n")
    assert "zebra_crossing" in await session.ask("zebra crossing")
    session.close(path)
    assert "zebra_crossing" not in await session.ask("zebra crossing")


async def test_watched_changes_renames_and_deletes(session: Session) -> None:
    new = session.write(
        "shop/parcel.py", "def parcel_weight(items):\n    return sum(item.grams for item in items)\n"
    )
    session.watched(("shop/parcel.py", Kind.Created))
    content = await session.until("parcel weight in grams", "item.grams")
    assert "Wrote: `shop/parcel.py`" in content

    new.rename(session.root / "shop/shipment.py")
    session.watched(("shop/parcel.py", Kind.Deleted), ("shop/shipment.py", Kind.Created))
    content = await session.until("parcel weight in grams", "### `shop/shipment.py")
    assert "### `shop/parcel.py" not in content

    (session.root / "shop/shipment.py").unlink()
    session.watched(("shop/shipment.py", Kind.Deleted))
    await session.until("parcel weight in grams", "item.grams", present=False)


async def test_folders_are_reported_by_their_names_alone(session: Session) -> None:
    path = session.write("depot/shelf.py", "def shelf_height():\n    return 'four metres of shelf'\n")
    session.watched(("depot", Kind.Created))
    await session.until("shelf height", "four metres of shelf")

    path.unlink()
    path.parent.rmdir()
    session.watched(("depot", Kind.Deleted))
    await session.until("shelf height", "four metres of shelf", present=False)


async def test_a_save_is_one_event_although_it_is_reported_twice(session: Session) -> None:
    path = session.write("shop/twice.py", "TWICE = 2\n")
    session.open(path)
    await session.until("twice", "Read: `shop/twice.py`")
    before = await session.events()
    path.write_text("TWICE = 2  # saved once\n")
    session.save(path)
    session.watched(("shop/twice.py", Kind.Changed))
    await session.until("twice", "Wrote: `shop/twice.py`")
    answer = await session.request("context/recordEvent", type="note", content={"text": "behind all writes"})
    assert answer.id
    assert await session.events() == before + 2


async def test_a_checkout_is_one_event(session: Session) -> None:
    before = await session.events()
    names = [f"many/file_{number}.py" for number in range(60)]
    for name in names:
        session.write(name, f"{name[5:-3].upper()} = 'checked out'\n")
    session.watched(*((name, Kind.Created) for name in names))
    await session.until("FILE_42 checked out", "FILE_42 = 'checked out'")
    assert await session.events() == before + 1


@pytest.mark.parametrize("name", ["private/notes.py", ".env"])
async def test_ignored_files_stay_out_even_when_open(session: Session, name: str) -> None:
    before = await session.events()
    path = session.write(name, "THE_IGNORED_WORD = 'sesame'\n")
    session.open(path)
    session.insert(path, 0, "# THE_IGNORED_WORD again\n")
    session.save(path)
    session.watched((name, Kind.Changed))
    answer = await session.request("context/recordEvent", type="file_write", content={"path": name})
    assert answer.id is None
    assert answer.reason == "ignored"
    content = await session.ask("THE_IGNORED_WORD sesame")
    assert "THE_IGNORED_WORD" not in content
    assert name not in content
    assert await session.events() == before
