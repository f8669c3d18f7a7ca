"""What people say to a chat beside their question is not what to search for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.memory.index.query.asides import without_asides
from contextls.memory.index.query.long_queries import read_report
from contextls.memory.index.query.report_lines import LineKind
from contextls.model import AssembleRequest

QUESTION = "where is the queue stored?"
FILES = {
    "shop/queue.py": "def store_queue(queue):\n    return [item.key for item in queue]\n",
    "shop/project.py": "def tell_team(project):\n    return f'new {project}, thanks'\n",
    "shop/answer.py": "def answer_in_german(words):\n    return ' '.join(words)\n",
    "shop/notes.md": "# Code review\n\nPlease give file paths and line numbers.\n",
}


@contextmanager
def index(root: Path, files: Mapping[str, str]) -> Iterator[Engine]:
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    with Engine.open(root) as engine:
        engine.index()
        yield engine


@pytest.mark.parametrize(
    "message",
    [
        "Hi! I'm new to this project. Could you tell me {}", "Hey there, quick question: {}", "Question: {}", "so, {}",
        "I was wondering {}", "In this codebase, {}", "Noob question, {}", "{} Thanks in advance!", "{} Show me the code.",
        "{} Please give file paths and line numbers.", "{} Answer in German.", "{} Explain it like I'm five.",
        "You are an expert Android developer. {} Think step by step.", "As a senior engineer, {}",
        "@workspace {}", "/ask {}", "#codebase {}", "1. {}", "{} Which files are involved?",
        "Hi,\n\n{}\n\nThanks,\nAnna", "### Task\n{}\n- Be concise",
        "{} I couldn't find it.", "Need help understanding something. {} Any pointers would be great.",
    ],
)  # fmt: skip
def test_a_message_asks_what_it_asks_alone(message: str) -> None:
    assert without_asides(message.format(QUESTION)) == QUESTION


@pytest.mark.parametrize(
    "message",
    [
        "The search is wrong. Fix the ranking.", "Our list has no names. Where is the label set?", "explain this code",
        "I want a list of files. Sort them by path.", "Show line numbers. Fold the gutter.", "thanks", "Hi!", "help",
        "how do I show a project when it's archived?", "is there a project where users are saved?",
        "where is the answer to a question saved?", "I found an answer. Who can edit it?", "below which size is it kept?",
        "explain this and what it calls", "Use JSON instead of YAML. The loader is in conf.py", "what else calls it?",
        "Update the README. Add a flag.",
        "You are not allowed to log in. Why?", "As an admin, I want to ban users", "In which file is it?",
        "continue where I left off, please", "Why?\n```\nhello\n```",
    ],
)  # fmt: skip
def test_what_may_be_meant_stays(message: str) -> None:
    assert without_asides(message) == message


def test_a_chatty_message_gets_the_prompt_of_its_question(tmp_path: Path) -> None:
    with index(tmp_path, FILES) as engine:
        plain = engine.assemble(AssembleRequest(QUESTION, 1_000))
        asked = f"Hi team! I'm new to this project. {QUESTION} Please give file paths. Answer in German. Thanks, Tom"
        chatty = engine.assemble(AssembleRequest(asked, 1_000))
    assert [each.source for each in chatty.components] == [each.source for each in plain.components]
    assert chatty.content.startswith(asked)


@given(st.text(max_size=200))
def test_a_message_never_gains_words_nor_loses_all(text: str) -> None:
    asked = without_asides(text)
    assert len(asked) <= len(text)
    assert asked.strip() or not text.strip()


@pytest.mark.parametrize(
    "message",
    [
        "Our on-call rotation got paged twice last night, and nobody on the team knows this area since Maria left. "
        "I am writing a runbook and want to describe what is normal. {} Two or three sentences are enough for Confluence.",
        "Hello everyone,\n\nI am preparing a thesis about software quality and picked this repository as a case.\n\n"
        "{}\n\nPointers to old discussions are welcome as well.\n\nKind regards,\nJonas",
        "Context: we plan to migrate to a new vendor in the third quarter.\nGoal: estimate the effort.\n\n{}\n\n"
        "Constraints: mobile clients stay as they are.",
    ],
)
def test_a_long_message_is_about_its_question(tmp_path: Path, message: str) -> None:
    with index(tmp_path, FILES) as engine:
        first = engine.assemble(AssembleRequest(message.format(QUESTION), 1_000)).components[0]
    assert first.path == "shop/queue.py"


def test_an_issue_with_a_question_keeps_the_words_of_its_title() -> None:
    report = read_report(
        "Uploads fail with large pictures\n\nWe lose them at night. Is the size of pictures limited?"
    )
    assert [line for kind, line in report.lines if kind is LineKind.TITLE] == [
        "Is the size of pictures limited?", "Uploads fail with large pictures",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "message",
    [
        "The importer drops every second row of a sheet.\n\nWhy is that?",
        "We want to add a limit for the members of a group.\n\nWhere are members counted?",
        'Traceback (most recent call last):\n  File "shop/queue.py", line 2, in store_queue\nKeyError: key\n\nWhere is it?',
    ],
)
def test_a_report_keeps_its_title(message: str) -> None:
    assert read_report(message).title in ("KeyError: key", message.partition("\n")[0])
