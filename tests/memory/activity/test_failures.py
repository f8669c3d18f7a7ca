"""What a failing command prints becomes errors with file, line, test and message, whatever tool printed it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.activity.failures import MAX_FAILURES, MAX_MESSAGE_CHARS, Failure, failures_in

from .tool_outputs import CASES, FILES, LINTERS, PYTEST, TSC


def resolve(printed: str) -> str | None:
    """As a workspace at /home/me/shop would: whole paths, relative ones, and tails that only one file has."""
    path = printed.removeprefix("/home/me/shop/").removeprefix("./")
    if path in FILES:
        return path
    found = [file for file in FILES if not path.startswith("/") and file.endswith(f"/{path}")]
    return found[0] if len(found) == 1 else None


@pytest.mark.parametrize("name", CASES)
def test_a_tools_output_names_what_failed_and_where(name: str) -> None:
    output, expected = CASES[name]
    found = failures_in(output, resolve)
    assert [(each.path, each.line, each.test, each.message) for each in found] == expected


def test_the_tools_own_code_is_kept() -> None:
    (first, _) = failures_in(TSC.output, resolve)
    assert (first.code, first.source) == ("TS2322", "tsc")
    assert [each.code for each in failures_in(LINTERS.output, resolve)] == [
        "F821",
        "",
        "",
        "F401",
        "no-undef",
    ]


def test_the_same_failure_counts_once_and_a_flood_is_bounded() -> None:
    line = "src/cart.c:{}:1: error: bad\n"
    assert len(failures_in(line.format(3) * 500, resolve)) == 1
    assert len(failures_in("".join(line.format(n) for n in range(1, 500)), resolve)) == MAX_FAILURES


def test_tests_that_fail_in_the_same_place_are_all_told() -> None:
    one = "____ {} ____\ntests/test_cart.py:12: in {}\n    f()\nshop/cart.py:5: in f\nE   Failed: Timeout (>1.0s)\n"
    summary = "FAILED tests/test_cart.py::test_a - Failed: Time...\nFAILED tests/test_cart.py::test_b - Failed: Timeo...\n"
    output = one.format("test_a", "test_a") + one.format("test_b", "test_b") + summary
    assert [(each.path, each.line, each.test) for each in failures_in(output, resolve)] == [
        ("shop/cart.py", 5, "tests/test_cart.py::test_a"),
        ("shop/cart.py", 5, "tests/test_cart.py::test_b"),
    ]


def test_different_errors_of_one_line_are_all_told() -> None:
    output = "src/cart.c:5:47: error: 'y' undeclared\nsrc/cart.c:5:51: error: 'z' undeclared\n" * 2
    assert [(each.line, each.message) for each in failures_in(output, resolve)] == [
        (5, "'y' undeclared"),
        (5, "'z' undeclared"),
    ]


def test_a_test_that_failed_in_two_environments_counts_once() -> None:
    """As tox and nox print one run of pytest after the other."""
    once = PYTEST.output
    assert failures_in(once * 2, resolve) == failures_in(once, resolve)


TOKENS = st.sampled_from(
    [
        "\n",
        "\r",
        " ",
        "    ",
        "E   ",
        "___ ",
        " ___",
        "at ",
        "(",
        ")",
        ":",
        "12",
        "a.py",
        "src/cart.c",
        ": error: ",
        "● ",
        "--> ",
        "Traceback (most recent call last):",
        'File "a.py", line 3',
        "FAILED a.py::t",
        "panic: ",
        "\x1b[31m",
        "\0",
        "\u2028",
        "--- FAIL: T",
        "FAIL  a.ts > b",
        "❯ ",
        "#",
        "::",
        "Error: x",
        "java.lang.Error",
        "\\",
        "[ERROR]   C.m:3 x",
    ]
)


@given(st.one_of(st.text(), st.lists(TOKENS, max_size=80).map("".join)))
def test_no_text_is_too_odd(text: str) -> None:
    def anything(path: str) -> str | None:
        return path if path.isprintable() else None

    found = failures_in(text, anything)
    assert len(found) <= MAX_FAILURES
    for each in found:
        assert isinstance(each, Failure)
        assert each.path
        assert 0 < len(each.message) <= MAX_MESSAGE_CHARS
        assert each.line is None or each.line >= 0


@pytest.mark.parametrize(
    "unit", ["_", " ", "a", "a.", "(", "a/", "at (", "E   ", "\\", "● ", ":1", "1) ", "A Error"]
)
def test_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        text = "\n".join(text[start : start + 5_000] for start in range(0, len(text), 5_000))
        started = time.thread_time()
        failures_in(text, resolve)
        return time.thread_time() - started

    seconds(1_000)
    assert seconds(1_000_000) < 1.0
