"""The roles of pins in a prompt that goes by them: what may instruct a model, and what of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from contextls.assembly.bodies import Line, PinnedSpan, ShownBefore
from contextls.assembly.candidate import Candidate
from contextls.assembly.pinned import limit_lines
from contextls.assembly.request import TaggedRequest
from contextls.model import AssembleRequest, Role
from contextls.text.hidden import take_out_hidden


def settle_roles(
    pins: Sequence[Candidate], request: AssembleRequest
) -> tuple[tuple[Candidate, ...], list[str]]:
    """``pins`` as the prompt may show them, and what its reader has to know of that.

    A prompt without tags only tells roles. In one with tags, a folder that is not trusted gives none; where it is, what is
    more than plain context shows everything that a model reads in it.
    """
    if not isinstance(request, TaggedRequest):
        return tuple(pins), []
    settled: list[Candidate] = []
    told: list[str] = []
    for pin in pins:
        role = _role_of(pin)
        if role is Role.CONTEXT:
            settled.append(pin)
        elif request.preface.trusted:
            settled.append(_without_hidden(pin, told))
        else:
            settled.append(without_role(pin))
            told.append(f"pinned {pin.id}: as {role} text only in a trusted folder; it stands as context")
    return tuple(settled), told


def without_role(pin: Candidate) -> Candidate:
    """``pin`` as plain context; what is no pin as it is."""
    body = pin.body
    if isinstance(body, PinnedSpan):
        return replace(pin, body=replace(body, role=Role.CONTEXT))
    if isinstance(body, ShownBefore) and isinstance(body.of, PinnedSpan):
        return replace(pin, body=replace(body, of=replace(body.of, role=Role.CONTEXT)))
    return pin


def _role_of(pin: Candidate) -> Role:
    return pin.body.role if isinstance(pin.body, PinnedSpan) else Role.CONTEXT


def _without_hidden(pin: Candidate, told: list[str]) -> Candidate:
    """``pin`` without characters that nobody sees, as in rules files."""
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
    told.append(f"pinned {pin.id}: {count:,} hidden characters taken out, the first in line {first:,}")
    shown = limit_lines(replace(span, lines=tuple(lines)))
    return pin if shown is None else replace(pin, body=shown)
