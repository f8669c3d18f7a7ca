"""``contextls chat``: conversations come in, are looked at, cut down and given away again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import TIME, Run

SAID = "The sums differ in the last digit, and I do not know where they are rounded. " * 6
MESSAGES = [
    {"role": "system", "content": "You review code."},
    {"role": "user", "content": f"Why is the total wrong? {SAID}"},
    {"role": "assistant", "content": f"Rounding. {SAID}"},
    {"role": "user", "content": "Then use Decimal instead of float."},
    {"role": "assistant", "content": "Done."},
]


@pytest.fixture
def chat(inline: Run, workspace: Path, tmp_path: Path) -> str:
    """The id of a conversation of two turns."""
    file = tmp_path / "review.json"
    file.write_text(json.dumps(MESSAGES))
    return inline("chat", "import", file, "--root", workspace, check=0).stdout.strip()


def rows(done: Any) -> list[list[str]]:  # noqa: ANN401 - what a run gives
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_a_conversation_comes_in_and_is_listed(inline: Run, workspace: Path, chat: str) -> None:
    (row,) = rows(inline("chat", "list", "--root", workspace, check=0))
    assert (row[0], row[1], row[3]) == (chat, "4", "messages: review.json")
    assert TIME.fullmatch(row[2])
    assert row[4].startswith("Why is the total wrong?")
    listed = json.loads(inline("chat", "list", "--root", workspace, "--json", check=0).stdout)
    assert listed["conversations"][0]["systemContext"] == "You review code."


def test_a_conversation_of_standard_input(contextls: Run, workspace: Path) -> None:
    done = contextls(
        "chat", "import", "-", "--title", "Sums", "--root", workspace, stdin=json.dumps(MESSAGES), check=0
    )
    assert "4 nodes: Sums" in done.stderr


def test_brackets_without_end_are_said_in_plain_words(
    contextls: Run, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    done = contextls("chat", "import", tmp_path / "deep.json", "--root", workspace, check=2)
    assert done.stderr.endswith("expected messages as JSON (nested too deeply)\n")


def test_what_is_excluded_is_shown_as_such_and_goes_nowhere(inline: Run, workspace: Path, chat: str) -> None:
    inline("chat", "exclude", chat, "node-2", "--root", workspace, check=0)
    shown = rows(inline("chat", "show", chat, "--root", workspace, check=0))
    assert [(row[0], row[1], row[2]) for row in shown] == [
        ("node-1", "you", ""),
        ("node-2", "model", "excluded"),
        ("node-3", "you", ""),
        ("node-4", "model", ""),
    ]
    exported = json.loads(inline("chat", "export", chat, "--root", workspace, check=0).stdout)
    assert [message["role"] for message in exported["messages"]] == ["system", "user", "assistant"]
    assert "Rounding" not in json.dumps(exported)
    done = inline("chat", "exclude", chat, "node-2", "--undo", "--root", workspace, check=0)
    assert "node-2 is back in" in done.stderr


def test_old_turns_are_summed_up(inline: Run, workspace: Path, chat: str, tmp_path: Path) -> None:
    done = inline("chat", "compact", chat, "--keep", "1", "--to", "100", "--root", workspace, check=0)
    assert done.stdout.startswith("Extracted from turn 1 by rules, without a model")
    assert "- Why is the total wrong? (turn 1)" in done.stdout
    shown = rows(inline("chat", "show", chat, "--root", workspace, check=0))
    assert [row[2] for row in shown] == ["summed up", "summed up", "", "", ""]
    assert shown[-1][1] == "summary"
    inline("chat", "exclude", chat, "node-5", "--root", workspace, check=0)
    notes = tmp_path / "notes.md"
    notes.write_text("They round too early.\n")
    done = inline("chat", "compact", chat, "--keep", "1", "--summary", notes, "--root", workspace, check=0)
    assert done.stdout.strip() == "They round too early."


def test_a_whole_tree_moves_to_another_workspace(
    inline: Run, workspace: Path, chat: str, tmp_path: Path
) -> None:
    tree = inline("chat", "export", chat, "--format", "tree", "--root", workspace, check=0).stdout
    file, other = tmp_path / "tree.json", tmp_path / "other"
    file.write_text(tree)
    other.mkdir()
    inline("chat", "import", file, "--root", other, check=0)
    assert inline("chat", "export", "chat-1", "--root", other, check=0).stdout == (
        inline("chat", "export", chat, "--root", workspace, check=0).stdout
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("show", "chat-9"), "ID: expected the id of a conversation of this workspace, got 'chat-9'"),
        (("exclude", "chat-1", "node-9"), "NODE: expected the id of a node of chat-1, got 'node-9'"),
        (("compact", "chat-1"), "there are 2 to sum up, and the last 3 always stay"),
        (("export", "chat-1", "--format", "claude-code"), "--format: expected messages or tree"),
        (("import", "nothing.json"), "FILE: expected a file that can be read"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    inline: Run, workspace: Path, chat: str, arguments: tuple[str, ...], problem: str
) -> None:
    assert chat == "chat-1"
    done = inline("chat", *arguments, "--root", workspace)
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1


def test_conversations_are_deleted_one_by_one_or_all(inline: Run, workspace: Path, chat: str) -> None:
    inline("chat", "delete", chat, "--yes", "--root", workspace, check=0)
    assert "no conversations" in inline("chat", "list", "--root", workspace, check=0).stderr


@pytest.mark.parametrize(
    "arguments", [("chat", "delete", "chat-1"), ("task", "clear"), ("clear", "--events")]
)
def test_nothing_is_deleted_unasked_where_nobody_can_answer(
    inline: Run, workspace: Path, chat: str, arguments: tuple[str, ...]
) -> None:
    done = inline(*arguments, "--root", workspace)
    assert done.returncode == 2
    assert ": nobody is there to ask; add --yes" in done.stderr
    assert "Invalid" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert rows(inline("chat", "list", "--root", workspace, check=0))[0][0] == chat


def test_clearing_a_workspace_forgets_its_conversations(inline: Run, workspace: Path, chat: str) -> None:
    assert chat
    inline("clear", workspace, "--index", "--yes", check=0)
    assert rows(inline("chat", "list", "--root", workspace, check=0)) != []
    done = inline("clear", workspace, "--conversations", "--yes", check=0)
    assert done.stdout == "1 conversation deleted\n"
    assert rows(inline("chat", "list", "--root", workspace, check=0)) == []
