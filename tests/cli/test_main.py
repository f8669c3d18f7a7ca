"""What all commands have in common: help, exit statuses, one clear line when something is wrong."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from contextls.cli.help import GROUPS
from contextls.cli.options import parse_tokens

from .conftest import Run
from .terminals import SHELLS, Terminal

COMMANDS = ["serve", "index", "search", "assemble", "events", "record", "status", "clear"]
LEAVES = [
    ["serve"],
    ["index"],
    ["search"],
    ["assemble"],
    ["events"],
    ["record", "shell_exec"],
    ["record", "file_read"],
    ["record", "file_write"],
    ["record", "error"],
    ["status"],
    ["clear"],
]
ON_A_ROOT = [
    ["index"],
    ["search", "mail"],
    ["search", "mail", "--no-index"],
    ["assemble", "mail"],
    ["events"],
    ["status"],
    ["clear", "--index", "--yes"],
]


def test_help_lists_every_command(contextls: Run) -> None:
    done = contextls("--help", check=0)
    listed = re.findall(r"^  ([a-z]\w*)  ", done.stdout, re.MULTILINE)
    assert set(COMMANDS) <= set(listed)
    assert "ask" not in listed
    assert done.stderr == ""


def test_commands_stand_in_groups(inline: Run) -> None:
    page = inline("--help", check=0).stdout
    titles = re.findall(r"^(\S.*):$", page, re.MULTILINE)
    assert titles == ["Options", *GROUPS]
    assert re.search(r"^Ask:\n  assemble +Print the best prompt for a question\.$", page, re.MULTILINE)
    assert "..." not in page.partition("Examples:")[0].partition("Ask:")[2], "no sentence is cut"


@pytest.mark.parametrize("words", [[], ["record"], ["task"], ["chat"]], ids=" ".join)
def test_without_arguments_the_help_is_printed(inline: Run, words: list[str]) -> None:
    done = inline(*words, check=0)
    assert done.stdout == inline(*words, "--help", check=0).stdout == inline(*words, "-h", check=0).stdout
    assert done.stderr == ""


@pytest.mark.parametrize("words", [["how is auth checked?"], ["how", "is", "auth", "checked?"]])
def test_a_question_in_the_place_of_a_command_says_how_to_ask(inline: Run, words: list[str]) -> None:
    said = inline(*words, check=2).stderr
    assert "To ask: contextls assemble 'how is auth checked?'" in said
    assert "To ask" not in inline("record", "how", "is", check=2).stderr
    assert "To ask" not in inline("assamble", "how is auth checked?", check=2).stderr


@pytest.mark.parametrize("plain", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_a_terminal_gets_colours(tmp_path: Path, plain: dict[str, str]) -> None:
    terminal = Terminal("bash", tmp_path, {"TERM": "xterm", **plain})
    shown = terminal.type(f"{sys.executable} -m contextls.cli.main -h; echo sho''wn", "shown")
    terminal.close()
    assert ("\x1b[1mWorkspace\x1b[0m:" in shown) == (not plain)
    assert ("\x1b[36m--version\x1b[0m" in shown) == (not plain)
    assert "\x1b[36mbudget" not in shown, "the end of a sentence is no command"


@pytest.mark.parametrize(
    ("given", "tokens"), [("4k", 4000), ("1.5K", 1500), ("4_000", 4000), ("250", 250), ("1m", 1_000_000)]
)
def test_numbers_of_tokens_as_people_write_them(given: str, tokens: int) -> None:
    assert parse_tokens(given) == tokens


@pytest.mark.parametrize("command", ["assemble", "ask", "compress", "pack"])
def test_a_budget_goes_by_either_of_its_names(inline: Run, command: str) -> None:
    described = inline(command, "--help", check=0).stdout
    assert "--budget" in described
    assert "--max-tokens" in described


@pytest.mark.parametrize("given", ["0", "-1", "k", "1.2345k", "4 thousand", "0.5", "", "9" * 40])
def test_what_is_no_number_of_tokens_is_said(inline: Run, given: str) -> None:
    done = inline("compress", f"--max-tokens={given}", check=2)
    assert "such as 4000 or 4k" in done.stderr


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("gpt4o", "gpt-4o"),
        ("o200k", "o200k_base"),
        ("claud-sonnet-4", "claude"),
        ("cl100k-base", "cl100k_base"),
    ],
)
def test_an_unknown_tokenizer_gets_the_nearest(inline: Run, given: str, nearest: str) -> None:
    done = inline("tokens", __file__, "--tokenizer", given, check=2)
    assert f"did you mean {nearest}?" in done.stderr


@pytest.mark.parametrize(
    "name", ["gpt-4o", "claude-sonnet-4", "anthropic/claude-3", "qwen3-coder", "estimate"]
)
def test_other_models_are_counted(inline: Run, name: str) -> None:
    inline("tokens", __file__, "--tokenizer", name, check=0)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands_and_values(shell: str, tmp_path: Path) -> None:
    """A real shell, with the program in its PATH; TAB twice, as people press it."""
    terminal = Terminal(shell, tmp_path, {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"})
    if shell == "zsh":
        terminal.type("autoload -U compinit; compinit -u -D; echo lo''aded", "loaded")
    source = (
        "contextls completion fish | source" if shell == "fish" else f'eval "$(contextls completion {shell})"'
    )
    terminal.type(f"{source}; echo rea''dy", "ready")
    terminal.send("contextls asse\t\t", "assemble")
    terminal.send("x --archet\t\t", "--archetype")
    terminal.send("\x15contextls hook clau\t\t", "claude-code")
    terminal.close()


@pytest.mark.parametrize("command", LEAVES, ids=" ".join)
def test_help_shows_examples_and_exit_statuses(inline: Run, command: list[str]) -> None:
    text = inline(*command, "--help", check=0).stdout
    assert "Examples:\n    contextls " + " ".join(command) in text
    assert "Exit status: 0 done; 1 nothing found" in text


def test_help_costs_little_more_than_the_library_that_prints_it() -> None:
    def cpu_seconds(*arguments: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    # Both are measured side by side: what a second of a processor is worth depends on what else runs.
    pairs = (
        (cpu_seconds("-m", "contextls.cli.main", "--help"), cpu_seconds("-c", "import typer"))
        for _ in range(9)
    )
    assert any(help_page < 4 * library for help_page, library in pairs)


def test_the_version_is_printed(inline: Run) -> None:
    from contextls import __version__

    assert inline("--version", check=0).stdout == f"contextls {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["serch"], "serch"),
        (["search"], "QUERY"),
        (["search", "mail", "--limit", "0"], "--limit"),
        (["search", "mail", "--limit", "many"], "--limit"),
        (["search", "mail", "--colour"], "--colour"),
        (["assemble"], "QUERY"),
        (["assemble", "mail", "--line", "3"], "--line"),
        (["record", "shell_exec", "--exit-code", "0"], "--command"),
        (["record", "error", "--message", "x", "--line", "3"], "--line"),
        (["record", "party"], "party"),
        (["clear"], "--index"),
        (["serve", "--tcp", "70000"], "70000"),
        (["serve", "--tcp", "1234", "--stdio"], "--tcp"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage_is_one_line_and_status_2(inline: Run, arguments: list[str], named: str) -> None:
    done = inline(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["assemble", "-Werror flag"], "'-Werror flag'"),
        (["search", "-Werror", "-n", "3"], "-Werror"),
        (["ask", "- the first point"], "'- the first point'"),
        (["assemble", "--no-mail=all where is that read?"], "'--no-mail=all where is that read?'"),
        (["pin", "-odd/file.py"], "-odd/file.py"),
    ],
)
def test_a_text_that_begins_with_a_dash_is_told_to_stand_after_two(
    inline: Run, workspace: Path, arguments: list[str], text: str
) -> None:
    done = inline(*arguments, check=2)
    assert "No such option: -" in done.stderr
    assert f"comes last, after --: -- {text} " in done.stderr
    assert "-- " not in inline("search", "mail", "--colour", check=2).stderr
    assert inline("search", "--no-index", "--", "-Werror flag", workspace).returncode == 1


@pytest.mark.parametrize(
    "command", [*LEAVES, ["run"], ["tokens"], ["entities"], ["scope", "set"]], ids=" ".join
)
def test_help_speaks_of_values_and_not_of_types_of_python(inline: Run, command: list[str]) -> None:
    page = inline(*command, "--help", check=0).stdout
    assert not re.search(r"<(?:str|int|float|path|list)\b", page)
    assert not re.search(r"[{}]|\[\[|\]\]", page.partition("Examples:")[0].splitlines()[0])


def test_the_first_line_of_help_can_be_typed(inline: Run) -> None:
    first = {
        ("assemble",): "QUERY [ROOT]",
        ("entities",): "[QUERY] [ROOT]",
        ("tokens",): "[FILE]...",
        ("scope", "set"): "FOLDER|PACKAGE...",
        ("run",): "-- COMMAND…",
    }
    for command, words in first.items():
        page = inline(*command, "--help", check=0).stdout
        assert page.startswith(f"Usage: contextls {' '.join(command)} [OPTIONS] {words}\n")
    page = inline("assemble", "--help", check=0).stdout
    assert re.search(r"^  --line N  ", page, re.MULTILINE)
    assert re.search(r"^  --path PATTERN  ", page, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["hook", "tcsh"],
            "expected one of bash, zsh, fish, claude-code, codex, gemini, copilot, cursor, got 'tcsh'",
        ),
        (["completion", "tcsh"], "expected one of bash, zsh, fish, powershell, got 'tcsh'"),
        (["completion"], "'SHELL'. Choose from: bash, zsh, fish, powershell"),
        (
            ["assemble", "mail", "--shape", "poem"],
            "expected one of markdown, messages, document, tagged, got 'poem'",
        ),
        (["search", "mail", "--limit", "0"], "expected a whole number, 1 or more, got '0'"),
        (["graph", "Mailbox", "--depth", "many"], "expected a whole number from 1 to 5, got 'many'"),
        (["record", "shell_exec", "--command", "x", "--exit-code", "y"], "expected a whole number, got 'y'"),
        (["pin", "app", "--priority", "high"], "expected a number, got 'high'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_value_is_told_with_what_would_be_right(inline: Run, arguments: list[str], said: str) -> None:
    done = inline(*arguments, check=2)
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


@pytest.mark.parametrize("command", ON_A_ROOT, ids=" ".join)
def test_a_root_that_does_not_exist_is_status_2(inline: Run, tmp_path: Path, command: list[str]) -> None:
    missing = tmp_path / "missing"
    at = 2 if command[0] in ("search", "assemble") else 1
    done = inline(*command[:at], missing, *command[at:])
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert str(missing) in done.stderr


def test_a_root_that_is_a_file_is_status_2(inline: Run, workspace: Path) -> None:
    done = inline("status", workspace / "README.md")
    assert done.returncode == 2
    assert "README.md" in done.stderr


def test_state_that_cannot_be_written_is_status_3(contextls: Run, workspace: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "a-file"
    blocked.write_text("in the way")
    done = contextls("index", workspace, env={"CONTEXTLS_HOME": str(blocked)})
    assert done.returncode == 3
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert str(blocked) in done.stderr


def test_output_that_is_not_read_to_the_end_is_no_error(shared_workspace: Path) -> None:
    command = [sys.executable, "-m", "contextls.cli.main", "search", "mail", str(shared_workspace), "--json"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as nobody_reads:
        done = subprocess.run(command, stdout=nobody_reads, stderr=subprocess.PIPE, text=True, timeout=120)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr
    assert done.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_output_that_cannot_be_written_is_told(shared_workspace: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "contextls.cli.main", "pack", "--root", shared_workspace, "--top", "0"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "contextls: standard output: No space left on device"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_streams_that_are_closed_lead_nowhere(shared_workspace: Path, closed: str) -> None:
    for words in ("tokens README.md", "status .", "search kelvin ."):
        command = f"{sys.executable} -m contextls.cli.main {words} {closed}"
        done = subprocess.run(
            ["/bin/sh", "-c", command], cwd=shared_workspace, capture_output=True, text=True, timeout=120
        )
        assert (done.returncode, "Error" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_files_are_indexed_while_streams_are_closed(contextls: Run, workspace: Path, closed: str) -> None:
    command = f"{sys.executable} -m contextls.cli.main index . {closed}"
    subprocess.run(["/bin/sh", "-c", command], cwd=workspace, check=True, capture_output=True, timeout=120)
    status = contextls("status", workspace, check=0).stdout
    assert ("files\t5\n" in status, "crash" in status) == (True, False), status
