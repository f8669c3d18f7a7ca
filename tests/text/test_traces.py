"""Traces in output: where their frames are, and the line that says what happened."""

from __future__ import annotations

from contextls.text.traces import find_traces


def shown(text: str) -> list[tuple[str | None, str]]:
    """The message and the innermost frame of each trace in ``text``."""
    lines = text.split("\n")
    return [
        (
            None if trace.message is None else lines[trace.message],
            "\n".join(lines[number] for number in trace.frames[0]),
        )
        for trace in find_traces(lines)
    ]


def test_python_says_below_the_frames_what_was_raised() -> None:
    text = '  File "a.py", line 1, in a\n    b()\n  File "b.py", line 2, in b\n    1 / 0\n    ~~^~~\nZeroDivisionError: x'
    assert shown(text) == [("ZeroDivisionError: x", '  File "b.py", line 2, in b\n    1 / 0\n    ~~^~~')]


def test_the_frames_of_a_recursion_are_one_trace() -> None:
    frame = '  File "a.py", line 1, in a\n    a()'
    text = f"{frame}\n  [Previous line repeated 995 more times]\n{frame}\nRecursionError: x"
    assert shown(text) == [("RecursionError: x", frame)]


def test_a_trace_that_was_cut_off_has_no_message() -> None:
    assert shown('  File "a.py", line 1, in a\n    b()') == [(None, '  File "a.py", line 1, in a\n    b()')]
    assert shown('File "a.py", line 1\n    b(\nSyntaxError: x') == [
        ("SyntaxError: x", 'File "a.py", line 1\n    b(')
    ]


def test_other_languages_say_it_above() -> None:
    assert shown("TypeError: x\n    at f (a.js:1:2)\n    at g (a.js:3:4)\n\nend") == [
        ("TypeError: x", "    at f (a.js:1:2)")
    ]
    assert shown("java.io.IOException: a\n\tat A.b(A.java:1)\nCaused by: B.Error: c\n\tat C.d(C.java:2)") == [
        ("java.io.IOException: a", "\tat A.b(A.java:1)"),
        ("Caused by: B.Error: c", "\tat C.d(C.java:2)"),
    ]


def test_a_numbered_list_is_no_trace() -> None:
    assert shown("fruits\n  1: apples\n  2: pears\n  at the market") == []
