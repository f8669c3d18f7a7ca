"""``contextls run`` in a terminal: the command has one too, and what is remembered has none of its codes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest
from contextls.text.terminal_text import plain_text

from .conftest import write_workspace
from .terminals import Terminal, recorded

RUN = shlex.join([sys.executable, "-m", "contextls.cli.main", "run", "--"])
COLOURS = (
    "import os, sys\n"
    "red = chr(27) + '[31mred' + chr(27) + '[0m'\n"
    "print(red, [os.isatty(n) for n in range(3)], *os.get_terminal_size(), file=sys.stderr)\n"
    "for step in range(3): print(f'step {step}', end='\\r', flush=True)\n"
    "print()\n"
    "sys.exit(3)\n"
)


NONE_LEFT = (
    "import os, sys\n"
    "from contextls.cli.main import run\n"
    "def refuse(): raise OSError('out of pty devices')\n"
    "os.openpty = refuse\n"
    "sys.exit(run(['run', '--', 'sh', '-c', 'read name; echo hello $name; exit 4']))\n"
)
# It heeds Ctrl-C as servers do that nobody knows by name.
ENDS_WELL = """
import sys, time, traceback
try:
    {}["cout"]
except KeyError:
    traceback.print_exc()
try:
    print("serv" + "ing", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    sys.exit(0)
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_workspace(tmp_path_factory.mktemp("terminal") / "workspace")


@pytest.fixture(scope="module")
def terminal(root: Path) -> Iterator[Terminal]:
    terminal = Terminal("bash", root, {"TERM": "xterm"})
    yield terminal
    terminal.close()


def test_colours_size_and_questions(terminal: Terminal, root: Path) -> None:
    (root / "colours.py").write_text(COLOURS)
    terminal.type("stty cols 97 rows 31; echo si''zed", "sized")
    shown = terminal.type(f"{RUN} {sys.executable} colours.py; echo status $?", "status 3")
    assert "\x1b[31mred\x1b[0m [True, True, True] 97 31" in shown
    terminal.send(f"{RUN} sh -c 'echo -n name?; read name; echo hello $name'\r", "name?")
    assert "hello Ada" in terminal.type("Ada", "hello Ada")
    first, second = recorded(root, 2)
    assert first["stdout"].splitlines() == ["red [True, True, True] 97 31", "step 2"]
    assert first["exitCode"] == 3
    assert "hello Ada" in second["stdout"]


def test_keys_reach_the_command(terminal: Terminal) -> None:
    terminal.send(
        f"{RUN} sh -c 'trap \"echo cau''ght; exit 5\" INT; echo wai''ting; while :; do sleep 0.1; done'; echo status $?\r",
        "waiting",
    )
    assert "status 5" in terminal.type("\x03", "caught")


@pytest.mark.parametrize("behind", ["", " 2>&1 | cat"])
def test_what_was_ended_with_a_key_has_not_passed_although_it_says_so(
    terminal: Terminal, tmp_path: Path, behind: str
) -> None:
    workspace = write_workspace(tmp_path / "served")
    (workspace / "web.py").write_text(ENDS_WELL)
    terminal.send(f"(cd {workspace}; {RUN} {sys.executable} web.py{behind}; echo sta''tus $?)\r", "serving")
    terminal.type("\x03", "status 0" if not behind else "^C")
    run = [each for each in recorded(workspace, 2) if "stdout" in each][-1]
    assert "exitCode" not in run
    with Engine.open(workspace) as engine:
        said = engine.assemble(AssembleRequest("why did the last run fail?")).content
    assert "KeyError: 'cout' at `web.py:4`" in said


def test_what_was_stopped_with_a_key_is_recorded_as_stopped(terminal: Terminal, tmp_path: Path) -> None:
    workspace = write_workspace(tmp_path / "stopped")
    terminal.send(
        f"(cd {workspace}; {RUN} sh -c 'trap \"exit 2\" INT; echo wai''ting; while :; do sleep 0.1; done')\r",
        "waiting",
    )
    terminal.type("\x03", "^C")
    (content,) = recorded(workspace, 1)
    assert content["exitCode"] == 130


def test_what_comes_through_a_pipe_goes_on(terminal: Terminal) -> None:
    shown = terminal.type(
        f"echo from the pi''pe | {RUN} sh -c 'cat; test -t 1 && echo a ter''minal'", "a terminal"
    )
    assert "from the pipe" in shown


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("\x1b[1;31mFAILED\x1b[0m x\r\n", "FAILED x\n"),
        ("10%\r20%\r30%\ndone\n", "30%\ndone\n"),
        ("title\x1b]0;bash\x07 text\n", "title text\n"),
        ("ab\x08c\n", "ac\n"),
        ("\x1b(B\x1b[?25lplain\x1b[K\n", "plain\n"),
        ("done\n⠙\x1b[1G\x1b[0K", "done\n"),
        ("busy\x1b[2K\rdone\n", "done\n"),
        ("error: old\n\x1b[2J\x1b[3J\x1b[Hall is well\n", "all is well\n"),
        ("done\n\x1bc\x1b[H", "done\n"),
        ("a [1/2]\nb [0/2]\n\x1b[2A\r\x1b[Ka [2/2]\n\r\x1b[Kb [2/2]\n", "a [2/2]\nb [2/2]\n"),
        (
            # Jest tells what runs below what is done, and takes it back.
            "\x1b[7m RUNS \x1b[0m cart.test.js\n\nTests: 0 total\n\r\x1b[K\r\x1b[1A\r\x1b[K\r\x1b[1A\r\x1b[K\r\x1b[1A"
            "\r\x1b[K\x1b[32m PASS \x1b[0m cart.test.js\n\nTests: 1 passed\n",
            " PASS  cart.test.js\n\nTests: 1 passed\n",
        ),
        ("one\ntwo\nthree\n\x1b[3A\x1b[Jnew\n", "new\n"),
        ("\x1b[99999999A\x1b[9999Bx\n", "x\n"),
    ],
)
def test_what_a_terminal_would_show(printed: str, shown: str) -> None:
    assert plain_text(printed) == shown


def test_where_the_system_has_no_terminal_left_the_command_runs_all_the_same(
    terminal: Terminal, root: Path
) -> None:
    (root / "none_left.py").write_text(NONE_LEFT)
    shown = terminal.type(f"echo Ada | {sys.executable} none_left.py; echo status $?", "status 4")
    assert "hello Ada" in shown
    assert recorded(root, 1)[-1]["stdout"] == "hello Ada\n"
