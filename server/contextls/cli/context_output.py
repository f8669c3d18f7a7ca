"""Writes the context of ``contextls assemble``: as text, in figures, to the clipboard."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from contextls.cli.indexing import note_missing
from contextls.cli.output import count, emit_rich, note, warn
from contextls.model import Shape

if TYPE_CHECKING:
    from contextls.model import AssembledTurn, Context

_WIDEST = 120  # columns; a bar far from its name is hard to read


def copy_context(context: Context) -> None:
    """Put the prompt on the clipboard."""
    from contextls.cli.clipboard import copy

    note(f"copied {copy(write_context(context))}")


def explain_context(context: Context) -> None:
    """Show what is in the prompt and what is not."""
    from contextls.cli.explain import explain

    emit_rich(explain(context, _budget(context), min(shutil.get_terminal_size().columns, _WIDEST)))


def write_context(context: Context) -> str:
    """The prompt as text; messages each under a line with their role."""
    turn = _as_turn(context)
    if turn is None or turn.shape is not Shape.MESSAGES:
        return context.content
    messages = [("system", turn.system_prompt)] if turn.system_prompt else []
    messages += [(one.role.value, one.content) for one in (*turn.history, turn.current_message)]
    return "\n\n".join(f"[{role}]\n{content}" for role, content in messages)


def _as_turn(context: Context) -> AssembledTurn | None:
    """The context, where it is a turn of a conversation. Where it is none, the classes of those are not loaded."""
    from contextls.model import Context

    if type(context) is Context:
        return None
    from contextls.model import AssembledTurn

    return context if isinstance(context, AssembledTurn) else None


def _budget(context: Context) -> int:
    account = context.report.assembly
    return context.token_count if account is None else account.budget.max


def note_figures(context: Context) -> None:
    """Say on standard error what the prompt took, with all warnings."""
    for warning in context.report.warnings:
        warn(warning)
    if not context.report.index_complete:
        note_missing(context.report.index_extent)
    figures = context.metadata
    used, budget = context.token_count, _budget(context)
    if (turn := _as_turn(context)) is not None:
        used, budget = turn.token_budget.used.total, turn.token_budget.available
    note(
        f"{used:,} of {budget:,} tokens ({context.report.tokenizer}), "
        f"{count(figures.chunks_searched, 'chunk')} searched, confidence {context.confidence:.2f}, "
        f"{figures.assembly_time_ms:.0f} ms"
    )
