"""Prints the working set: aligned on a terminal, with tabs in a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from contextls.cli.output import emit, emit_json, emit_text, note
from contextls.model import Updater

if TYPE_CHECKING:
    from contextls.model import AppliedUpdate, ExcludedFile, PinnedFile, WorkingSetView


def print_working_set(view: WorkingSetView, *, as_json: bool) -> None:
    """Print what is pinned and excluded, one entry a line, or all of ``view`` as JSON; warnings go to standard error."""
    for warning in view.warnings:
        note(warning)
    if as_json:
        emit_json(view)
        return
    for pinned in view.files:
        _print_entry("pinned", pinned, f"{pinned.priority:g}", _describe(pinned))
    for excluded in view.excluded:
        _print_entry(
            "excluded", excluded, "", f"from {excluded.included_from}" if excluded.included_from else ""
        )


def _print_entry(word: str, entry: PinnedFile | ExcludedFile, priority: str, details: str) -> None:
    """Print word, priority, target and details."""
    if sys.stdout.isatty():
        emit_text(f"{word:<9}{priority:<5} {entry.target}{f'  ({details})' if details else ''}")
    else:
        emit("\t".join((word, priority, entry.target, details)))


def print_update(update: AppliedUpdate) -> None:
    """Print a line for each step of an update: its id, by which it is undone, what was done, and why."""
    for step in update.steps:
        if sys.stdout.isatty():
            emit_text(f"{update.id:<14} {step.action} {step.target}  ({step.why})")
        else:
            emit("\t".join((update.id, step.action, step.target, step.why)))


def _describe(pinned: PinnedFile) -> str:
    limit = f"at most {pinned.max_lines} lines" if pinned.max_lines else ""
    origin = f"from {pinned.included_from}" if pinned.included_from else ""
    by = (
        f"by a {pinned.by}{f': {pinned.why}' if pinned.why else ''}"
        if pinned.by is not Updater.PERSON
        else ""
    )
    details = (pinned.problem, pinned.role, pinned.truncate_strategy, limit, origin, by)
    return ", ".join(filter(None, details))
