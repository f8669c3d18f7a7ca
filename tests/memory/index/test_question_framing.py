"""The words with which a question only asks to be told say nothing of what it is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.query.framing import without_framing, without_measures

from ..workspaces import opened, write


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("explain the request lifecycle", "the request lifecycle"),
        ("Explain request lifecycle", "request lifecycle"),
        ("explain parse_header()", "parse_header()"),
        ("describe to me how tokens expire", "how tokens expire"),
        ("walk me through the indexing", "the indexing"),
        ("Hi, can you please tell me about retries?", "retries?"),
        ("could you give me a high-level overview of the cache", "the cache"),
        ("Help me understand why saves are slow", "why saves are slow"),
        ("I want to understand how routes are matched", "how routes are matched"),
        ("i'd like you to explain how routes are matched", "how routes are matched"),
        ("show me where users are banned", "where users are banned"),
        ("how does the request lifecycle work?", "how does the request lifecycle"),
        ("write a test for parse_header", "test for parse_header"),
        ("please add some unit tests for Request", "unit tests for Request"),
        ("explain how branches work under the hood", "how branches"),
        ("which setting controls how long it waits?", "which setting how long it waits?"),
        ("what governs when a key expires?", "what when a key expires?"),
    ],
)
def test_framing_is_left_out(question: str, asked: str) -> None:
    assert without_framing(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "explain",
        "explain this",
        "explain analyze",
        "describe table",
        "where do we explain a refusal?",
        "i want to add a flag that explains the plan",
        "walk the tree",
        "write a test for this",
        "write a test that headers are folded",
        "write the tests into a file",
        "how does it work?",
        "which controls are shown when a sheet is read?",
        "where is the access control list read?",
        "where is it decided whether a key may write?",
        "how do I find the unit of work?",
        "the upload does not work",
        "show the sidebar on hover",
        "tell the client why it was refused",
    ],
)
def test_words_that_may_be_the_subject_stay(question: str) -> None:
    assert without_framing(question) == question


@given(st.text(max_size=120))
def test_the_end_of_a_question_always_stays(text: str) -> None:
    asked = without_framing(f"please explain to me {text}")
    assert f"please explain to me {text}".endswith(asked)
    assert asked.strip() or not text.strip()


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("how far does it jump back?", "how does it jump back?"),
        ("where is it decided how often a job may fail?", "where is it decided how a job may fail?"),
        ("how close do two words have to be?", "how do two words have to be?"),
        ("how close are two words?", "how are two words?"),
        ("how long does it wait?", "how long does it wait?"),
        ("how often jobs run", "how often jobs run"),
        ("how far", "how far"),
        ("show how close() is called", "show how close() is called"),
    ],
)
def test_words_that_ask_for_an_amount_are_left_out(question: str, asked: str) -> None:
    assert without_measures(question) == asked


def test_what_is_far_is_not_what_jumps_back(tmp_path: Path) -> None:
    progress = "def so_far(job):\n    return job.far\n\n\ndef set_so_far(job, far):\n    job.far = far\n"
    resume = "def jump_back(position, pause):\n    return position - (20 if pause > 60 else 3)\n"
    with opened(write(tmp_path, {"net/progress.py": progress, "player/resume.py": resume})) as engine:
        assert engine.search("how far is the jump?", 5).hits[0].path == "player/resume.py"


def test_code_called_like_the_framing_does_not_lead(tmp_path: Path) -> None:
    walker = "def walk_me_through(tree):\n    for walked in tree:\n        yield walk_me_through(walked)\n"
    indexing = "def index_files(files):\n    return {each: indexing.read(each) for each in files}\n"
    with opened(write(tmp_path, {"tree/walk.py": walker, "lib/indexing.py": indexing})) as engine:
        assert engine.search("walk me through the indexing", 5).hits[0].path == "lib/indexing.py"
