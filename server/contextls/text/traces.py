"""Stack traces in the output of programs: their frames, from where it broke outwards, and what they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.indentation import indent_of

# Bounded, so that a line made for it costs no more than a long one.
_PYTHON_FRAME = compile_late(r'\s*File "[^"\n]{1,400}", line \d+')
_FRAME = compile_late(r"\s+at .{1,390}|\s+from .{1,390}:\d+:in .{1,390}|\s+\d{1,4}: +\S.{0,390}")
# Python says so of a recursion; "…" stands for frames that were left out already.
_BETWEEN_FRAMES = ("[Previous line repeated", "…")
_ERROR = compile_late(
    r"\b(?:\w*(?:Error|Exception)|error|ERROR|fatal|FATAL|FAILED|FAIL|failed|panic(?:ked)?|Traceback|undefined reference)\b"
)


class Trace(Struct, frozen=True):
    """Places of lines: of the ``message``, where there is one, and of each frame, the innermost first."""

    message: int | None
    frames: tuple[range, ...]


def is_python_frame(line: str) -> bool:
    """Whether ``line`` begins a frame of Python, which may have lines of code below it."""
    return bool(_PYTHON_FRAME.match(line))


def is_frame(line: str) -> bool:
    """Whether ``line`` is a frame, or begins one."""
    return is_python_frame(line) or bool(_FRAME.fullmatch(line))


def speaks_of_error(line: str) -> bool:
    """Whether ``line`` tells of a failure."""
    return bool(_ERROR.search(line))


def find_traces(lines: Sequence[str]) -> Iterator[Trace]:
    """The traces in ``lines``, in order. Numbered and indented lines are one only below an error."""
    number = 0
    while number < len(lines):
        first = number
        if is_python_frame(lines[number]):
            number = _end_of_python_trace(lines, first)
            yield _read_python_trace(lines, first, number)
        elif is_frame(lines[number]):
            while number < len(lines) and _FRAME.fullmatch(lines[number]):
                number += 1
            if first and speaks_of_error(lines[first - 1]):
                yield Trace(first - 1, tuple(range(each, each + 1) for each in range(first, number)))
        else:
            number += 1


def _end_of_python_trace(lines: Sequence[str], first: int) -> int:
    """The number of the line after the frames, which says what was raised."""
    indent = len(indent_of(lines[first]))
    number = first + 1
    while number < len(lines) and (
        len(indent_of(lines[number])) > indent
        or is_python_frame(lines[number])
        or lines[number].lstrip().startswith(_BETWEEN_FRAMES)
    ):
        number += 1
    return number


def _read_python_trace(lines: Sequence[str], first: int, end: int) -> Trace:
    starts = [number for number in range(first, end) if is_python_frame(lines[number])]
    frames = tuple(map(range, starts, [*starts[1:], end]))
    return Trace(end if end < len(lines) and lines[end] else None, frames[::-1])
