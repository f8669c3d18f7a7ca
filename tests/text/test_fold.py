"""Logs made short: repetition told once, traces by their ends, the first error and the tail kept, never above the budget."""

from __future__ import annotations

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
