"""Answers commands (``contextls assemble``, ``contextls search``) for a workspace that is open, as they would themselves."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from contextls.asking import answer_key, decode_question, encode_answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contextls.engine import Engine
    from contextls.live.workspace import Workspace
    from contextls.model import IndexReport
    from contextls.settings import Settings


async def answer_command(
    workspace: Workspace, settings: Settings, header: Mapping[str, Any], given: bytes
) -> dict[str, Any] | None:
    """The answer to one question; ``None`` where the command had better answer itself.

    That is so where the settings differ, an editor holds unsaved text, or the index is being built. What is wrong with a
    question the command says itself, too: whatever is raised here means the same.
    """
    if header.get("as") != answer_key(settings):
        return None
    question = decode_question(header.get("asks"), given)
    if workspace.runs or not await workspace.is_built():
        return None
    refreshed = await _refresh(workspace) if header.get("index") else None

    def answer(engine: Engine) -> dict[str, Any] | None:
        if workspace.overlays.differ_from_disk():
            return None
        return encode_answer(question.answer(engine, settings), refreshed)

    return await workspace.ask(answer)


async def _refresh(workspace: Workspace) -> IndexReport | None:
    """Bring the index up to date, as a command does before its question; the report, if anything was new.

    A change that was made just now may not have been noticed yet.
    """
    report = await workspace.index(lambda engine, stop: engine.index(cancel=stop), threading.Event())
    return report if report.changed or report.removed else None
