"""The preface of a tagged prompt as text, cut to its share of a budget: the boot header, and rules files whole or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from contextls.assembly.pieces.preface_parts import Preface, RulesBlock
from contextls.assembly.shapes.boot_header import write_boot_header
from contextls.assembly.shapes.shape import Frame
from contextls.model import LayerItem, Role
from contextls.text.gate import clean
from contextls.text.tags import write_block

# What stands before the pieces may take this part of the budget; rules files that find no room are left out whole.
PREFACE_SHARE = 50
HEADER = "boot header"


class WrittenRules(Struct, frozen=True):
    """A rules file in its tags, with its tokens and those of the gap after it."""

    file: RulesBlock
    text: str
    tokens: int


def write_rules_blocks(preface: Preface, count: Callable[[str], int]) -> tuple[WrittenRules, ...]:
    """Every rules file of a preface, written and counted once for all budgets."""
    texts = (
        (file, write_block(file.role, clean(file.text), {"path": clean(file.path)})) for file in preface.rules
    )
    return tuple(WrittenRules(file, text, count(text) + 1) for file, text in texts)


class FittedPreface(Struct, frozen=True):
    """The part of a preface that its share of a budget holds."""

    has_header: bool
    rules: tuple[WrittenRules, ...]
    frame: Frame


def fit_preface(
    preface: Preface, written: Sequence[WrittenRules], max_tokens: int, count: Callable[[str], int]
) -> FittedPreface:
    """The header, and each rules file that still finds room, in their share of ``max_tokens``."""
    most = max_tokens * PREFACE_SHARE // 100

    def count_header(rules: Sequence[WrittenRules]) -> int:
        return count(write_boot_header(preface, contents_of(rules))) + 1

    has_header = count_header(()) <= most
    used = 0
    rules: list[WrittenRules] = []
    items: list[LayerItem] = []
    warnings = [*preface.warnings]
    for one in written:
        name = one.file.name
        header = count_header([*rules, one]) if has_header else 0
        if used + one.tokens + header <= most:
            used += one.tokens
            rules.append(one)
            items.append(LayerItem(name, one.tokens, reason=f"as {one.file.role} text"))
        else:
            items.append(LayerItem(name, 0, "excluded", one.tokens, "budget"))
            warnings.append(f"{name}: {one.tokens:,} tokens; half of the budget has no room for it")
    header = count_header(rules)
    head = LayerItem(HEADER, header) if has_header else LayerItem(HEADER, 0, "excluded", header, "budget")
    is_cut = len(rules) < len(written) or not has_header
    frame = Frame(used + head.tokens, (head, *items, *preface.omitted), tuple(warnings), is_cut)
    return FittedPreface(has_header, tuple(rules), frame)


def contents_of(rules: Sequence[WrittenRules]) -> dict[str, str]:
    """The rules files that are system text, each with what stands between its tags."""
    of_system = (one for one in rules if one.file.role is Role.SYSTEM and one.file.path)
    return {one.file.path: content_of(one.text) for one in of_system}


def content_of(block: str) -> str:
    """The content of a block, between its tags."""
    return block[block.index("\n") + 1 : block.rindex("</")]
