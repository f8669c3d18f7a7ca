"""Makes a candidate smaller before it is given up: the skeleton of its code, its output folded, then its first lines."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from contextls.assembly.pieces.bodies import (
    Body,
    CodeSpan,
    CommitList,
    DiffHunk,
    EventRun,
    FreeText,
    PackageText,
    PinnedSpan,
    RepositoryMap,
    TaskLine,
)
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.pinned import cut_to_fit
from contextls.code.comment_lines import count_without_trailing_comment
from contextls.code.skeleton import write_skeleton
from contextls.text.fold import fold_diff, fold_output
from contextls.text.largest_fit import find_largest_fit
from contextls.text.tokens import Tokenizer
from contextls.text.truncate import Keep, cut_to_head, keep_head, truncate

# Tokens of one piece as it will be written.
Measure = Callable[[Body], int]
# Makes a candidate smaller: a shape's own way, or one that goes further.
Shrink = Callable[[Candidate, int], Candidate | None]

# Below this a shortened piece says too little to be worth its heading.
MIN_TOKENS = 48
MIN_OUTPUT_TOKENS = 12


def shrink(candidate: Candidate, max_tokens: int, tokenizer: Tokenizer, measure: Measure) -> Candidate | None:
    """The candidate in at most ``max_tokens``, or ``None`` when nothing useful would be left."""
    match candidate.body:
        case PinnedSpan() as span:
            cut = cut_to_fit(span, lambda smaller: measure(smaller) <= max_tokens)
            return None if cut is None else replace(candidate, body=cut, compression=cut.strategy)
        case FreeText(text):
            head = cut_to_head(text, max_tokens, tokenizer)
            return replace(candidate, body=FreeText(head.rstrip("\n")), compression="head") if head else None
        case PackageText(text=text) as piece:
            room = max_tokens - measure(replace(piece, text=""))
            head = cut_to_head(text, room, tokenizer) if room >= MIN_TOKENS else ""
            return replace(candidate, body=replace(piece, text=head), compression="head") if head else None
        case CommitList(commits) as listed if len(commits) > 1:
            half = replace(
                candidate, body=replace(listed, commits=commits[: len(commits) // 2]), compression="head"
            )
            return half if measure(half.body) <= max_tokens else shrink(half, max_tokens, tokenizer, measure)
        case RepositoryMap() as chart:
            smaller = _fit_map(chart, max_tokens, measure)
            return None if smaller is None else replace(candidate, body=smaller, compression="skeleton")
        case EventRun() | DiffHunk() as body:
            small = _fold(body, max_tokens, tokenizer, measure)
            return None if small is None else replace(candidate, body=small, compression="fold")
        case CodeSpan() as code:
            return _shrink_code(candidate, code, max_tokens, tokenizer, measure)
        case _:
            return None


def cut_task(line: TaskLine, max_tokens: int, measure: Measure) -> TaskLine | None:
    """``line`` with as many of its words as fit; ``None`` where none would."""
    if measure(line) <= max_tokens:
        return line

    def cut(length: int) -> TaskLine:
        return replace(line, words=line.words[:length].rstrip() + "…")

    length = find_largest_fit(len(line.words) - 1, lambda length: measure(cut(length)) <= max_tokens)
    return cut(length) if length > 0 else None


def _shrink_code(
    candidate: Candidate, code: CodeSpan, max_tokens: int, tokenizer: Tokenizer, measure: Measure
) -> Candidate | None:
    if max_tokens < MIN_TOKENS:
        return None
    # Where the bodies of functions are was found when the file was indexed.
    short = replace(code, text=write_skeleton(code.language, code.text, code.bodies, code.start_line))
    if measure(short) <= max_tokens:
        return replace(candidate, body=short, compression="skeleton")
    room = max_tokens - measure(replace(code, text="")) - 4
    if room < MIN_TOKENS // 2:
        return None
    cut = truncate(code.text, room, tokenizer, Keep.HEAD)
    lines = code.text.splitlines(keepends=True)
    kept = len(lines) - cut.omitted
    while kept > 0 and measure(short := _keep_lines(code, lines, kept)) > max_tokens:
        kept -= 1  # how many lines are left out is said in other words
    return replace(candidate, body=short, compression="head") if kept > 0 else None


def _keep_lines(code: CodeSpan, lines: list[str], kept: int) -> CodeSpan:
    """The first ``kept`` of the ``lines`` of ``code``, without a comment at their end that is about what was cut off."""
    if kept < len(lines):
        kept = count_without_trailing_comment(lines[:kept], code.language) or kept
    if kept == len(lines):
        return code
    if not code.is_whole:  # which line is which cannot be told
        return replace(code, text=keep_head(lines, kept))
    return replace(code, text="".join(lines[:kept]), shown_to=code.start_line + kept - 1)


def _fit_map(chart: RepositoryMap, max_tokens: int, measure: Measure) -> RepositoryMap | None:
    """The map with as many definitions as fit; without any, with fewer folders."""

    def draw(size: int) -> RepositoryMap:
        return replace(chart, shown=max(size, 0), tops=min(chart.tops, chart.tops + size))

    size = find_largest_fit(chart.shown, lambda size: measure(draw(size)) <= max_tokens, least=-chart.tops)
    return draw(size) if size > -chart.tops else None


def _fold(
    body: EventRun | DiffHunk, max_tokens: int, tokenizer: Tokenizer, measure: Measure
) -> EventRun | DiffHunk | None:
    """The same with its output folded into the room that its own line leaves, or without it."""
    text = body.output if isinstance(body, EventRun) else body.text
    if text is None:
        return None
    room = max_tokens - measure(_with_output(body, "")) - 2
    fold = fold_diff if isinstance(body, DiffHunk) else fold_output
    short = fold(text, room, tokenizer) if room >= MIN_OUTPUT_TOKENS else ""
    small = _with_output(body, short or None)
    fits = len(short) < len(text) and measure(small) <= max_tokens
    return small if fits else None


def _with_output(body: EventRun | DiffHunk, text: str | None) -> EventRun | DiffHunk:
    if isinstance(body, EventRun):
        return replace(body, output=text)
    return replace(body, text=text)
