"""Code of the workspace that something might run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from contextls.agents.table import AGENTS
from contextls.cli.agent_setup import ENTRY
from contextls.isolation import python_command

from ..cli.terminals import SHELLS, Terminal, recorded
from ..mcp.session import connect
from ..neovim.nvim import nvim_program
from ..protocol.wire import Wire
from .traps import HARMLESS, TrapFolder, module_names, set_traps

INPUTS = Path(__file__).parents[1] / "cli" / "agent_inputs"
EDITORS = Path(__file__).parents[2] / "editors"
BIN = Path(sys.executable).parent
SCRIPT = (str(BIN / "contextls"),)
ISOLATED = (sys.executable, "-I", "-m", "contextls")
COMMANDS = (
    ("index",),
    ("assemble", "how is the invoice total computed?"),
    ("search", "cart article"),
    ("ask", "what is in the cart?"),
    ("record", "shell_exec", "--command", "make", "--exit-code", "0"),
    ("run", "--", "/bin/echo", "hello"),
    ("status",),
    ("compress", "shop/cart.py", "--max-tokens", "5"),
    ("pack", ".", "--max-tokens", "300", "--no-comments"),
)


@pytest.fixture(scope="module")
def traps(tmp_path_factory: pytest.TempPathFactory) -> TrapFolder:
    return set_traps(tmp_path_factory.mktemp("hostile") / "workspace")


@pytest.fixture(autouse=True)
def nothing_is_sprung(traps: TrapFolder) -> Iterator[None]:
    """Every test of this module ends with this."""
    traps.marker.unlink(missing_ok=True)
    yield
    assert traps.sprung == []


def run(
    command: tuple[str, ...], folder: Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(variables or {})},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_in_the_folder(traps: TrapFolder, words: tuple[str, ...]) -> None:
    done = run((*SCRIPT, *words), traps.root)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [*COMMANDS[:2], *(pytest.param(words, marks=pytest.mark.long) for words in COMMANDS[2:5])],
    ids=lambda words: words[0],
)
def test_a_command_under_hostile_variables(traps: TrapFolder, words: tuple[str, ...]) -> None:
    done = run((*ISOLATED, *words), traps.root, traps.variables)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_a_planted_git_is_passed_over_and_the_real_one_is_used(traps: TrapFolder) -> None:
    variables = {"PATH": f".{os.pathsep}{traps.root}{os.pathsep}{os.environ['PATH']}"}
    invoice = traps.root / "shop/invoice.py"
    invoice.write_text(HARMLESS["shop/invoice.py"].replace("1.2", "1.19"), "utf-8")
    done = run((*SCRIPT, "assemble", "review my uncommitted changes", "--json"), traps.root, variables)
    assert done.returncode == 0, done.stderr
    assert "-    return total * 1.2\n" in json.loads(done.stdout)["content"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_with_the_hook(traps: TrapFolder, shell: str, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    hook = tmp_path / "hook"
    hook.write_text(run((*SCRIPT, "hook", shell), traps.root).stdout, "utf-8")
    hostile = {name: traps.variables[name] for name in ("PYTHONPATH", "PYTHONSTARTUP")}
    terminal = Terminal(shell, traps.root, hostile | {"CONTEXTLS_ROOT": str(workspace)})
    try:
        terminal.type(f" source '{hook}'; export PATH='{traps.variables['PATH']}'; echo ho''oked", "hooked")
        terminal.type("echo ag''ain", "again")
    finally:
        found = recorded(workspace, 1)
        terminal.close()
    assert [event["command"] for event in found] == ["echo ag''ain"]


@pytest.mark.parametrize(
    "agent",
    [
        "claude-code",
        *(pytest.param(agent, marks=pytest.mark.long) for agent in AGENTS if agent != "claude-code"),
    ],
)
def test_an_agent_with_its_hooks(traps: TrapFolder, agent: str) -> None:
    """They are set up in the folder and run there, as the agent runs them: through a shell, with the user's variables."""
    assert run((*SCRIPT, "index"), traps.root).returncode == 0
    done = run((*SCRIPT, "hook", agent, "--install", "--yes", "--root", "."), traps.root)
    assert done.returncode == 0, done.stderr
    variables = {name: traps.variables[name] for name in ("PYTHONPATH", "PYTHONSTARTUP")}
    calls = json.loads((INPUTS / f"{agent}.json").read_text("utf-8"))["calls"]
    for event, payload in (calls["session"], calls["edited"]):
        command = shlex.join(python_command(ENTRY, agent, event, f"--root={traps.root}"))
        hook = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=traps.root,
            env={**os.environ, **variables},
            input=json.dumps(payload).replace("$ROOT", str(traps.root)),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        assert (hook.returncode, hook.stderr) == (0, "")


def session(server: Wire, root: Path) -> None:
    """What an editor does: open, change, save, ask, compress, look at the state, leave."""
    server.initialize(root)
    server.ready()
    uri = server.open("shop/cart.py")
    server.change(
        uri, {"text": (root / "shop/cart.py").read_text("utf-8") + "\n\ndef penguin() -> None: ...\n"}
    )
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert "penguin" in server.assemble("penguin")["content"]
    text = HARMLESS["shop/cart.py"] * 20
    short = server.request("context/compress", {"text": text, "language": "python", "maxTokens": 400})
    assert short["method"] == "skeleton", short
    assert server.end() == 0
    assert b"Traceback" not in server.log, server.log.decode(errors="replace")


def editor_commands() -> dict[str, tuple[str, ...]]:
    """The command lines that the documentation tells editors to start, by editor."""
    text = (EDITORS / "README.md").read_text("utf-8")
    helix = re.search(r'^command = "(.+)"\nargs = \[(.+)\]$', text, re.MULTILINE)
    eglot = (EDITORS / "emacs" / "README.md").read_text("utf-8")
    emacs = re.search(r"\(text-mode \. \((.+?)\)\)", eglot)
    anywhere = re.search(r"^`(/\S+ -I -m contextls serve)`", text, re.MULTILINE)
    assert helix is not None
    assert emacs is not None
    assert anywhere is not None
    return {
        "helix": (helix[1], *json.loads(f"[{helix[2]}]")),
        "emacs": tuple(json.loads(f"[{emacs[1].replace(' ', ', ')}]")),
        "anywhere": tuple(anywhere[1].split()),
    }


def test_the_editors_start_one_and_the_same_command() -> None:
    commands = editor_commands()
    assert commands["helix"] == commands["emacs"] == ("contextls", "serve")
    assert commands["anywhere"][1:] == (*ISOLATED[1:], "serve")


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("as documented", marks=pytest.mark.long),
        "under hostile variables",
    ],  # Neovim does the first, too
)
def test_a_server_that_an_editor_starts_in_the_folder(traps: TrapFolder, way: str) -> None:
    documented = way == "as documented"
    command = (*(SCRIPT if documented else ISOLATED), "serve", "--stdio")
    server = Wire(command, {} if documented else traps.variables, cwd=traps.root)
    try:
        session(server, traps.root)
    finally:
        server.kill()


@pytest.mark.parametrize("way", ["as documented", "under hostile variables"])
def test_a_server_that_an_agent_starts_in_the_folder(traps: TrapFolder, way: str) -> None:
    documented = way == "as documented"
    command = (*(SCRIPT if documented else ISOLATED), "mcp")
    with connect(command=command, env={} if documented else traps.variables, cwd=traps.root) as agent:
        hits = agent.call("search_code", query="put an article into the cart")["hits"]
        assert hits[0]["path"] == "shop/cart.py"
        agent.call("assemble_context", query="what did I change?")
        agent.call("review_changes")


NEOVIM = """
vim.cmd("filetype on")
vim.opt.runtimepath:prepend({plugin})
vim.cmd("runtime plugin/contextls.lua")
require("contextls").setup({{ server = {{ install = "never" }} }})
local function check()
  vim.cmd.edit("shop/cart.py")
  assert(vim.wait(30000, function()
    local client = vim.lsp.get_clients({{ name = "contextls", bufnr = 0 }})[1]
    return client and client.initialized
  end), "no client attached")
  local client = vim.lsp.get_clients({{ name = "contextls" }})[1]
  local ready = function()
    local status = client:request_sync("context/status", {{}}, 20000, 0)
    return status.result and status.result.state == "ready"
  end
  assert(vim.wait(60000, ready, 200), "never ready")
  vim.cmd("silent write")
  local answer = client:request_sync("context/assemble", {{ query = "invoice total" }}, 30000, 0)
  assert(answer.result and answer.result.content:find("invoice_total", 1, true), vim.inspect(answer))
end
local ok, problem = pcall(check)
io.stderr:write(ok and "all well" or tostring(problem))
vim.cmd(ok and "qa!" or "cq!")
"""


def test_neovim_in_the_folder(traps: TrapFolder, tmp_path: Path) -> None:
    script = tmp_path / "check.lua"
    script.write_text(NEOVIM.format(plugin=json.dumps(str(EDITORS / "neovim"))), "utf-8")
    variables = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("STATE", "DATA", "CONFIG", "CACHE")}
    # Relative folders, which the plugin passes over where a shell would not.
    variables["PATH"] = os.pathsep.join((".", "bin", str(BIN), os.environ["PATH"]))
    variables["PYTHONPATH"] = "."
    nvim = (str(nvim_program()), "--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {script}")
    done = run(nvim, traps.root, variables)
    assert done.returncode == 0, done.stderr
    assert "all well" in done.stderr


def test_a_harmless_project_with_such_names_just_works(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    for name in ("token", "types", "threading", "random", "socket", "signal", "queue", "string"):
        (root / f"{name}.py").write_text(f"class {name.title()}Thing:\n    kind = {name!r}\n", "utf-8")
    done = run((*SCRIPT, "assemble", "what is a SocketThing?"), root)
    assert done.returncode == 0
    assert "SocketThing" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_traps_are_many_and_work(traps: TrapFolder, tmp_path: Path) -> None:
    assert len(module_names()) > 300
    # Beside one trap alone: from 3.14 on, `python -c` itself imports others.
    shutil.copy(traps.root / "token.py", tmp_path)
    (tmp_path / "main.py").write_text("import token", "utf-8")
    done = run((sys.executable, "main.py"), tmp_path)
    assert done.returncode == 0, done.stderr
    assert traps.sprung == ["module token"]
    traps.marker.unlink()
