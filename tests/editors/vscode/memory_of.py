"""The memory of a workspace, read from the disk and not from the editor's server."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contextls.engine import Engine
from contextls.model import Author, NewNode
from contextls.wire import to_wire

WAIT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory of ``root``."""

    root: Path

    def events(self, kind: str = "", text: str = "") -> list[dict[str, Any]]:
        """Newest first: those of this type (of all when empty) whose content holds ``text``."""
        with self._opened() as engine:
            found: list[dict[str, Any]] = [to_wire(event) for event in engine.events(500)]
        return [
            event
            for event in found
            if kind in ("", event["type"]) and text in json.dumps(event["content"], ensure_ascii=False)
        ]

    def forget(self) -> None:
        """Delete all events, conversations and tasks."""
        with self._opened() as engine:
            engine.clear(index=False, events=True, conversations=True)
            engine.tasks.wipe()

    def say(self, text: str) -> None:
        """Begin a conversation with ``text``."""
        with self._opened() as engine:
            name = engine.conversations.create(text).id
            engine.conversations.append(name, NewNode(Author.HUMAN, text))

    def said(self) -> list[str]:
        """What stands in all conversations."""
        with self._opened() as engine:
            chats = engine.conversations
            return [node.content for chat in chats.list() for node in chats.tree(chat.id)]

    def wait_for(self, kind: str, text: str = "") -> dict[str, Any]:
        """The newest such event, once there is one."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            found = self.events(kind, text)
            if found:
                return found[0]
            time.sleep(0.3)
        raise AssertionError(f"no {kind} with '{text}'; there are: {self.events()}")

    @contextmanager
    def _opened(self) -> Iterator[Engine]:
        engine = Engine.open(self.root)
        try:
            yield engine
        finally:
            engine.close()
