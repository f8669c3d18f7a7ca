"""What tells, at next to no cost, that a memory is no longer what it was, whichever process changed it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from contextls.errors import StoreError
from contextls.memory.memories import Memories


def generations(memories: Memories) -> Mapping[str, Hashable]:
    """For each memory that people look at, a value that differs once it has changed.

    A memory that cannot be read right now is left out. The names are those of ``context/didChangeMemory``.
    """
    asked: Mapping[str, Callable[[], Hashable]] = {
        "index": memories.content.generation,
        "events": memories.events.generation,
        "tasks": memories.tasks.generation,
        "workingSet": memories.working_set.generation,
        "patterns": lambda: (memories.patterns.generation(), memories.feedback.generation()),
    }
    found: dict[str, Hashable] = {}
    for name, ask in asked.items():
        try:
            found[name] = ask()
        except StoreError:
            continue
    return found
