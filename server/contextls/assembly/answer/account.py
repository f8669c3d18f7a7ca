"""The assembly report: a prompt as one account of its budget, of what is in it, and of what is not and why."""

from __future__ import annotations

from collections.abc import Sequence

from contextls.model import AssemblyReport, BudgetUse, ExcludedPart, IncludedPart, LayerUse

# In words for people; what is no such word says so itself.
_WHY = {
    "budget": "over budget",
    "limit": "over a limit",
    "unlikely": "not likely to be of use",
    "duplicate": "another piece shows it",
    "earlier": "an earlier message shows it",
    "excluded": "excluded",
    "permission": "not permitted",
}
_FOR_ROOM = frozenset((_WHY["budget"], _WHY["limit"]))


def account_for(
    max_tokens: int, used: int, layers: Sequence[LayerUse], warnings: Sequence[str]
) -> AssemblyReport:
    """The account of a prompt of these ``layers`` that has ``used`` of ``max_tokens``."""
    items = [item for layer in layers for item in layer.items]
    included = tuple(
        IncludedPart(item.name, item.tokens, item.state == "truncated", item.original_tokens)
        for item in items
        if item.state != "excluded"
    )
    excluded = tuple(
        ExcludedPart(item.name, _say_why(item.reason), item.original_tokens)
        for item in items
        if item.state == "excluded"
    )
    crowded_out = sum(part.reason in _FOR_ROOM for part in excluded)
    cut = sum(part.truncated and 2 * part.tokens < (part.original_tokens or 0) for part in included)
    told = (
        *warnings,
        *([f"{_count(crowded_out)} left out for want of room"] if crowded_out else ()),
        *([f"{_count(cut)} cut to less than half"] if cut else ()),
    )
    return AssemblyReport(BudgetUse(max_tokens, used, max(0, max_tokens - used)), included, excluded, told)


def _say_why(reason: str) -> str:
    """A reason of the report by layer, which may begin with the section, in words."""
    return _WHY.get(reason.rpartition(": ")[2], reason)


def _count(parts: int) -> str:
    return "1 part was" if parts == 1 else f"{parts:,} parts were"
