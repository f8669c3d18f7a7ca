"""The shell integrations, in real interactive shells: they tell what ran, and are never in the way."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from contextls.engine import Engine

from .conftest import Run
from .terminals import SHELLS, Terminal, recorded, replace_recorder

OPTIONS = [
    ("bash", "set -keuC; shopt -s failglob extdebug nocasematch; trap 'echo fai''led' ERR; IFS=/"),
    ("bash", "set -x; set -o posix; readonly status=1"),
    ("zsh", "setopt c_bases force_float ksh_arrays no_unset err_exit warn_nested_var xtrace; IFS=/"),
    ("zsh", "emulate sh; setopt err_return no_glob print_exit_value"),
    ("fish", "set -g fish_trace 1; set -g IFS /"),
]


@pytest.fixture
def terminal(request: pytest.FixtureRequest, contextls: Run, tmp_path: Path) -> Callable[..., Terminal]:
    def start(shell: str, cwd: Path, setup: str = "", **env: str) -> Terminal:
        script = tmp_path / f"hook.{shell}"
        script.write_text(contextls("hook", shell, check=0).stdout)
        terminal = Terminal(shell, cwd, env)
        request.addfinalizer(terminal.close)
        if setup:
            terminal.type(f"{setup}; echo set''up", "setup")
        terminal.type(f" source '{script}'; echo ho''oked", "hooked")
        return terminal

    return start


def test_there_is_a_bash_to_test_with() -> None:
    assert "bash" in SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_are_recorded_with_their_ending(
    shell: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    Engine.open(workspace).close()
    at = terminal(shell, workspace, setup="HISTCONTROL=ignoreboth" if shell == "bash" else "")
    at.type("sh -c 'sleep 0.2; echo do''ne; exit 3'", "done")
    at.type("sh -c 'sleep 0.2; echo do''ne; exit 3'", "done")
    at.type("  echo my secr''et", "my secret")
    at.type("", "")
    at.type("cd app; echo ag''ain", "again")
    # fish tells no time of its own: commands within one second may be stored in either order.
    first, second, third = sorted(recorded(workspace, 3), key=lambda told: -int(told["exitCode"]))
    assert first["command"] == second["command"] == "sh -c 'sleep 0.2; echo do''ne; exit 3'"
    assert (first["exitCode"], first["cwd"]) == (3, str(workspace))
    assert 150 <= first["durationMs"] < 20_000
    assert (third["command"], third["exitCode"]) == ("cd app; echo ag''ain", 0)
    assert "secret" not in json.dumps([first, second, third])


@pytest.mark.parametrize("shell", SHELLS)
def test_the_line_that_loads_the_hook_prints_nothing_and_is_not_recorded(
    shell: str, contextls: Run, workspace: Path, tmp_path: Path
) -> None:
    Engine.open(workspace).close()
    script = tmp_path / "loaded"
    script.write_text(contextls("hook", shell, check=0).stdout)
    with closing(Terminal(shell, workspace, {})) as at:
        printed = at.type(f"source '{script}'; echo ho''oked", "hooked") + at.type("echo aft''er", "after")
        (told,) = recorded(workspace, 1)
    assert told["command"] == "echo aft''er"
    assert "__contextls" not in printed


@pytest.mark.parametrize("shell", SHELLS)
def test_elsewhere_nothing_is_recorded_and_no_workspace_begun(
    shell: str, terminal: Callable[..., Terminal], tmp_path: Path, contextls_home: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    before = set((contextls_home / "state").glob("*"))
    terminal(shell, elsewhere).type("echo no''body", "nobody")
    time.sleep(1.5)
    assert set((contextls_home / "state").glob("elsewhere-*")) <= before


@pytest.mark.parametrize("shell", SHELLS)
def test_an_editor_that_records_its_terminals_itself_is_left_to_it(
    shell: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    Engine.open(workspace).close()
    mark = "set --global VSCODE_SHELL_INTEGRATION 1" if shell == "fish" else "VSCODE_SHELL_INTEGRATION=1"
    inside = terminal(shell, workspace, setup=mark, CONTEXTLS_EDITOR="vscode")
    inside.type("echo recorded by the edi''tor", "recorded by the editor")
    # A multiplexer hides what runs in it from the editor.
    nested = terminal(shell, workspace, CONTEXTLS_EDITOR="vscode")
    nested.type("echo recorded by the ho''ok", "recorded by the hook")
    (event,) = recorded(workspace, 1)
    assert event["command"] == "echo recorded by the ho''ok"


def test_the_hook_keeps_the_traps_prompts_and_exit_status_of_the_shell(
    terminal: Callable[..., Terminal], workspace: Path
) -> None:
    Engine.open(workspace).close()
    setup = "PROMPT_COMMAND='LAST=$?'; trap 'COUNT=$((COUNT+1))' DEBUG; set -u; PS0='<'"
    at = terminal("bash", workspace, setup=setup)
    assert "<status 7 " in at.type("(exit 7)", "") + at.type('echo "status $LAST "$((COUNT > 3))', "1")
    (told, _) = recorded(workspace, 2)
    assert (told["command"], told["exitCode"]) == ("(exit 7)", 7)


@pytest.mark.parametrize(("shell", "options"), [each for each in OPTIONS if each[0] in SHELLS])
def test_no_option_of_the_shell_makes_the_hook_print_or_say_what_is_not_so(
    shell: str, options: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    Engine.open(workspace).close()
    at = terminal(shell, workspace)
    at.type(f" {options}; echo s''et", "set")
    printed = at.type("! sh -c 'sleep 0.2'", "") + at.type(
        f"echo st''atus=${'status' if shell == 'fish' else '?'}", "status=1"
    )
    for unwanted in (str(workspace), "failed", "numeric", "readonly", "enclosing"):
        assert unwanted not in printed
    told = {each["command"]: each for each in recorded(workspace, 2)}["! sh -c 'sleep 0.2'"]
    assert (told["exitCode"], told["cwd"]) == (1, str(workspace))
    assert 150 <= told["durationMs"] < 20_000


@pytest.mark.parametrize("shell", SHELLS)
def test_the_hook_starts_no_program_but_the_recorder(
    shell: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    """Each would cost the prompt milliseconds; ``benchmarks/shell_hooks.py`` has the time."""
    Engine.open(workspace).close()
    at = terminal(shell, workspace, setup="set PATH /nowhere" if shell == "fish" else "PATH=/nowhere")
    printed = at.type("echo do''ne", "done") + at.type("echo ag''ain", "again")
    assert "not found" not in printed
    assert "Unknown command" not in printed
    assert len(recorded(workspace, 2)) == 2


@pytest.mark.parametrize("shell", SHELLS)
def test_the_prompt_never_waits_for_the_recorder(
    shell: str, terminal: Callable[..., Terminal], workspace: Path
) -> None:
    at = terminal(shell, workspace)
    replace_recorder(at, shell, workspace, "command sleep 61")
    at.type("echo do''ne", "done")  # waits for a minute at most
    at.type("echo ag''ain", "again")
