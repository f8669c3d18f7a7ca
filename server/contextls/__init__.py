"""contextls: turn a question about a workspace into the best prompt that fits a token budget.

``from contextls import Engine`` is the way in for Python programs; docs/library.md shows it. What this package offers is
loaded when it is asked for, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = [
    "AssembleRequest",
    "AsyncEngine",
    "Changes",
    "Context",
    "ContextlsError",
    "EditorPosition",
    "Engine",
    "Event",
    "EventType",
    "Filters",
    "NewEvent",
    "Outcome",
    "Piece",
    "PieceQuestion",
    "SearchResult",
    "Settings",
    "Shape",
    "__version__",
]

_HOMES = {
    "AsyncEngine": "engine.async_engine",
    "ContextlsError": "errors",
    "Engine": "engine",
    "Settings": "settings",
}  # everything else is of the model

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.engine.async_engine import AsyncEngine
    from contextls.errors import ContextlsError
    from contextls.model import (
        AssembleRequest,
        Changes,
        Context,
        EditorPosition,
        Event,
        EventType,
        Filters,
        NewEvent,
        Outcome,
        Piece,
        PieceQuestion,
        SearchResult,
        Shape,
    )
    from contextls.settings import Settings
else:

    def __getattr__(name: str) -> object:
        """Load what is offered under ``name``."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'model')}"), name)


def __dir__() -> list[str]:
    """List what is offered."""
    return sorted(__all__)
