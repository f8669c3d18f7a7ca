"""What Neovim tells the server of: commands, `:make`, terminals, problems, the file in front."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ..repositories import git
from .nvim import Neovim

BROKEN = "int main(void) { return totl; }\n"
MAKEFILE = "all:\n\t@echo 'shop/main.c:1:25: error: totl undeclared' >&2; exit 1\n"
# What shells with marks write around a prompt, a command, its output and its end: most of them, and fish.
PROMPTS = {
    "bash": r"\033]133;A\007❯ \033]133;B\007pytest -q\n\033]133;C\007",
    "fish": r"\033]133;A;click_events=1\007~> pytest -q\n\033]133;C;cmdline_url=pytest%%20-q\007",
}
SHELL = r"""#!/bin/sh
printf '{prompt}'
sleep 0.1
printf 'FAILED shop/test_cart.py::test_discount - assert 4 == 5\n'
sleep 0.1
printf '\033]133;D;1\007\033]133;A\007$ \033]133;B\007'
sleep 60
"""


def _wait_command(nvim: Neovim, command: str) -> dict[str, Any]:
    return nvim.wait_event("shell_exec", "command", command)


def test_a_shell_command_is_remembered_with_its_status(nvim: Neovim, project: Path) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("silent !grep -q nothing_like_this README.md")
    event = _wait_command(nvim, "grep -q nothing_like_this README.md")
    assert event["content"]["exitCode"] == 1
    assert event["content"]["cwd"] == str(project)
    assert event["outcome"] == "failure"


def test_a_failed_make_is_the_last_failure(nvim: Neovim, project: Path) -> None:
    (project / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    (project / "shop" / "main.c").write_text(BROKEN, encoding="utf-8")
    nvim.edit("shop/cart.py")
    nvim.command("silent make! all")
    event = _wait_command(nvim, "make all")
    assert event["outcome"] == "failure"
    assert "shop/main.c:1:25: error: totl undeclared" in event["content"]["stdout"]
    error = nvim.wait_event("error", "path", "shop/main.c")
    assert error["content"]["line"] == 1

    nvim.command("Context failure")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('^contextls://')", "the context for the failure")
    assert "make all" in nvim.text()
    assert "totl" in nvim.text()


def test_a_failure_that_was_put_right_is_not_to_be_fixed_any_more(nvim: Neovim, project: Path) -> None:
    (project / "Makefile").write_text("check:\n\t@test -e done\n", encoding="utf-8")
    nvim.edit("shop/cart.py")
    nvim.command("silent !make check")
    assert _wait_command(nvim, "make check")["outcome"] == "failure"
    nvim.command("Context failure")
    nvim.wait("vim.fn.getline(1):match('^Fix this failure: `make check`')", "the failure")
    nvim.edit("shop/cart.py")
    (project / "done").write_text("", encoding="utf-8")
    nvim.command("silent !make check")
    nvim.command("Context failure")
    # Other tests may have left failures in the same project.
    none = "vim.iter(said):find(function(each) return each:find('no failure is remembered') end)"
    other = "vim.fn.getline(1):match('^Fix this failure: ') and not vim.fn.getline(1):match('make check')"
    nvim.wait(f"{none} or ({other})", "no failure, or another one")


def test_a_make_that_only_warns_has_not_failed(nvim: Neovim, project: Path) -> None:
    told = "shop/cart.py:3: PytestDeprecationWarning: it is old"
    (project / "Makefile").write_text(f"warn:\n\t@echo '{told}'\n", encoding="utf-8")
    nvim.edit("shop/cart.py")
    nvim.command("silent make! warn")
    event = _wait_command(nvim, "make warn")
    assert "it is old" in event["content"]["stdout"]
    assert event.get("outcome") != "failure"


@pytest.mark.parametrize("name", PROMPTS)
def test_a_command_between_marks_is_remembered_with_its_output(
    nvim: Neovim, tmp_path: Path, project: Path, name: str
) -> None:
    shell = tmp_path / name
    prompt = PROMPTS[name].replace("-q", f"-q {name}" if name == "bash" else f"-q%%20{name}")
    shell.write_text(SHELL.replace("{prompt}", prompt), encoding="utf-8")
    shell.chmod(0o755)
    nvim.edit("shop/cart.py")
    nvim.command(f"terminal {shell}")
    event = _wait_command(nvim, f"pytest -q {name}")
    assert event["content"]["exitCode"] == 1
    assert event["content"]["cwd"] == str(project)
    assert event["content"]["stdout"] == "FAILED shop/test_cart.py::test_discount - assert 4 == 5"
    nvim.lua("vim.cmd('bdelete!')")


# A shell whose prompt has marks, as the integrations of terminals make them.
MARKS = r"""
PS1='$ \[\e]133;B\a\]' PS0='\e]133;C\a'
PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'printf "\e]133;D;$?\a"'
"""


def _start_bash(nvim: Neovim, tmp_path: Path, name: str, more: str) -> None:
    """A terminal with a bash that has our hook."""
    made = [sys.executable, "-m", "contextls.cli.main", "hook", "bash"]
    hook = subprocess.run(made, check=True, capture_output=True, text=True).stdout
    rc = tmp_path / name
    rc.write_text(f"HISTFILE=\n{hook}\n{more}", encoding="utf-8")
    nvim.edit("shop/cart.py")
    nvim.command(f"terminal bash --rcfile {rc} -i")
    nvim.wait("vim.bo.buftype == 'terminal' and vim.fn.search('\\\\$ *$', 'w') > 0", "the prompt")


def test_a_command_that_both_the_plugin_and_the_shell_see_is_one_event(nvim: Neovim, tmp_path: Path) -> None:
    _start_bash(nvim, tmp_path, "marked", MARKS)
    nvim.lua("vim.fn.chansend(vim.bo.channel, 'echo told once; false\\n')")
    assert _wait_command(nvim, "echo told once; false")["content"]["stdout"] == "told once"
    _start_bash(nvim, tmp_path, "plain", "PS1='$ '")
    nvim.lua("vim.fn.chansend(vim.bo.channel, 'echo told by the hook\\n')")
    _wait_command(nvim, "echo told by the hook")
    events = nvim.request("context/events", "{ filters = { eventTypes = { 'shell_exec' } } }")["events"]
    assert [event["content"]["command"] for event in events].count("echo told once; false") == 1
    nvim.lua("vim.cmd('silent! %bdelete!')")


def test_the_program_of_a_terminal_is_remembered_when_it_ends(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    nvim.command("terminal ls missing-folder")
    event = _wait_command(nvim, "ls missing-folder")
    assert event["content"]["exitCode"] == 2
    assert "missing-folder" in event["content"]["stdout"]
    nvim.lua("vim.cmd('bdelete!')")


def test_problems_of_any_linter_are_remembered(nvim: Neovim) -> None:
    nvim.edit("shop/cart.py")
    problem = "{ lnum = 13, col = 11, end_col = 16, severity = 1, source = 'linter', message = 'totl is not defined' }"
    nvim.lua(f"vim.diagnostic.set(vim.api.nvim_create_namespace('linter'), 0, {{ {problem} }})")
    nvim.wait_event("diagnostic", "message", "totl is not defined")
    nvim.lua("vim.fn.cursor(14, 1)")
    nvim.command("Context! problem")
    nvim.wait_said("context copied")
    copied = nvim.lua("return vim.fn.getreg('\"')")
    assert copied.startswith("Fix this problem: totl is not defined at `shop/cart.py:14`")


def test_an_error_of_neovim_itself_is_remembered_where_the_project_raised_it(
    nvim: Neovim, project: Path, tmp_path: Path
) -> None:
    plugin, elsewhere = project / "plugin.lua", tmp_path / "elsewhere.lua"
    for file in (plugin, elsewhere):
        file.write_text(
            "local M = {}\n\nfunction M.add()\n  error('no cart')\nend\n\nreturn M\n", encoding="utf-8"
        )
    nvim.edit("shop/cart.py")
    for file in (elsewhere, plugin):
        nvim.lua(f"vim.keymap.set('n', '<Plug>(add)', function() dofile({str(file)!r}).add() end)")
        nvim.lua("vim.api.nvim_feedkeys(vim.keycode('<Plug>(add)'), 'm', false)")
    error = nvim.wait_event("error", "path", "plugin.lua")
    assert (error["content"]["line"], error["content"]["source"]) == (4, "neovim")
    assert "no cart" in error["content"]["message"]
    assert "elsewhere.lua" not in str(nvim.request("context/events", "{}"))


def test_a_review_shows_what_is_not_committed(nvim: Neovim, project: Path) -> None:
    cart = project / "shop" / "cart.py"
    cart.write_text(cart.read_text("utf-8").replace("0.05", "0.07"), encoding="utf-8")
    nvim.edit("shop/cart.py")
    nvim.command("Context review staged")
    nvim.wait_said("there are no staged changes to review")
    nvim.command("Context review")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('^contextls://')", "the review")
    assert "+    return total * 0.07" in nvim.text()

    git(project, "switch", "-qc", "rates")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "Raise the rate")
    nvim.edit("shop/cart.py")
    nvim.command("Context review")
    nvim.wait_said("there are no changes to review")
    assert nvim.lua("return vim.fn.getcompletion('Context review m', 'cmdline')") == ["main"]
    nvim.command("Context review main")
    nvim.wait("vim.api.nvim_buf_get_name(0):match('^contextls://')", "the review")
    assert "since main" in nvim.text()
    assert "+    return total * 0.07" in nvim.text()
    nvim.edit("shop/cart.py")
    nvim.command("Context review mian")
    nvim.wait_said("got 'mian'")
