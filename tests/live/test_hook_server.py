"""The socket of hooks: it is there once it answers, and who only half talks to it keeps nothing of the server."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from contextls.agents.sockets import ask_running, own_socket
from contextls.live import hook_server
from contextls.live.clock import SystemClock
from contextls.live.executors import Executors
from contextls.live.hook_server import HookServer
from contextls.live.workspaces import Workspaces
from contextls.workspace.state_folders import state_folders

SIZE = 20_000_000  # no socket holds so much


def ask_without_reading(path: Path, ended: threading.Event) -> int:
    """Send a message, and take the answer only once the server has ``ended`` with it; how much of it there is then."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(path))
        client.sendall(b"{}\n")
        client.shutdown(socket.SHUT_WR)
        ended.wait(10)
        total = 0
        while block := client.recv(1 << 20):
            total += len(block)
        return total


def test_who_takes_no_answer_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def serve() -> int:
        answering: asyncio.Queue[asyncio.Task[Any] | None] = asyncio.Queue()

        async def answer(*_: object) -> dict[str, Any]:
            await answering.put(asyncio.current_task())
            return {"answer": "x" * SIZE}

        monkeypatch.setattr(HookServer, "_answer", answer)
        server = HookServer(cast(Workspaces, ()), cast(Executors, None), SystemClock())
        serving = asyncio.create_task(server.run())
        while not path.exists():
            await asyncio.sleep(0.01)
        ended = threading.Event()
        asking = asyncio.create_task(asyncio.to_thread(ask_without_reading, path, ended))
        task = await answering.get()
        assert task is not None
        done, _ = await asyncio.wait({task}, timeout=5)
        ended.set()
        received = await asking
        serving.cancel()
        assert done
        return received

    path = tmp_path / "hooks"
    monkeypatch.setattr(hook_server, "own_socket", lambda: path)
    monkeypatch.setattr(hook_server, "_MS_TO_SEND", 200)
    assert asyncio.run(serve()) < SIZE


def own_places() -> list[Path]:
    """Everything in the folder of the sockets that belongs to this process."""
    return sorted(state_folders().sockets.glob(f"{os.getpid()}*"))


def test_a_hook_that_looks_while_a_process_begins_to_listen_is_answered_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def answer(*_: object) -> dict[str, Any]:
        return {"mine": True}

    async def serve() -> dict[str, Any] | None:
        listens = asyncio.Event()

        async def begin_while_a_hook_looks(*given: Any, **named: Any) -> asyncio.Server:  # noqa: ANN401 - passed on
            assert await asyncio.to_thread(ask_running, {}, b"") is None
            server = await begin(*given, **named)
            listens.set()
            return server

        begin = asyncio.start_unix_server
        monkeypatch.setattr(asyncio, "start_unix_server", begin_while_a_hook_looks)
        serving = asyncio.create_task(
            HookServer(cast(Workspaces, ()), cast(Executors, None), SystemClock()).run()
        )
        await listens.wait()
        answered = await asyncio.to_thread(ask_running, {}, b"")
        assert own_places() == [own_socket()]
        serving.cancel()
        await asyncio.wait({serving})
        return answered

    monkeypatch.setattr(HookServer, "_answer", answer)
    assert asyncio.run(serve()) == {"mine": True}
    assert own_places() == []
