"""Logs made short: what repeats is told once, traces keep their ends, the first error and the tail stay.

Lines are compared without what differs from run to run: times, durations, percentages, numbers, addresses and hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from contextls.text.largest_fit import find_largest_fit
from contextls.text.tokens import Tokenizer
from contextls.text.truncate import Keep, truncate

# Of a trace, the outermost frames say where the work began and the innermost where it broke.
OUTER_FRAMES = 2
INNER_FRAMES = 4
# Lines around the first error that say what it is about.
BEFORE_ERROR = 1
AFTER_ERROR = 6
# A line longer than this is data, not a message.
MAX_LINE_CHARS = 400

_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_STAMP = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"
)
_HASH = re.compile(r"\b(?:0x)?[0-9a-f]{7,64}\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_BAR = re.compile(r"[#=>.█▏▎▍▌▋▊▉░▒▓━─╸-]{4,}")
# Bounded, so that a line made for it costs no more than a long one.
_PYTHON_FRAME = re.compile(r'\s*File "[^"\n]{1,400}", line \d+')
_FRAME = re.compile(r"\s+at .{1,390}|\s+from .{1,390}:\d+:in .{1,390}|\s+\d{1,4}: +\S.{0,390}")
_ERROR = re.compile(
    r"\b(?:\w*(?:Error|Exception)|error|ERROR|fatal|FATAL|FAILED|FAIL|failed|panic(?:ked)?|Traceback|undefined reference)\b"
)


def fold_output(text: str, max_tokens: int, tokenizer: Tokenizer) -> str:
    """``text`` in at most ``max_tokens``; empty where not even a marker fits.

    Within the budget nothing is lost but repetition. Beyond it, the first error with its surroundings and the tail stay,
    then as much of the beginning as fits; ``… (12 lines omitted)`` stands where lines are missing.
    """
    lines = list(_without_middle_frames(_told_once(_lines(text))))
    whole = "\n".join(lines)
    if tokenizer.count(whole) <= max_tokens:
        return whole
    kept = _best_within(lines, _rank_output(lines), max_tokens, tokenizer)
    return kept or truncate(whole, max_tokens, tokenizer, Keep.TAIL).text


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
    kept = _best_within(lines, [*changed, *around], max_tokens, tokenizer)
    return kept if any(line.startswith(("+", "-")) for line in kept.split("\n")) else ""


def is_log(text: str) -> bool:
    """Whether ``text`` looks like the output of a program: stamped, repeating, or with the marks of failure."""
    lines = [line for line in text[:100_000].splitlines() if line.strip()][:500]
    if len(lines) < 3:
        return False
    stamped = sum(bool(_STAMP.search(line[:60])) for line in lines)
    frames = sum(bool(_FRAME.fullmatch(line) or _PYTHON_FRAME.match(line)) for line in lines)
    alike = len(lines) - len({_shape(line) for line in lines})
    errors = sum(bool(re.match(r"\s*\w*(?:Error|Exception|error|FAILED|fatal)\b", line)) for line in lines)
    return (
        3 * stamped > len(lines) or frames > 1 or 3 * alike > len(lines) or (errors > 0 and len(lines) < 200)
    )


def _lines(text: str) -> list[str]:
    """Lines as a terminal would show them: escapes gone, of what was overwritten the last, no trailing blanks."""
    plain = _ESCAPE.sub("", text).replace("\r\n", "\n")
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


def _told_once(lines: Sequence[str]) -> Iterator[str]:
    """Runs of alike lines as their first and last with a count between; runs of blank lines as one."""
    for shape, group in groupby(lines, _shape):
        run = list(group)
        if not shape:
            yield ""
        elif len(run) <= 2 or _PYTHON_FRAME.match(run[0]) or _FRAME.fullmatch(run[0]):
            yield from run
        else:
            same = len(set(run)) == 1
            yield run[0]
            yield f"… (×{len(run) - 1} more)" if same else f"… (×{len(run) - 2} alike)"
            if not same:
                yield run[-1]


def _without_middle_frames(lines: Iterator[str]) -> Iterator[str]:
    """Traces with their outer and inner frames; a frame of Python takes its line of code along."""
    frames: list[list[str]] = []
    for line in lines:
        if _PYTHON_FRAME.match(line) or _FRAME.fullmatch(line):
            frames.append([line])
        elif (
            frames and _PYTHON_FRAME.match(frames[-1][0]) and line.startswith("    ") and len(frames[-1]) < 3
        ):
            frames[-1].append(line)
        else:
            yield from _shorten_frames(frames)
            frames = []
            yield line
    yield from _shorten_frames(frames)


def _shorten_frames(frames: Sequence[Sequence[str]]) -> Iterator[str]:
    hidden = len(frames) - OUTER_FRAMES - INNER_FRAMES
    for number, frame in enumerate(frames):
        if hidden > 1 and number == OUTER_FRAMES:
            yield f"  … ({hidden} frames omitted)"
        if hidden <= 1 or not OUTER_FRAMES <= number < OUTER_FRAMES + hidden:
            yield from frame


def _rank_output(lines: Sequence[str]) -> list[int]:
    """The lines by their worth: the first error, the tail and the beginning."""
    error = next((number for number, line in enumerate(lines) if _ERROR.search(line)), None)
    near = (
        [] if error is None else [*range(error, error + AFTER_ERROR + 1), *range(error - BEFORE_ERROR, error)]
    )
    order = dict.fromkeys(
        number
        for number in (*near[:1], len(lines) - 1, *near[1:], *_from_ends(len(lines)))
        if 0 <= number < len(lines)
    )
    return list(order)


def _best_within(lines: Sequence[str], ranked: Sequence[int], max_tokens: int, tokenizer: Tokenizer) -> str:
    """As many of the ``ranked`` lines as fit, in their order; empty where none does."""
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


def _join_kept(lines: Sequence[str], kept: Sequence[int]) -> str:
    parts: list[str] = []
    before = -1
    for number in sorted(kept):
        if number > before + 1:
            parts.append(_gap(number - before - 1))
        parts.append(lines[number])
        before = number
    if before < len(lines) - 1:
        parts.append(_gap(len(lines) - 1 - before))
    return "\n".join(parts)


def _gap(count: int) -> str:
    return f"… ({count} {'line' if count == 1 else 'lines'} omitted)"
