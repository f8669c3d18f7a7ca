"""The ``tagged`` shape: blocks between tags by role, under a boot header; no content can close its block.

What changes rarely comes first: header, system and developer text, what is pinned, what was retrieved, the question last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Self

from contextls.assembly.pieces.bodies import (
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
from contextls.assembly.pieces.candidate import Candidate, has_heading
from contextls.assembly.pieces.preface_parts import Preface
from contextls.assembly.pieces.sections import ROWS, TABLE
from contextls.assembly.shapes.boot_header import write_boot_header
from contextls.assembly.shapes.fitted_preface import (
    WrittenRules,
    content_of,
    contents_of,
    fit_preface,
    write_rules_blocks,
)
from contextls.assembly.shapes.markdown import Markdown, code_text, pinned_text
from contextls.assembly.shapes.piece_fields import describe_earlier
from contextls.assembly.shapes.sentences import describe_copies
from contextls.assembly.shapes.shape import Frame
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Role, Section
from contextls.text.fence import one_line
from contextls.text.gate import CleanText, clean
from contextls.text.tags import escape, open_tag, write_block
from contextls.text.tokens import Tokenizer

# What a system file's name and checksum in the header count, about; checked on the whole in the end.
CONSTITUTION_TOKENS = 32
NO_ATTRIBUTES: Mapping[str, str] = {}
_GAP = "\n\n"
# Sections with lists of facts, whose lines share one block.
_LISTS = frozenset({Section.TASK, Section.RECENT, Section.ENTITY, Section.RELATION, Section.PATTERN})


class Tagged(Markdown):
    """Blocks of the four tags under a header."""

    cleans_pieces = True

    def __init__(
        self,
        tokenizer: Tokenizer,
        preface: Preface,
        max_tokens: int,
        rules: tuple[WrittenRules, ...] | None = None,
    ) -> None:
        """Of ``preface``, half of ``max_tokens`` is used at the most; ``rules`` are those of it, where they are written."""
        super().__init__(tokenizer)
        self._preface = preface
        self._rules = write_rules_blocks(preface, tokenizer.count) if rules is None else rules
        self._finished: dict[int, tuple[Body, str]] = {}
        self._fitted = fit_preface(preface, self._rules, max_tokens, tokenizer.count)

    def for_budget(self, max_tokens: int) -> Self:
        """See ``PromptShape.for_budget``."""
        return type(self)(self.tokenizer, self._preface, max_tokens, self._rules)

    @property
    def frame(self) -> Frame:
        """The header and the rules files."""
        return self._fitted.frame

    def compose(self, body: Body) -> str:
        """A block of its own, or lines of the block of their section; secrets are still in it, as in what is measured."""
        return self._compose(body, str)

    def finish(self, body: Body) -> str:
        """Redact the secrets of one piece.

        Each piece is looked through by itself: in the whole, a key that is cut off at the end of one block would seem to go
        on in the next, and take the tags between along.
        """
        known = self._finished.get(id(body))
        if known is None:
            known = self._finished[id(body)] = (body, self._compose(body, clean))
        return known[1]

    def _compose(self, body: Body, gate: Callable[[str], str]) -> str:
        def block(role: Role, text: str, attributes: Mapping[str, str] = NO_ATTRIBUTES) -> str:
            return write_block(role, gate(text), {name: gate(value) for name, value in attributes.items()})

        def section(name: Section, text: str) -> str:
            return block(Role.CONTEXT, text, {"section": TABLE[name].title})

        match body:
            case CodeSpan():
                copies = {"copies": describe_copies(body.copies, one_line)} if body.copies else {}
                return block(Role.CONTEXT, code_text(body), {**_place_of(body), **copies})
            case PinnedSpan():
                return block(body.role, pinned_text(body), _place_of(body))
            case DiffHunk(hunk) if not hunk.is_note:
                note = f"{body.how} (+{body.hunk.added} −{body.hunk.removed})"
                return block(Role.CONTEXT, body.text or "", {**_place_of(body.hunk), "note": note})
            case Summary():
                place = _place_of(body.of) if isinstance(body.of, CodeSpan) else {}
                return block(Role.CONTEXT, body.text, {**place, "note": "summary"})
            case ShownBefore(CodeSpan() | PinnedSpan() as of):
                role = of.role if isinstance(of, PinnedSpan) else Role.CONTEXT
                return block(role, "", {**_place_of(of), "note": describe_earlier(body, one_line)})
            case TaskSentence():
                return block(Role.USER, body.text)
            case FreeText(text):
                return section(Section.CUSTOM, text)
            case PackageText():
                return section(Section.PACKAGE, super().compose(body))
            case Absence() | RepositoryMap():
                return section(Section.SEMANTIC, super().compose(body))
            case _:
                return escape(gate(super().compose(body)))

    def heading(self, section: Section) -> str:
        """The tags around the lines of a list; nothing for sections whose pieces have tags of their own."""
        return write_block(Role.CONTEXT, "", {"section": TABLE[section].title}) if section in _LISTS else ""

    def measure_heading(self, section: Section) -> int:
        """Tokens of the tags around a list."""
        return super().measure_heading(section) if section in _LISTS else 0

    def measure(self, body: Body) -> int:
        """Tokens of one piece, and of its place in the header where it has one there."""
        named = CONSTITUTION_TOKENS if _role_of(body) is Role.SYSTEM else 0
        return super().measure(body) + named

    def render(self, pieces: Sequence[Candidate]) -> CleanText:
        """Header, system, developer, what was retrieved, what is pinned as a user's words, the question."""
        by_role: dict[Role | None, list[Candidate]] = {}
        for piece in pieces:
            by_role.setdefault(_role_of(piece.body) if has_heading(piece) else None, []).append(piece)
        system, developer = by_role.get(Role.SYSTEM, []), by_role.get(Role.DEVELOPER, [])
        pinned = {piece.id for piece in (*system, *developer)}
        rules = [one for one in self._fitted.rules if one.file.path not in pinned]
        constitution = contents_of(rules) | {
            piece.id: content_of(self.finish(_piece_itself(piece.body))) for piece in system
        }
        blocks = [
            *([write_boot_header(self._preface, constitution)] if self._fitted.has_header else []),
            *(one.text for one in rules if one.file.role is Role.SYSTEM),
            *(self.finish(piece.body) for piece in (*system, *developer)),
            *(one.text for one in rules if one.file.role is Role.DEVELOPER),
            *self._write_sections(by_role.get(Role.CONTEXT, [])),
            *(self.finish(piece.body) for piece in (*by_role.get(Role.USER, []), *by_role.get(None, []))),
        ]
        return CleanText(_GAP.join(blocks))

    def _write_sections(self, pieces: Sequence[Candidate]) -> Iterator[str]:
        """Blocks in the order of the table of sections; lines of a list that follow each other share one."""
        for row in ROWS:
            inside = [piece for piece in pieces if piece.section is row.section]
            # What has no block of its own begins as a line of Markdown, never with a bracket.
            for has_block, group in groupby(inside, lambda piece: self.finish(piece.body).startswith("<")):
                if has_block:
                    yield from (self.finish(piece.body) for piece in group)
                else:
                    opening = open_tag(Role.CONTEXT, {"section": row.title})
                    yield f"{opening}\n{self._join(list(group), is_list=row.list)}\n</{Role.CONTEXT}>"


def _place_of(span: CodeSpan | PinnedSpan | Hunk) -> dict[str, str]:
    """The attributes that say where a piece stands."""
    return {"path": span.path, "lines": f"{span.start_line}-{span.end_line}", "symbol": span.symbol}


def _role_of(body: Body) -> Role:
    """The role that decides where a piece stands: that of a pin, ``context`` of everything else."""
    of = _piece_itself(body)
    return of.role if isinstance(of, PinnedSpan) else Role.CONTEXT


def _piece_itself(body: Body) -> Body:
    """The piece that a pointer points to, or the piece."""
    return body.of if isinstance(body, ShownBefore) else body
