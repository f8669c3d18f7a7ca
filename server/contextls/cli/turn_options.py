"""The options of ``contextls assemble`` that describe a turn of a conversation, and where they have no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from contextls.cli.arguments import read_whole
from contextls.cli.output import warn
from contextls.errors import InvalidRequestError
from contextls.model import AgentRole, InjectionFormat, InjectionPosition, Shape
from contextls.standalone import read_messages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from contextls.model import GivenMessage, TurnOptions

_BUFFER_BYTES = 16_000_000
_HISTORY_BYTES = 64_000_000
_HISTORY = "--history"
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
    """The messages of a file: a list in JSON as OpenAI has it, or an object with ``messages``.

    Messages of the role ``system`` are left out: the system layer is made again. Raises ``InvalidRequestError``.
    """
    if file is None:
        return ()
    if conversation is not None:
        raise typer.BadParameter("either this or --conversation", param_hint=_HISTORY)
    raw = read_whole(file, _HISTORY, _HISTORY_BYTES)
    try:
        return read_messages(raw.decode("utf-8", "replace"))
    except InvalidRequestError as error:
        place = error.field.removeprefix("messages").removeprefix("content")
        got = error.got if place else str(file)
        raise InvalidRequestError(f"{_HISTORY}{place}", error.expected, got) from None


def _read_buffer(file: Path) -> str:
    return read_whole(file, "--buffer", _BUFFER_BYTES).decode("utf-8", "replace")
