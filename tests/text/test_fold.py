"""Logs made short: repetition told once, traces by their ends, the first error and the tail kept, never above the budget."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.text.fold import fold_diff, fold_output, is_log
from contextls.text.tokens import get_tokenizer

TOKENS = get_tokenizer("o200k_base")
PROGRESS = (
    "".join(f"\r{done:3d}% [{'#' * (done // 5):20}] {done * 3}/300 kB" for done in range(101))
    + "\nInstalled\n"
)
RETRIES = "".join(
    f"2026-03-0{n % 9 + 1}T10:00:{n:02d}.123Z WARN retry {n} in {n * 1.5} ms\n" for n in range(50)
)
PYTHON = (
    "collected 3 items\nTraceback (most recent call last):\n"
    + "".join(
        f'  File "/srv/app/layer{n}.py", line {n}, in step_{n}\n    return step_{n + 1}(x)\n'
        for n in range(30)
    )
    + "ValueError: odd total\n1 failed in 0.2s\n"
)
JAVA = (
    "Exception in thread main java.lang.IllegalStateException: no cart\n"
    + "".join(f"\tat shop.Layer{n}.call(Layer{n}.java:{n})\n" for n in range(40))
    + "Caused by: java.io.IOException: disk\n"
)
HEARTBEATS = "".join(f"2026-11-26 INFO worker {n} heartbeat ok\n" for n in range(3_000))
CELERY = """\
[2026-11-26 08:00:00,123: ERROR/ForkPoolWorker-1] Task app.add[1234] raised unexpected: TypeError("unsupported")
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/celery/app/trace.py", line 453, in trace_task
    R = retval = fun(*args, **kwargs)
  File "/usr/lib/python3/site-packages/celery/app/task.py", line 411, in __call__
    return self.run(*args, **kwargs)
  File "/home/jo/app/tasks.py", line 12, in add
    return x + y
TypeError: unsupported operand type(s) for +: 'int' and 'str'
"""
RAISED = "TypeError: unsupported operand type(s) for +: 'int' and 'str'"
# What stands for lines that are not shown, and how many those are.
STANDS_FOR = re.compile(
    r"\s*… \((?:×(\d+) (?:more|alike)|(\d+) (?:lines?|lines of \d+ frames|frames) omitted)\)"
)
MANY = "\n".join(f"step {word} {'x' * n}" for n, word in enumerate(["alpha", "beta", "gamma", "delta"] * 40))


def test_of_a_diff_the_lines_that_changed_stay() -> None:
    around = [f" line {number} of what stays as it is" for number in range(12)]
    diff = "\n".join([*around[:6], "-the old line", "+the new line", *around[6:]])
    short = fold_diff(diff, 24, TOKENS)
    assert "-the old line\n+the new line" in short
    assert TOKENS.count(short) <= 24
    assert fold_diff(diff, 1_000, TOKENS) == diff
    assert fold_diff(diff, 4, TOKENS) == ""


def test_a_progress_bar_becomes_its_last_state() -> None:
    short = fold_output(PROGRESS, 1000, TOKENS)
    assert short.splitlines() == ["100% [####################] 300/300 kB", "Installed", ""][
        :2
    ] or short.startswith("100%")
    assert short.count("kB") == 1


def test_lines_that_differ_in_times_and_numbers_are_told_once() -> None:
    lines = fold_output(RETRIES, 1000, TOKENS).strip().splitlines()
    assert len(lines) == 3
    assert "retry 0 " in lines[0]
    assert lines[1] == "… (×48 alike)"
    assert "retry 49 " in lines[2]


@pytest.mark.parametrize(
    ("trace", "outer", "inner", "hidden"),
    [
        (PYTHON, "layer0.py", "layer29.py", "layer15.py"),
        (JAVA, "Layer0.", "Layer39.", "Layer20."),
    ],
)
def test_a_trace_keeps_its_ends_and_its_message(trace: str, outer: str, inner: str, hidden: str) -> None:
    short = fold_output(trace, 2000, TOKENS)
    assert outer in short
    assert inner in short
    assert hidden not in short
    assert "frames omitted)" in short
    for line in trace.splitlines():
        if not line.startswith((" ", "\t")):
            assert line in short


def test_the_first_error_and_the_tail_stay_when_little_fits() -> None:
    log = (
        MANY
        + "\nsrc/cart.py:12: error: total is None\n"
        + MANY.replace("step", "later")
        + "\nBuild failed in 3 s"
    )
    short = fold_output(log, 60, TOKENS)
    assert TOKENS.count(short) <= 60
    assert "src/cart.py:12: error: total is None" in short
    assert short.endswith("Build failed in 3 s")
    assert "lines omitted)" in short


@pytest.mark.parametrize("most", [100, 150, 200])
def test_what_a_trace_says_and_its_innermost_frame_stay_first(most: int) -> None:
    short = fold_output(HEARTBEATS + CELERY + "\n" + HEARTBEATS, most, TOKENS)
    assert RAISED in short
    assert '  File "/home/jo/app/tasks.py", line 12, in add\n    return x + y\n' in short


def test_where_little_fits_the_message_of_the_trace_does() -> None:
    short = fold_output(HEARTBEATS + CELERY + HEARTBEATS, 50, TOKENS)
    assert short == f"… (3008 lines omitted)\n{RAISED}\n… (3000 lines omitted)"


def test_a_trace_that_names_its_error_above_keeps_that_and_the_first_frame() -> None:
    short = fold_output(HEARTBEATS + JAVA + HEARTBEATS, 60, TOKENS)
    assert "IllegalStateException: no cart\n\tat shop.Layer0.call" in short


def test_the_last_of_a_chain_of_traces_is_kept_too() -> None:
    second = CELERY.replace("TypeError: unsupported", "RuntimeError: cannot add, unsupported")
    chained = f"{CELERY}\nDuring handling of the above exception, another exception occurred:\n\n{second}"
    short = fold_output(HEARTBEATS + chained + HEARTBEATS, 250, TOKENS)
    assert RAISED in short
    assert "RuntimeError: cannot add, unsupported" in short


def test_the_first_error_stays_beside_a_trace_that_comes_later() -> None:
    text = f"cart.py:12: error: total is None\n{HEARTBEATS}{CELERY}"
    short = fold_output(text, 80, TOKENS)
    assert short.startswith("cart.py:12: error: total is None\n… (")
    assert RAISED in short


def test_lines_that_were_told_once_count_as_what_they_were() -> None:
    short = fold_output(HEARTBEATS + "\n\n\n" + CELERY + HEARTBEATS, 100, TOKENS)
    assert short.startswith("… (3003 lines omitted)\n[2026")
    assert short.endswith("\n… (3000 lines omitted)")


def test_frames_that_are_left_out_are_counted_with_their_code() -> None:
    assert "… (48 lines of 24 frames omitted)" in fold_output(PYTHON, 2_000, TOKENS)
    assert "\t… (34 frames omitted)" in fold_output(JAVA, 2_000, TOKENS)


def test_text_without_repetition_that_fits_stays_as_it_is() -> None:
    assert fold_output("one\ntwo\nthree", 100, TOKENS) == "one\ntwo\nthree"


def test_colours_are_taken_out() -> None:
    assert fold_output("\x1b[31mred\x1b[0m error \x1b]8;;http://a\x07link", 100, TOKENS) == "red error link"


@pytest.mark.parametrize("text", [RETRIES, PYTHON, JAVA])
def test_logs_are_told_from_prose(text: str) -> None:
    assert is_log(text)
    prose = "The cart keeps what a customer wants.\nIt knows no prices.\nThose come from elsewhere.\nNothing fails here."
    assert not is_log(prose)


lines = st.lists(
    st.sampled_from(
        [*PYTHON.splitlines(), *RETRIES.splitlines()[:6], *JAVA.splitlines()[:6], "", "\r50%\r", "\x1b[2K"]
    )
    | st.text(max_size=60)
    | st.builds(
        lambda word, count: word * count, st.sampled_from(["a ", "é", "0x9f", "#"]), st.integers(1, 900)
    ),
    max_size=80,
)


@given(lines.map("\n".join), st.integers(0, 300), st.sampled_from(["o200k_base", "estimate"]))
def test_a_folded_log_never_counts_more_than_asked_and_is_always_the_same(
    text: str, most: int, name: str
) -> None:
    tokenizer = get_tokenizer(name)
    short = fold_output(text, most, tokenizer)
    assert tokenizer.count(short) <= most
    assert short == fold_output(text, most, tokenizer)


runs = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "unit {n} compiled",
                "retry",
                "error: unit {n} is missing",
                " note",
                PYTHON.rstrip(),
                JAVA.rstrip(),
            ]
        ),
        st.integers(1, 6),
    ),
    min_size=1,
    max_size=30,
)


@given(runs, st.booleans(), st.integers(0, 400))
def test_lines_that_are_shown_and_left_out_are_those_of_the_text(
    blocks: list[tuple[str, int]], blank: bool, most: int
) -> None:
    parts = [block.replace("{n}", str(n)) for block, times in blocks for n in range(times)]
    text = ("\n\n" if blank else "\n").join(parts) + "\n"
    short = fold_output(text, most, TOKENS)
    found = [STANDS_FOR.fullmatch(line) for line in short.split("\n")]
    counted = sum(int(match[1] or match[2]) if match else 1 for match in found)
    assert not short or counted == text.count("\n")


@pytest.mark.parametrize("most", [40, 60, 90, 120, 200])
@pytest.mark.parametrize(
    "text", [JAVA, PYTHON, HEARTBEATS + CELERY + HEARTBEATS], ids=["java", "python", "celery"]
)
def test_what_is_missing_in_one_place_is_told_once(text: str, most: int) -> None:
    shown = fold_output(text, most, TOKENS).split("\n")
    notes = [bool(STANDS_FOR.fullmatch(line)) for line in shown]
    assert not any(first and second for first, second in pairwise(notes))
