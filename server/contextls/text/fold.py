"""Shortens logs: repetitions are told once, traces keep their ends, the first error and the tail stay.

Lines are compared without what differs from run to run: times, durations, percentages, numbers, addresses and hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.indentation import indent_of
from contextls.text.largest_fit import find_largest_fit
from contextls.text.tokens import Tokenizer
from contextls.text.traces import Trace, find_traces, is_frame, is_python_frame, speaks_of_error

# The outermost frames of a trace say where the work began, the innermost where it broke.
OUTER_FRAMES = 2
INNER_FRAMES = 4
# A frame of Python with its line of code and what marks a place in that.
MAX_FRAME_LINES = 3
# Lines around the first error that say what it is about.
BEFORE_ERROR = 1
AFTER_ERROR = 6
# A line longer than this is data, not a message.
MAX_LINE_CHARS = 400

_ESCAPE = compile_late(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_STAMP = compile_late(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"
)
_HASH = compile_late(r"\b(?:0x)?[0-9a-f]{7,64}\b", re.IGNORECASE)
_NUMBER = compile_late(r"\d+(?:[.,]\d+)*")
_BAR = compile_late(r"[#=>.█▏▎▍▌▋▊▉░▒▓━─╸-]{4,}")


class _Line(Struct, frozen=True):
    """A line to show, and how many lines of the input it stands for."""

    text: str
    count: int = 1
    # Says what is missing after the line before it.
    is_note: bool = False


def fold_output(text: str, max_tokens: int, tokenizer: Tokenizer) -> str:
    """``text`` in at most ``max_tokens``; empty where not even a marker fits.

    Within the budget nothing is lost but repetition. Beyond it, what a trace says and its innermost frame stay, the first
    error with its surroundings and the tail, then as much of the beginning as fits; ``… (12 lines omitted)`` stands where
    lines of ``text`` are missing.
    """
    lines = list(_without_middle_frames(_fold_repetitions(_lines(text))))
    whole = "\n".join(line.text for line in lines)
    if tokenizer.count(whole) <= max_tokens:
        return whole
    for ranked in (_rank_output(lines), range(len(lines))[::-1]):
        if kept := _best_within(lines, ranked, max_tokens, tokenizer):
            return kept
    marker = _join_kept(lines, [])
    return marker if tokenizer.count(marker) <= max_tokens else ""


def fold_diff(text: str, max_tokens: int, tokenizer: Tokenizer) -> str:
    """The lines of a diff in at most ``max_tokens``; empty where not one that changed fits.

    The lines around a change go before those that changed, of which the first stay.
    """
    lines = text.split("\n")
    if tokenizer.count(text) <= max_tokens:
        return text
    changed = [number for number, line in enumerate(lines) if line.startswith(("+", "-"))]
    around = sorted(set(range(len(lines))) - set(changed))
    around.sort(key=lambda number: min((abs(number - each) for each in changed), default=0))
    kept = _best_within([_Line(line) for line in lines], [*changed, *around], max_tokens, tokenizer)
    return kept if any(line.startswith(("+", "-")) for line in kept.split("\n")) else ""


def is_log(text: str) -> bool:
    """Whether ``text`` looks like the output of a program: stamped, repeating, or with the marks of failure."""
    lines = [line for line in text[:100_000].splitlines() if line.strip()][:500]
    if len(lines) < 3:
        return False
    stamped = sum(bool(_STAMP.search(line[:60])) for line in lines)
    frames = sum(map(is_frame, lines))
    alike = len(lines) - len({_shape(line) for line in lines})
    errors = sum(bool(re.match(r"\s*\w*(?:Error|Exception|error|FAILED|fatal)\b", line)) for line in lines)
    return (
        3 * stamped > len(lines) or frames > 1 or 3 * alike > len(lines) or (errors > 0 and len(lines) < 200)
    )


def _lines(text: str) -> list[str]:
    """Lines as a terminal would show them: escapes gone, of what was overwritten the last, no trailing blanks."""
    plain = _ESCAPE.sub("", text).replace("\r\n", "\n").removesuffix("\n")
    shown = (
        next((part for part in reversed(line.split("\r")) if part.strip()), "") for line in plain.split("\n")
    )
    return [_bound_line(line.rstrip()) for line in shown]


def _bound_line(line: str) -> str:
    if len(line) <= MAX_LINE_CHARS:
        return line
    return f"{line[: MAX_LINE_CHARS * 3 // 4]} … {line[-MAX_LINE_CHARS // 8 :]}"


def _shape(line: str) -> str:
    """The part of a line that it has in common with others of its kind."""
    return _NUMBER.sub("0", _BAR.sub("=", _HASH.sub("0", _STAMP.sub("", line)))).strip()


def _fold_repetitions(lines: Sequence[str]) -> Iterator[_Line]:
    """Runs of alike lines as their first and last with a count between; runs of blank lines as one."""
    for shape, group in groupby(lines, _shape):
        run = list(group)
        if not shape:
            yield _Line("", len(run))
        elif len(run) <= 2 or is_frame(run[0]):
            yield from map(_Line, run)
        elif len(set(run)) == 1:
            yield _Line(run[0])
            yield _Line(f"… (×{len(run) - 1} more)", len(run) - 1, is_note=True)
        else:
            yield _Line(run[0])
            yield _Line(f"… (×{len(run) - 2} alike)", len(run) - 2, is_note=True)
            yield _Line(run[-1])


def _without_middle_frames(lines: Iterable[_Line]) -> Iterator[_Line]:
    """Traces with their outer and inner frames; a frame of Python takes its line of code along."""
    frames: list[list[_Line]] = []
    for line in lines:
        if is_frame(line.text):
            frames.append([line])
        elif (
            frames
            and is_python_frame(frames[-1][0].text)
            and line.text.startswith("    ")
            and len(frames[-1]) < MAX_FRAME_LINES
        ):
            frames[-1].append(line)
        else:
            yield from _shorten_frames(frames)
            frames = []
            yield line
    yield from _shorten_frames(frames)


def _shorten_frames(frames: Sequence[Sequence[_Line]]) -> Iterator[_Line]:
    hidden = frames[OUTER_FRAMES : len(frames) - INNER_FRAMES]
    if len(hidden) <= 1:
        yield from chain.from_iterable(frames)
        return
    count = sum(line.count for line in chain.from_iterable(hidden))
    frame = hidden[0][0].text
    what = f"{len(hidden)} frames" if count == len(hidden) else f"{count} lines of {len(hidden)} frames"
    yield from chain.from_iterable(frames[:OUTER_FRAMES])
    yield _Line(f"{indent_of(frame)}… ({what} omitted)", count, is_note=True)
    yield from chain.from_iterable(frames[-INNER_FRAMES:])


def _rank_output(lines: Sequence[_Line]) -> list[int]:
    """The numbers of all lines, best first: those of the failure, then those nearest to either end."""
    texts = [line.text for line in lines]
    error = next((number for number, text in enumerate(texts) if speaks_of_error(text)), None)
    failure = _rank_failure(error, list(find_traces(texts)), len(lines) - 1)
    order = dict.fromkeys(chain(failure, _from_ends(len(lines))))
    return [number for number in order if 0 <= number < len(lines)]


def _rank_failure(error: int | None, traces: Sequence[Trace], last: int) -> Iterator[int]:
    """The numbers of the lines that tell of a failure, best first. ``error`` is the first line that names an error."""
    # Before the first error: that may be a retry, while nothing prints a trace that it expects.
    for trace in traces[:1]:
        yield from _lead_of(trace)
    if error is not None:
        yield error
    yield last
    # The last of a chain of traces says what was raised in the end, or the cause of all.
    for trace in traces[-1:]:
        yield from _lead_of(trace)
    for trace in traces[:1]:
        yield from chain.from_iterable(trace.frames)
    if error is not None:
        yield from range(error + 1, error + AFTER_ERROR + 1)
        yield from range(error - BEFORE_ERROR, error)


def _lead_of(trace: Trace) -> list[int]:
    """The message of a trace and the lines of its first frame."""
    return [*([] if trace.message is None else [trace.message]), *trace.frames[0][:MAX_FRAME_LINES]]


def _best_within(lines: Sequence[_Line], ranked: Sequence[int], max_tokens: int, tokenizer: Tokenizer) -> str:
    """The best of the ``ranked`` lines that fit, in the order of the text; empty where none fits."""
    kept = find_largest_fit(
        len(ranked), lambda size: tokenizer.count(_join_kept(lines, ranked[:size])) <= max_tokens
    )
    return _join_kept(lines, ranked[:kept]) if kept else ""


def _from_ends(count: int) -> Iterator[int]:
    """Three lines of the tail for one of the beginning, until they meet."""
    first, last = 0, count - 1
    while first <= last:
        for _ in range(3):
            yield last
            last -= 1
        yield first
        first += 1


def _join_kept(lines: Sequence[_Line], kept: Sequence[int]) -> str:
    """The ``kept`` lines in order, with the number of lines of the input that are missing between them."""
    parts: list[str] = []
    missing = noted = 0
    shown = frozenset(kept)
    for number, line in enumerate(lines):
        if number in shown and not (line.is_note and missing):
            if missing:
                parts.append(_gap(missing))
            parts.append(line.text)
            missing, noted = 0, line.count if line.is_note else 0
            continue
        if noted:  # one gap tells of all that is missing in one place
            parts.pop()
            missing, noted = noted, 0
        missing += line.count
    if missing:
        parts.append(_gap(missing))
    return "\n".join(parts)


def _gap(count: int) -> str:
    return f"… ({count} {'line' if count == 1 else 'lines'} omitted)"
