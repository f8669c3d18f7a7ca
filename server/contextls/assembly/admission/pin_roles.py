"""The roles of pins in a prompt: which of them may instruct a model."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.bodies import Line, PinnedSpan, ShownBefore
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.pinned import limit_lines
from contextls.assembly.request import TaggedRequest
from contextls.model import AssembleRequest, Role
from contextls.text.hidden import take_out_hidden


def settle_roles(
    pins: Sequence[Candidate], request: AssembleRequest
) -> tuple[tuple[Candidate, ...], list[str]]:
    """``pins`` with the roles that the prompt may give them, and notes on what was changed.

    A prompt without tags only names roles. In one with tags, pins of a folder that is not trusted are plain context; in a
    trusted one, pins of other roles lose the characters that nobody sees.
    """
    if not isinstance(request, TaggedRequest):
        return tuple(pins), []
    settled: list[Candidate] = []
    notes: list[str] = []
    for pin in pins:
        role = _role_of(pin)
        if role is Role.CONTEXT:
            settled.append(pin)
        elif request.preface.trusted:
            settled.append(_without_hidden(pin, notes))
        else:
            settled.append(without_role(pin))
            notes.append(f"pinned {pin.id}: as {role} text only in a trusted folder; it stands as context")
    return tuple(settled), notes


def without_role(pin: Candidate) -> Candidate:
    """``pin`` as plain context; a candidate that is no pin unchanged."""
    body = pin.body
    if isinstance(body, PinnedSpan):
        return replace(pin, body=replace(body, role=Role.CONTEXT))
    if isinstance(body, ShownBefore) and isinstance(body.of, PinnedSpan):
        return replace(pin, body=replace(body, of=replace(body.of, role=Role.CONTEXT)))
    return pin


def _role_of(pin: Candidate) -> Role:
    return pin.body.role if isinstance(pin.body, PinnedSpan) else Role.CONTEXT


def _without_hidden(pin: Candidate, notes: list[str]) -> Candidate:
    """``pin`` without invisible characters, noted in ``notes``; rules files are treated the same."""
    span = pin.body
    if not isinstance(span, PinnedSpan):
        return pin
    count, first = 0, 0
    lines = []
    for line in span.lines:
        text, hidden = take_out_hidden(line.text)
        if hidden is not None:
            count, first = count + hidden.count, first or line.number
        lines.append(Line(line.number, text))
    if not count:
        return pin
    notes.append(f"pinned {pin.id}: {count:,} hidden characters taken out, the first in line {first:,}")
    shown = limit_lines(replace(span, lines=tuple(lines)))
    return pin if shown is None else replace(pin, body=shown)
