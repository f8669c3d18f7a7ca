"""The socket of hooks: who only half talks to it keeps nothing of the server."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from contextls.live import hook_server
from contextls.live.clock import SystemClock
from contextls.live.executors import Executors
from contextls.live.hook_server import HookServer
from contextls.live.workspaces import Workspaces

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
