"""The options of ``contextls assemble`` that describe a turn of a conversation, and where they have no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from contextls.cli.arguments import read_whole
from contextls.cli.history_file import read_history
from contextls.cli.output import warn
from contextls.model import AgentRole, InjectionFormat, InjectionPosition, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from contextls.model import GivenMessage, TurnOptions

_BUFFER_BYTES = 16_000_000
# Options that count in some shapes only, and the field of a request that each fills.
_FIELDS = {
    "--role": "role",
    "--task": "worker_task",
    "--inject": "injection",
    "--format": "injection",
    "--buffer": "buffer",
    "--dependencies": "dependencies",
}


def read_turn(
    shape: Shape,
    *,
    history: Path | None,
    conversation: str | None,
    model: str | None,
    role: AgentRole,
    task: str | None,
    inject: InjectionPosition | None,
    inject_format: InjectionFormat,
    buffer: Path | None,
) -> TurnOptions | None:
    """The turn that the options describe, its files read; ``None`` for a prompt that stands alone."""
    if shape is Shape.MARKDOWN and all(each is None for each in (history, conversation, model)):
        return None
    from contextls.model import Injection, TurnOptions

    return TurnOptions(
        shape=shape,
        history=_read_history(history, conversation),
        conversation_id=conversation,
        model=model,
        role=role,
        worker_task=task,
        injection=Injection(position=inject, format=inject_format),
        buffer=_read_buffer(buffer) if buffer is not None and shape is Shape.DOCUMENT else "",
    )


def warn_of_unused(given: Sequence[str], shape: Shape) -> None:
    """Warn, as the server does, of options that have no effect in the shape."""
    if not given:
        return
    from contextls.requests.turn import SHAPES_OF

    for option in given:
        shapes = [
            each
            for each in Shape
            if (each is not Shape.MARKDOWN if option == "--trust" else each in SHAPES_OF[_FIELDS[option]])
        ]
        if shape not in shapes:
            *others, last = shapes
            useful = f"{', '.join(others)} or {last}" if others else last
            warn(f"{option} has no effect in the shape {shape}, only with --shape {useful}")


def _read_history(file: Path | None, conversation: str | None) -> tuple[GivenMessage, ...]:
    if file is None:
        return ()
    if conversation is not None:
        raise typer.BadParameter("either this or --conversation", param_hint="--history")
    return read_history(file)


def _read_buffer(file: Path) -> str:
    return read_whole(file, "--buffer", _BUFFER_BYTES).decode("utf-8", "replace")
