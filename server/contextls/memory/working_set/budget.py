"""The ``budget`` of a working set: how large prompts may be, and what each part of them may take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.memory.working_set.faults import BUDGET, VALUE, Faults
from contextls.memory.working_set.nodes import field, is_mapping, is_null, is_scalar
from contextls.model import Allotment, ManifestBudget, Role, Severity
from contextls.regex import compile_late
from contextls.settings import MAX_TOKENS, MIN_TOKENS

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node

HISTORY = "history"
PARTS = (*map(str, Role), HISTORY)
FIELDS = ("max_tokens", "reserved_for_response", "effective", "allocation")
_WHOLE = compile_late(r"[0-9]{1,8}")
_SHARE = compile_late(r"([0-9]{1,3}(?:\.[0-9]{1,4})?) ?%")


def read_budget(root: MappingNode | None, faults: Faults) -> ManifestBudget:
    """The budget as far as it can be read; what is wrong in it counts for nothing."""
    node = field(root, "budget")
    if node is None or is_null(node):
        return ManifestBudget()
    if not is_mapping(node):
        faults.add(node, VALUE, f"budget: expected fields such as {', '.join(FIELDS)}")
        return ManifestBudget()
    faults.check_names(node, FIELDS)
    budget = ManifestBudget(
        max_tokens=_tokens(node, "max_tokens", MIN_TOKENS, faults),
        reserved_for_response=_tokens(node, "reserved_for_response", 0, faults),
        effective=_tokens(node, "effective", MIN_TOKENS, faults),
        allocation=_allocation(node, faults),
    )
    return _consistent(budget, node, faults)


def _consistent(budget: ManifestBudget, node: MappingNode, faults: Faults) -> ManifestBudget:
    """``budget`` without what its own numbers rule out."""
    whole, reserved = budget.max_tokens, budget.reserved_for_response
    left = None if whole is None or reserved is None else whole - reserved
    if left is not None and left < MIN_TOKENS:
        expected = f"at least {MIN_TOKENS} less than max_tokens ({whole:,}); it counts for nothing"
        faults.add(
            _value(node, "reserved_for_response"), BUDGET, f"reserved_for_response: expected {expected}"
        )
        budget = replace(budget, reserved_for_response=None)
    elif left is not None and budget.effective not in (None, left):
        message = f"effective: max_tokens less reserved_for_response is {left:,}; the smaller one counts"
        faults.add(_value(node, "effective"), BUDGET, message, Severity.WARNING)
    limit = budget.limit
    if limit is not None:
        parts = [budget.tokens_of(part, limit) or 0 for part in budget.allocation]
        if sum(parts) > limit:
            message = f"allocation: {sum(parts):,} tokens together, more than the {limit:,} of a prompt"
            faults.add(_value(node, "allocation"), BUDGET, message, Severity.WARNING)
    return budget


def _tokens(mapping: MappingNode, name: str, least: int, faults: Faults) -> int | None:
    node = field(mapping, name)
    if node is None or is_null(node):
        return None
    if is_scalar(node) and _WHOLE.fullmatch(node.value) and least <= int(node.value) <= MAX_TOKENS:
        return int(node.value)
    faults.add(node, VALUE, f"budget.{name}: expected a whole number from {least:,} to {MAX_TOKENS:,}")
    return None


def _allocation(budget: MappingNode, faults: Faults) -> dict[str, Allotment]:
    node = field(budget, "allocation")
    if node is None or is_null(node):
        return {}
    if not is_mapping(node):
        faults.add(node, VALUE, f"allocation: expected fields such as {', '.join(PARTS)}")
        return {}
    read: dict[str, Allotment] = {}
    for key, value in node.value:
        name = key.value if is_scalar(key) else ""
        allotted = _allotment(value)
        if name not in PARTS:
            faults.add(key, VALUE, f"allocation: expected one of {', '.join(PARTS)}")
        elif allotted is None and not is_null(value):
            expected = "tokens such as 3000, or a share such as 25%"
            faults.add(value, VALUE, f"allocation.{name}: expected {expected}")
        elif allotted is not None:
            read.setdefault(name, allotted)
    return read


def _allotment(node: Node) -> Allotment | None:
    text = node.value if is_scalar(node) else ""
    if _WHOLE.fullmatch(text) and int(text) <= MAX_TOKENS:
        return Allotment(tokens=int(text))
    share = _SHARE.fullmatch(text)
    return Allotment(percent=float(share[1])) if share and float(share[1]) <= 100 else None


def _value(mapping: MappingNode, name: str) -> Node:
    return field(mapping, name) or mapping
