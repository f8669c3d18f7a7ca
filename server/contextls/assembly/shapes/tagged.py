"""The ``tagged`` shape: blocks between tags by role, under a boot header; no content can close its block.

What changes rarely comes first: header, system and developer text, what is pinned, what was retrieved, the question last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

from contextls.assembly.bodies import (
    Absence,
    Body,
    CodeSpan,
    DiffHunk,
    FreeText,
    PackageText,
    PinnedSpan,
    RepositoryMap,
    ShownBefore,
    Summary,
    TaskSentence,
)
from contextls.assembly.candidate import Candidate, has_heading
from contextls.assembly.layers.preface import Preface, RulesBlock
from contextls.assembly.piece_fields import describe_earlier
from contextls.assembly.sections import ROWS, TABLE
from contextls.assembly.shapes.boot_header import write_boot_header
from contextls.assembly.shapes.markdown import Markdown, code_text, pinned_text
from contextls.assembly.shapes.shape import Frame
from contextls.memory.vcs.hunks import Hunk
from contextls.model import LayerItem, Role, Section
from contextls.text.fence import one_line
from contextls.text.gate import CleanText, clean
from contextls.text.tags import block_content, escape, open_tag, write_block
from contextls.text.tokens import Tokenizer

# What stands before the pieces may take this part of the budget; rules files that find no room are left out whole.
PREFACE_SHARE = 50
# What a system file's name and checksum in the header count, about; checked on the whole in the end.
CONSTITUTION_TOKENS = 32
HEADER = "boot header"
_GAP = "\n\n"
# Sections with lists of facts, whose lines share one block.
_LISTS = frozenset({Section.TASK, Section.RECENT, Section.ENTITY, Section.RELATION, Section.PATTERN})


@dataclass(frozen=True, slots=True)
class _FittedPreface:
    """What of a preface its share of the budget holds."""

    has_header: bool
    rules: tuple[RulesBlock, ...]
    frame: Frame


class Tagged(Markdown):
    """Blocks of the four tags under a header."""

    cleans_pieces = True

    def __init__(self, tokenizer: Tokenizer, preface: Preface, max_tokens: int) -> None:
        """Of ``preface``, half of ``max_tokens`` is used at the most."""
        super().__init__(tokenizer)
        self._preface = preface
        self._fitted = _fit_preface(preface, max_tokens * PREFACE_SHARE // 100, tokenizer.count)

    def for_budget(self, max_tokens: int) -> Self:
        """See ``Shape.for_budget``."""
        return type(self)(self.tokenizer, self._preface, max_tokens)

    @property
    def frame(self) -> Frame:
        """The header and the rules files."""
        return self._fitted.frame

    def compose(self, body: Body) -> str:
        """A block of its own, or lines of the block of their section."""
        match body:
            case CodeSpan():
                return _write_clean(Role.CONTEXT, code_text(body), _place_of(body))
            case PinnedSpan():
                return _write_clean(body.role, pinned_text(body), _place_of(body))
            case DiffHunk():
                note = f"{body.how} (+{body.hunk.added} −{body.hunk.removed})"
                return _write_clean(Role.CONTEXT, body.text or "", {**_place_of(body.hunk), "note": note})
            case Summary():
                place = _place_of(body.of) if isinstance(body.of, CodeSpan) else {}
                return _write_clean(Role.CONTEXT, body.text, {**place, "note": "summary"})
            case ShownBefore(CodeSpan() | PinnedSpan() as of):
                role = of.role if isinstance(of, PinnedSpan) else Role.CONTEXT
                return _write_clean(role, "", {**_place_of(of), "note": describe_earlier(body, one_line)})
            case TaskSentence(sentence, quoted):
                return _write_clean(Role.USER, _GAP.join(filter(None, (sentence, quoted))), {})
            case FreeText(text):
                return _write_section(Section.CUSTOM, text)
            case PackageText():
                return _write_section(Section.PACKAGE, super().compose(body))
            case Absence() | RepositoryMap():
                return _write_section(Section.SEMANTIC, super().compose(body))
            case _:
                return escape(clean(super().compose(body)))

    def heading(self, section: Section) -> str:
        """The tags around the lines of a list; nothing for sections whose pieces have tags of their own."""
        return _write_section(section, "") if section in _LISTS else ""

    def measure_heading(self, section: Section) -> int:
        """Tokens of the tags around a list."""
        return super().measure_heading(section) if section in _LISTS else 0

    def measure(self, body: Body) -> int:
        """Tokens of one piece, and of its place in the header where it has one there."""
        named = CONSTITUTION_TOKENS if _role_of(body) is Role.SYSTEM else 0
        return super().measure(body) + named

    def render(self, pieces: Sequence[Candidate]) -> CleanText:
        """Header, system, developer, what was retrieved, what is pinned as a user's words, the question.

        Each part is looked through by itself: in the whole, a key that is cut off at the end of one block would seem to go
        on in the next, and take the tags between along.
        """
        by_role: dict[Role | None, list[Candidate]] = {}
        for piece in pieces:
            by_role.setdefault(_role_of(piece.body) if has_heading(piece) else None, []).append(piece)
        system, developer = by_role.get(Role.SYSTEM, []), by_role.get(Role.DEVELOPER, [])
        pinned = {piece.id for piece in (*system, *developer)}
        rules = [file for file in self._fitted.rules if file.path not in pinned]
        of_system = [file for file in rules if file.role is Role.SYSTEM]
        constitution = _texts_of(rules) | {
            piece.id: block_content(clean(_pinned_text(piece.body))) for piece in system
        }
        return CleanText(
            _GAP.join(
                [
                    *([write_boot_header(self._preface, constitution)] if self._fitted.has_header else []),
                    *map(_write_rules, of_system),
                    *(self.write(piece.body) for piece in (*system, *developer)),
                    *(_write_rules(file) for file in rules if file.role is Role.DEVELOPER),
                    *self._write_sections(by_role.get(Role.CONTEXT, [])),
                    *(
                        self.write(piece.body)
                        for piece in (*by_role.get(Role.USER, []), *by_role.get(None, []))
                    ),
                ]
            )
        )

    def _write_sections(self, pieces: Sequence[Candidate]) -> Iterator[str]:
        """Blocks in the order of the table of sections; lines of a list that follow each other share one."""
        for row in ROWS:
            inside = [piece for piece in pieces if piece.section is row.section]
            # What has no block of its own begins as a line of Markdown, never with a bracket.
            for has_block, group in groupby(inside, lambda piece: self.write(piece.body).startswith("<")):
                if has_block:
                    yield from (self.write(piece.body) for piece in group)
                else:
                    opening = open_tag(Role.CONTEXT, {"section": row.title})
                    yield f"{opening}\n{self._join(list(group), is_list=row.list)}\n</{Role.CONTEXT}>"


def _fit_preface(preface: Preface, most: int, count: Callable[[str], int]) -> _FittedPreface:
    """The header, and each rules file that still finds room, in ``most`` tokens together."""

    def count_header(rules: Sequence[RulesBlock]) -> int:
        return count(write_boot_header(preface, _texts_of(rules))) + 1

    has_header = count_header(()) <= most
    used = 0
    rules: list[RulesBlock] = []
    items: list[LayerItem] = []
    warnings = [*preface.warnings]
    for file in preface.rules:
        tokens = count(_write_rules(file)) + 1
        named = count_header([*rules, file]) if has_header else 0
        if used + tokens + named <= most:
            used += tokens
            rules.append(file)
            items.append(LayerItem(file.name, tokens, reason=f"as {file.role} text"))
        else:
            items.append(LayerItem(file.name, 0, "excluded", tokens, "budget"))
            warnings.append(f"{file.name}: {tokens:,} tokens; half of the budget has no room for it")
    header = count_header(rules)
    head = LayerItem(HEADER, header) if has_header else LayerItem(HEADER, 0, "excluded", header, "budget")
    is_cut = len(rules) < len(preface.rules) or not has_header
    frame = Frame(used + head.tokens, (head, *items, *preface.omitted), tuple(warnings), is_cut)
    return _FittedPreface(has_header, tuple(rules), frame)


def _texts_of(rules: Sequence[RulesBlock]) -> dict[str, str]:
    """The rules files that are system text, each with what is shown of it."""
    return {
        file.path: block_content(clean(file.text)) for file in rules if file.role is Role.SYSTEM and file.path
    }


def _write_clean(tag: Role, text: str, attributes: Mapping[str, str]) -> str:
    """A block without secrets."""
    return write_block(tag, clean(text), {name: clean(value) for name, value in attributes.items()})


def _write_rules(file: RulesBlock) -> str:
    return _write_clean(file.role, file.text, {"path": file.path})


def _write_section(section: Section, text: str) -> str:
    return _write_clean(Role.CONTEXT, text, {"section": TABLE[section].title})


def _place_of(span: CodeSpan | PinnedSpan | Hunk) -> dict[str, str]:
    """The attributes that say where a piece stands."""
    return {"path": span.path, "lines": f"{span.start_line}-{span.end_line}", "symbol": span.symbol}


def _role_of(body: Body) -> Role:
    """The role that decides where a piece stands: that of a pin, ``context`` of everything else."""
    of = body.of if isinstance(body, ShownBefore) else body
    return of.role if isinstance(of, PinnedSpan) else Role.CONTEXT


def _pinned_text(body: Body) -> str:
    of = body.of if isinstance(body, ShownBefore) else body
    return pinned_text(of) if isinstance(of, PinnedSpan) else ""
