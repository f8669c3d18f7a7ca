"""Sessions of nox: which commands stand in a noxfile, and that no file is too odd to be looked through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.activity.nox_sessions import MAX_CHARS, MAX_LINES, find_session_commands

HEAD = "@nox.session\ndef tests(session):\n    "
TOKENS = st.sampled_from(
    [
        *"()[]{},=\n#'\"",
        "\\",
        "@nox.session",
        "\ndef tests(session",
        "session.run(",
        "nox.options.sessions = ",
        "posargs",
        "f'",
    ]
)


@pytest.mark.parametrize(
    ("call", "given_words", "line"),
    [
        ('session.run("pytest", "-q")', [], "pytest -q"),
        ("session.run('pytest', '-k', 'a b')", [], "pytest -k 'a b'"),
        ('session.run("pytest", *session.posargs)', ["--", "-x"], "pytest -x"),
        ('session.run("pytest", *(session.posargs or ("tests", "-v")))', [], "pytest tests -v"),
        ('session.run("pytest", *(session.posargs or ("tests", "-v")))', ["--", "a.py"], "pytest a.py"),
        (
            'session.run(  # (\n        "pytest",\n        env={"A": "b"},\n        silent=True,\n    )',
            [],
            "pytest",
        ),
        ('session.run("pytest", f"--cov={name}", "tests")', [], "pytest tests"),
        ('session.run_always("ruff", "check")', ["-R"], "ruff check"),
        ('session.install("x")\n    if session.posargs:\n        session.run("mypy")', [], "mypy"),
    ],
)
def test_what_a_session_runs_is_read_as_it_is_written(call: str, given_words: list[str], line: str) -> None:
    assert find_session_commands(given_words, {"noxfile.py": HEAD + call}.get) == [line]


def test_sessions_are_those_that_are_chosen_or_listed_or_all_by_default() -> None:
    def session(name: str, options: str = "") -> str:
        return f'@nox.session({options})\ndef {name}(session):\n    session.run("run-{name}")\n\n\n'

    text = session("a") + session("b", "default=False") + 'def c(session):\n    session.run("no-session")\n'
    assert find_session_commands([], {"noxfile.py": text}.get) == ["run-a"]
    assert find_session_commands(["-s", "b", "a"], {"noxfile.py": text}.get) == ["run-a", "run-b"]
    listed = f'nox.options.sessions = (\n    "b",\n)\n{text}'
    assert find_session_commands(["-v"], {"noxfile.py": listed}.get) == ["run-b"]
    for unread in (["-t", "quick"], ["-k", "a"], ["-f", "other.py"], ["--list"], ["-s", "d"]):
        assert find_session_commands(unread, {"noxfile.py": text}.get) == []


@given(st.lists(TOKENS, max_size=60).map("".join))
def test_no_file_is_too_odd(text: str) -> None:
    assert len(find_session_commands([], {"noxfile.py": text}.get)) <= MAX_LINES


@pytest.mark.parametrize(
    "unit", ["session.run(", "(", '"', "#", "@nox.session\ndef a(session):\n session.run('x', ", "f'"]
)
def test_the_largest_file_is_looked_through_within_bounds(unit: str) -> None:
    text = HEAD + unit * (MAX_CHARS // len(unit) - 9)
    assert len(find_session_commands([], {"noxfile.py": text}.get)) <= MAX_LINES
    assert find_session_commands([], {"noxfile.py": text + "#" * MAX_CHARS}.get) == []
