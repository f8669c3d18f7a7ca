"""What the plugin's documents say: lines to install it with, commands, options, keys; and what its health check finds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import make_project
from .nvim import PLUGIN, REPOSITORY, environment, lua_string, nvim_program

HELP = (PLUGIN / "doc" / "contextls.txt").read_text("utf-8")
README = (PLUGIN / "README.md").read_text("utf-8")


def _run(home: Path, cwd: Path, script: str, **variables: str) -> str:
    """What a headless Neovim without any configuration of its own prints after a script."""
    path = home / "script.lua"
    path.write_text(script, encoding="utf-8")
    ended = subprocess.run(
        [nvim_program(), "--headless", "-u", path, "-i", "NONE", "+qa!"],
        cwd=cwd,
        env=environment(home, **variables),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout + ended.stderr


def _with_plugin(script: str) -> str:
    return f"vim.opt.runtimepath:prepend({lua_string(PLUGIN)})\nvim.cmd('runtime plugin/contextls.lua')\n{script}"


def _printed(code: str) -> str:
    return f"io.stdout:write(vim.json.encode({code}))"


def test_the_lines_for_packages_lead_to_the_plugin_and_its_server(tmp_path: Path) -> None:
    shell = re.findall(r"^```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[0]
    lines = re.findall(r"^```lua\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)[0]
    subprocess.run(
        ["sh", "-eu", "-c", shell],
        cwd=REPOSITORY,
        env={"HOME": str(tmp_path), "PATH": "/bin:/usr/bin"},
        check=True,
    )
    variables = {"XDG_DATA_HOME": str(tmp_path / ".local" / "share")}
    source = _printed("require('contextls.environment').source().install")
    assert _run(tmp_path, tmp_path, f"{lines}\n{source}", **variables) == f'"{REPOSITORY}"'


def test_help_names_every_subcommand_and_key(tmp_path: Path) -> None:
    offered = _run(
        tmp_path,
        tmp_path,
        _with_plugin(_printed("table.concat(vim.fn.getcompletion('Context ', 'cmdline'), ' ')")),
    )
    names = offered.strip('"').split()
    assert len(names) > 15
    assert [name for name in names if f"*:Context-{name}*" not in HELP] == []
    assert [name for name in names if f"`{name}`" not in README] == []
    keys = re.findall(
        r'^map\((?:"\w"|\{[^}]*\}), "([\w-]+)"',
        (PLUGIN / "plugin" / "contextls.lua").read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(keys) > 10
    assert [key for key in keys if f"<Plug>(contextls-{key})" not in HELP] == []


def test_help_tags_are_whole(tmp_path: Path) -> None:
    doc = tmp_path / "doc"
    doc.mkdir()
    (doc / "contextls.txt").write_text(HELP, encoding="utf-8")
    _run(tmp_path, tmp_path, f"vim.cmd('helptags {doc}')")
    tags = {line.split("\t")[0] for line in (doc / "tags").read_text("utf-8").splitlines()}
    own = set(re.findall(r"\|(:?[Cc]ontext[\w-]*)\|", HELP))
    assert own
    assert own <= tags


def test_the_options_in_help_are_the_defaults(tmp_path: Path) -> None:
    example = re.search(r'require\("contextls"\)\.setup\((\{.*?\n    \})\)', HELP, re.DOTALL)
    assert example
    same = f"vim.deep_equal({example[1]}, require('contextls.config').options)"
    assert _run(tmp_path, tmp_path, _with_plugin(_printed(same))) == "true"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{ max_token = 5 }", "there is no option max_token; there are: "),
        ("{ max_tokens = 0 }", "max_tokens: expected a whole number, 1 or more, got 0"),
        ("{ server = { install = true } }", 'server.install: expected "ask", "auto" or "never", got true'),
        ("{ events = { terminal = false } }", "there is no option events.terminal; there are: "),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, given: str, said: str) -> None:
    call = f"select(2, pcall(require('contextls').setup, {given}))"
    assert said in _run(tmp_path, tmp_path, _with_plugin(f"io.stdout:write({call})"))


def test_health_says_what_is_there_and_what_is_not(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop")
    script = _with_plugin(
        "require('contextls').setup({ server = { install = 'never' } })\n"
        "vim.cmd('checkhealth contextls')\n"
        "io.stdout:write(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))"
    )
    said = _run(tmp_path, project, script, PATH="/usr/bin:/bin")
    assert "the contextls server is not installed yet" in said
    assert ":Context install installs it" in said
    assert f"installed from: {REPOSITORY}" in said


def test_a_program_in_the_project_is_no_server(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop")
    trap = project / "bin" / "contextls"
    trap.parent.mkdir()
    trap.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    trap.chmod(0o755)
    found = _with_plugin(_printed(f"require('contextls.server').find({lua_string(project)}) or 'none'"))
    for path in (f"{trap.parent}:/usr/bin", "bin:/usr/bin"):
        assert _run(tmp_path, project, found, PATH=path) == '"none"'


def test_an_installation_that_fails_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shop")
    tools = tmp_path / ".local" / "bin"
    tools.mkdir(parents=True)
    (tools / "uv").symlink_to(Path(sys.executable).parent / "uv")
    options = "{ server = { python = '/nowhere', source = '/nowhere/contextls-9.9-py3-none-any.whl' } }"
    script = _with_plugin(
        f"require('contextls').setup({options})\n"
        "local said\nvim.notify = function(message) said = message end\n"
        "vim.cmd('Context install')\nvim.wait(30000, function() return said ~= nil end)\n"
        "io.stdout:write(said or 'nothing')"
    )
    said = _run(tmp_path, project, script, UV_PYTHON_DOWNLOADS="never")
    assert "contextls: The server could not be installed." in said
    assert "The log is in" in said
    assert list((tmp_path / "data" / "nvim" / "contextls").iterdir()) == []
