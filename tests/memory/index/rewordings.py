"""Questions as an engine reads them."""

from __future__ import annotations

from contextls.engine import Engine
from contextls.memory.index.query.rewording import Rewording, reword
from contextls.memory.index.terms import TermSplitter
from contextls.memory.index.words.spelling import Dictionary


def read(engine: Engine, text: str) -> Rewording:
    """``text``, its unknown words read as those of the workspace."""
    snapshot = engine._memories.content.current()
    return reword(text, snapshot.view, lambda: Dictionary(snapshot.files), TermSplitter())
