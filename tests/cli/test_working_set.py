"""``pin``, ``unpin``, ``exclude``, ``include`` and ``pins``: what a shell pins, every prompt holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


def lines(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def test_a_pin_leads_the_next_prompt_and_an_exclusion_is_in_none(inline: Run, workspace: Path) -> None:
    done = inline("pin", "README.md", workspace, "--priority", "0.9", "--role", "system", check=0)
    assert lines(done.stdout) == [["pinned", "0.9", "README.md", "system, middle"]]
    inline("exclude", "app/temperature.py", workspace, check=0)
    question = "how is kelvin converted to celsius?"
    prompt = inline("assemble", question, workspace, check=0).stdout
    assert prompt.startswith(f"{question}\n\n## Working Set\n\n### `README.md:1-3` (system)")
    assert "celsius_from_kelvin" not in prompt
    shown = inline("pins", workspace, check=0)
    assert lines(shown.stdout) == [
        ["pinned", "0.9", "README.md", "system, middle"],
        ["excluded", "", "app/temperature.py", ""],
    ]
    inline("include", "app/temperature.py", workspace, check=0)
    inline("unpin", "README.md", workspace, check=0)
    shown = inline("pins", workspace, check=0)
    assert (shown.stdout, shown.stderr) == ("", "nothing is pinned or excluded\n")
    assert "celsius_from_kelvin" in inline("assemble", "kelvin to celsius", workspace, check=0).stdout


def test_nothing_is_left_of_a_working_set_that_is_empty_again(contextls: Run, workspace: Path) -> None:
    contextls("pin", "README.md", workspace, check=0)
    contextls("exclude", "web/", workspace, check=0)
    assert contextls("unpin", "README.md", workspace, check=0).stderr == ""
    emptied = contextls("include", "web/", workspace, check=0)
    assert "nothing is pinned or excluded" in emptied.stderr
    assert not (workspace / ".context").exists()
    (workspace / ".context").mkdir()
    (workspace / ".context/working-set.yml").write_text("# What we read first.\nfiles:\n  - README.md\n")
    contextls("unpin", "README.md", workspace, check=0)
    assert (workspace / ".context/working-set.yml").read_text() == "# What we read first.\nfiles:\n"


def test_what_is_not_there_is_told(inline: Run, workspace: Path) -> None:
    inline("pin", "README.md", workspace, check=0)
    for command, problem in (("unpin", "web/ is not pinned"), ("include", "web/ is not excluded")):
        done = inline(command, "web/", workspace)
        assert (done.returncode, done.stderr) == (1, f"{problem}\n")
    done = inline("exclude", "secrets.yml", workspace, check=0)
    assert done.stderr == "warning: there is no secrets.yml here\n"
    assert inline("exclude", "app/mail.py", workspace, check=0).stderr == ""


def test_what_is_wrong_with_an_update_is_named_as_it_was_typed(inline: Run, workspace: Path) -> None:
    done = inline("working-set", "undo", "update-99", "--root", workspace)
    assert (done.returncode, done.stderr) == (1, "there is no update-99 to undo\n")
    done = inline("working-set", "add", "README.md", "--why", "", "--root", workspace)
    assert done.stderr.startswith("contextls: --why: expected why")


def test_symbols_and_folders_are_named_from_the_current_folder(inline: Run, workspace: Path) -> None:
    done = inline(
        "pin", "mail.py#Mailbox.deliver", workspace, "--strategy", "never", cwd=workspace / "app", check=0
    )
    assert lines(done.stdout) == [["pinned", "0.8", "app/mail.py#Mailbox.deliver", "context, never"]]
    view = json.loads(inline("pin", "web", workspace, "--max-lines", "9", "--json", check=0).stdout)
    assert [(each["path"], each["symbol"], each["folder"], each["maxLines"]) for each in view["files"]] == [
        ("app/mail.py", "Mailbox.deliver", False, None),
        ("web", None, True, 9),
    ]
    assert view["location"] == str(workspace / ".context" / "working-set.yml")
    inline("unpin", "web/", workspace, check=0)
    assert "web" not in inline("pins", workspace, check=0).stdout


def test_a_root_that_is_given_counts_before_the_current_folder(inline: Run, workspace: Path) -> None:
    app = workspace / "app"
    for name in ("README.md", "guide.md"):
        (app / name).write_text("# Temperatures\n")
    for root in ([workspace], ["--root", workspace], [".."]):
        done = inline("pin", "README.md", *root, cwd=app, check=0)
        assert lines(done.stdout)[0][2] == "README.md"
        inline("unpin", "README.md", *root, cwd=app, check=0)
    for what in ("app/README.md", "guide.md", "*.md"):
        inline("pin", what, workspace, cwd=app, check=0)
    inline("pin", "*.md", cwd=app, check=0)
    shown = lines(inline("pins", workspace, check=0).stdout)
    assert {each[2] for each in shown} == {"app/README.md", "app/guide.md", "*.md", "app/*.md"}
    inline("exclude", "README.md", workspace, cwd=app, check=0)
    inline("exclude", "guide.md", cwd=app, check=0)
    shown = lines(inline("pins", workspace, check=0).stdout)
    assert {each[2] for each in shown if each[0] == "excluded"} == {"README.md", "app/guide.md"}


def test_what_a_model_does_says_why_and_is_undone(inline: Run, workspace: Path) -> None:
    inline("pin", "README.md", workspace, "--priority", "0.2", check=0)
    add = ("add", "app/mail.py#Mailbox.deliver", "--why", "letters go in here", "--root", workspace)
    done = inline("working-set", *add, check=0)
    added = [
        "pinned",
        "0.7",
        "app/mail.py#Mailbox.deliver",
        "context, middle, by a model: letters go in here",
    ]
    assert lines(done.stdout) == [["pinned", "0.2", "README.md", "context, middle"], added]
    refused = inline("working-set", "remove", "README.md", "--why", "done", "--root", workspace, check=1)
    assert "README.md: the user pinned it, with priority 0.2; propose it to them instead" in refused.stderr
    shown = inline("pins", workspace, check=0)
    assert lines(shown.stdout)[2] == [
        "update-1",
        "add_to_working_set",
        "app/mail.py#Mailbox.deliver",
        "letters go in here",
    ]
    adjust = (
        "adjust",
        "app/mail.py#Mailbox.deliver",
        "--priority",
        "0.1",
        "--why",
        "less",
        "--root",
        workspace,
    )
    answer = json.loads(inline("working-set", *adjust, "--json", check=0).stdout)
    assert (answer["applied"], answer["id"]) == (True, "update-2")
    undone = inline("working-set", "undo", "--root", workspace, check=0)
    assert (undone.stderr, lines(undone.stdout)[1]) == ("undid update-2\n", added)
    inline("working-set", "undo", "update-1", "--root", workspace, check=0)
    assert "nothing to undo" in inline("working-set", "undo", "--root", workspace, check=0).stderr
    told = inline("activity", workspace, check=0).stdout
    assert "added to the working set" in told
    assert "refused: `README.md` removed from the working set" in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("pin", "gone.py"), "PATH: expected a readable file or folder in the workspace (no such file)"),
        (("pin", "secret/plan.md"), "ignored by git"),
        (("pin", "go.sum"), "a line in .contextlsignore takes it back), got 'go.sum'"),
        (("pin", "../elsewhere.py"), "PATH: expected a file inside the workspace"),
        (("pin", "."), "PATH: expected a file or a folder below the workspace, not the whole of it, got '.'"),
        (("exclude", "app/.."), "not the whole of it, got 'app/..'"),
        (("unpin", ""), "not the whole of it, got ''"),
        (("pin", "app/mail.py#Nobody"), "SYMBOL: expected a symbol of that file (no such symbol)"),
        (
            ("pin", "app/mail.py:9000"),
            "PATH: expected a readable file or folder in the workspace (its file has only",
        ),
        (("pin", "README.md", "--priority", "3"), "--priority: expected a number from 0 to 1"),
        (
            ("pin", "README.md", "--role", "boss"),
            "expected one of system, developer, user, context, got 'boss'",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    inline: Run, workspace: Path, arguments: tuple[str, ...], told: str
) -> None:
    (workspace / "go.sum").write_text("example.org/a v1.0.0\n")
    done = inline(*arguments, cwd=workspace, check=2)
    assert told in done.stderr.splitlines()[-1]
    assert not (workspace / ".context").exists()


def test_a_broken_file_is_left_alone(inline: Run, workspace: Path) -> None:
    file = workspace / ".context" / "working-set.yml"
    file.parent.mkdir()
    file.write_text("files:\n  - path: a\n - b\n")
    done = inline("pin", "README.md", workspace, check=3)
    assert "line 3" in done.stderr
    assert file.read_text() == "files:\n  - path: a\n - b\n"
    assert "line 3" in inline("pins", workspace, check=0).stderr
