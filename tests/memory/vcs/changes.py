"""What tests of changes ask of an engine."""

from __future__ import annotations

from contextls.engine import Engine
from contextls.memory.vcs.asked_changes import AskedChanges
from contextls.memory.vcs.change_scope import read_scope


def asked(engine: Engine, scope: str) -> AskedChanges:
    """The changes that ``scope`` names, as a question reads them."""
    return engine._memories.changes(read_scope(engine.root, scope), engine._memories.current().outlines)


def edit(engine: Engine, path: str, old: str, new: str) -> None:
    """Write ``new`` for ``old`` in a file, as an editor does."""
    file = engine.root / path
    file.write_text(file.read_text().replace(old, new))
    engine.update_files([path])
