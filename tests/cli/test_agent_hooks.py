"""The hooks of coding agents, driven as the agents drive them: by the command that is set up, with input as documented."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from contextls.agents.table import AGENTS
from contextls.cli.agent_hook import read_arguments, respond
from contextls.engine import Engine
from contextls.model import Event, Target

from .conftest import Run, write_workspace

INPUTS = Path(__file__).parent / "agent_inputs"
TAKES_PROMPTS = ("claude-code", "codex", "gemini")
TEST_RUN = ("shell_exec", "pytest -q")
TOLD: dict[str, list[tuple[object, ...]]] = {
    "failed": [(*TEST_RUN, 1), ("error", "app/temperature.py", 6)],
    "passed": [(*TEST_RUN, 0)],
    # Codex says what a command printed, not how it ended
    "untold": [(*TEST_RUN, None), ("error", "app/temperature.py", 6)],
    "edited": [("file_edit", "app/temperature.py", "edited (+2 −1)")],
    "written": [("file_edit", "app/zero.py", "edited (+1 −0)")],
    "read": [("file_read", "app/mail.py", None)],
}


def inputs(agent: str) -> dict[str, tuple[str, dict[str, Any]]]:
    return {
        name: (event, payload)
        for name, (event, payload) in json.loads((INPUTS / f"{agent}.json").read_text("utf-8"))[
            "calls"
        ].items()
    }


def given(payload: Mapping[str, Any], root: Path) -> bytes:
    return json.dumps(payload).replace("$ROOT", str(root)).encode()


def context_in(answer: Mapping[str, Any]) -> str:
    output = answer.get("hookSpecificOutput", answer)
    return str(output.get("additionalContext") or output["additional_context"])


def short(event: Event) -> tuple[object, ...]:
    content = event.content
    if event.type == "shell_exec":
        return event.type, content["command"], content.get("exitCode")
    return event.type, content["path"], content.get("summary") or content.get("line")


def commands_of(hooks: Mapping[str, Any]) -> dict[str, str]:
    """What the agent would run for each of its events."""
    found = {}
    for event, (group,) in hooks["hooks"].items():
        hook = group["hooks"][0] if "hooks" in group else group
        found[event] = hook.get("command") or hook["bash"]
    return found


def run_hook(command: str, payload: bytes, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["/bin/sh", "-c", command], input=payload, cwd=cwd, capture_output=True, timeout=60)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with an index, in which something was done; the tests of this module only ask it."""
    root = write_workspace(tmp_path_factory.mktemp("agents") / "indexed")
    engine = Engine.open(root)
    engine.index()
    engine.close()
    event, payload = inputs("claude-code")["failed"]
    respond(read_arguments(["claude-code", event]), given(payload, root))
    return root


@pytest.mark.parametrize("agent", AGENTS)
def test_what_an_agent_does_is_recorded(agent: str, workspace: Path) -> None:
    Engine.open(workspace).close()  # from here on it is a known workspace
    done = [name for name in inputs(agent) if name in TOLD]
    for name in done:
        event, payload = inputs(agent)[name]
        assert respond(read_arguments([agent, event]), given(payload, workspace)) == ""
    engine = Engine.open(workspace)
    found = [short(event) for event in reversed(engine.events())]
    engine.close()
    expected = [told for name in done for told in TOLD[name]]
    if agent == "codex":  # one patch, two files
        expected += TOLD["written"]
    assert found == expected


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_begins_with_what_was_being_done(
    agent: str, indexed: Path, inline: Run, tmp_path: Path
) -> None:
    hooks = json.loads(inline("hook", agent, check=0).stdout)
    event, payload = inputs(agent)["session"]
    done = run_hook(commands_of(hooks)[event], given(payload, indexed), tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    context = context_in(json.loads(done.stdout))
    assert "`pytest -q` exit 1 [failure]" in context
    assert "app/temperature.py:6" in context


@pytest.mark.parametrize("agent", [*TAKES_PROMPTS, "copilot"])
def test_a_prompt_gets_the_code_that_it_asks_for(agent: str, indexed: Path) -> None:
    event, payload = inputs(agent)["prompt"]
    answer = respond(read_arguments([agent, event, "--budget=300"]), given(payload, indexed))
    assert "def celsius_from_kelvin" in context_in(json.loads(answer))
    assert len(context_in(json.loads(answer))) < 10_000
    if agent != "copilot":
        assert json.loads(answer)["hookSpecificOutput"]["hookEventName"] == event


@pytest.mark.parametrize("prompt", ["yes", "go on", "/clear", "!ls -la app", "", "now explain this function"])
def test_an_answer_a_command_or_what_the_conversation_means_gets_no_context(
    prompt: str, indexed: Path
) -> None:
    event, payload = inputs("claude-code")["prompt"]
    asked = given({**payload, "prompt": prompt}, indexed)
    assert respond(read_arguments(["claude-code", event]), asked) == ""


def test_what_fails_is_for_the_conversation_to_say_where_no_failure_is_known(workspace: Path) -> None:
    event, payload = inputs("claude-code")["prompt"]
    asked = given({**payload, "prompt": "now fix the failing test"}, workspace)
    assert respond(read_arguments(["claude-code", event]), asked) == ""


def test_a_context_is_never_longer_than_an_agent_takes(workspace: Path) -> None:
    lines = "".join(f"    letter_{number} = 'Dear reader number {number}'\n" for number in range(2_000))
    (workspace / "app/letters.py").write_text(f"def write_letters():\n{lines}")
    engine = Engine.open(workspace)
    engine.working_set.pin(Target("app/letters.py"))
    engine.index()
    engine.close()
    event, payload = inputs("claude-code")["prompt"]
    asked = given({**payload, "prompt": "what does app/letters.py do?"}, workspace)
    answer = respond(read_arguments(["claude-code", event, "--budget=50000"]), asked)
    assert 2_000 < len(context_in(json.loads(answer))) < 10_000


def test_where_nothing_was_done_a_session_begins_with_nothing(workspace: Path) -> None:
    engine = Engine.open(workspace)
    engine.index()
    engine.close()
    event, payload = inputs("claude-code")["session"]
    assert respond(read_arguments(["claude-code", event]), given(payload, workspace)) == ""


@pytest.mark.parametrize(
    ("words", "payload"),
    [
        (["claude-code", "PostToolUse"], b"{"),
        (["claude-code", "PostToolUse"], b"[]"),
        (["claude-code", "UserPromptSubmit"], b"\xff\xfe"),
        (["claude-code", "PostToolUse"], b"[" * 100_000),
        (["nobody"], b"{}"),
        ([], b""),
        (
            ["codex", "--root=/nowhere"],
            b'{"hook_event_name": "UserPromptSubmit", "prompt": "what is in app.py?"}',
        ),
        (["gemini", "--budget=many", "--root"], b'{"hook_event_name": 7, "cwd": {}}'),
    ],
)
def test_a_hook_never_fails_an_agent(words: list[str], payload: bytes, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "contextls.cli.agent_hook", *words],
        input=payload,
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 1


def test_an_agent_that_never_ends_its_input_gets_on(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-m", "contextls.cli.agent_hook", "claude-code", "PostToolUse"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path) as hook:
        assert hook.wait(60) == 0
        assert hook.stderr is not None
        assert b"given up" in hook.stderr.read()


def test_outside_of_known_workspaces_it_is_silent(tmp_path: Path, contextls_home: Path) -> None:
    before = set((contextls_home / "state").glob("*"))
    root = write_workspace(tmp_path / "unknown")
    for event, payload in inputs("claude-code").values():
        assert respond(read_arguments(["claude-code", event]), given(payload, root)) == ""
    assert set((contextls_home / "state").glob("*")) == before


def test_secrets_and_ignored_files_stay_out(workspace: Path) -> None:
    Engine.open(workspace).close()
    (workspace / ".env").write_text("PASSWORD=swordfish-1\n")
    secret = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    event, payload = inputs("claude-code")["passed"]
    for command, printed in (
        ("make deploy", f"GITHUB_TOKEN={secret}"),
        ("cat .env", "PASSWORD=swordfish-1"),
    ):
        call = {**payload, "tool_input": {"command": command}, "tool_response": {"stdout": printed}}
        respond(read_arguments(["claude-code", event]), given(call, workspace))
    event, payload = inputs("claude-code")["written"]
    for path in ("$ROOT/.env", "secret/plan.md", "../elsewhere.py", "/etc/passwd", "\0"):
        call = {**payload, "tool_input": {"file_path": path, "content": "x"}}
        respond(read_arguments(["claude-code", event]), given(call, workspace))
    engine = Engine.open(workspace)
    found = engine.events()
    engine.close()
    assert [event.content["command"] for event in reversed(found)] == ["make deploy", "cat .env"]
    said = json.dumps([dict(event.content) for event in found])
    assert secret not in said
    assert "swordfish" not in said


def test_recording_loads_neither_index_nor_command_line(workspace: Path) -> None:
    Engine.open(workspace).close()
    heavy = ("lancedb", "numpy", "pebble", "tree_sitter", "bpe_openai", "rich", "typer", "contextls.engine")
    event, payload = inputs("claude-code")["failed"]
    script = (
        "import sys\nfrom contextls.cli.agent_hook import read_arguments, respond\n"
        "respond(read_arguments(sys.argv[1:]), sys.stdin.buffer.read())\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "claude-code", event],
        input=given(payload, workspace),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"[]\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder in which no agent was ever used."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for agent in AGENTS.values():
        if agent.home_variable:
            monkeypatch.delenv(agent.home_variable, raising=False)
    return folder


@pytest.mark.parametrize("agent", AGENTS)
def test_installed_and_taken_out_again(agent: str, home: Path, inline: Run) -> None:
    file = home / AGENTS[agent].user_file
    done = inline("hook", agent, "--install", "--yes", check=0)
    assert "+" in done.stdout
    assert AGENTS[agent].checked in done.stderr
    installed = json.loads(file.read_text("utf-8"))
    assert installed == json.loads(inline("hook", agent, check=0).stdout)
    assert "nothing to change" in inline("hook", agent, "--install", "--yes", check=0).stderr
    done = inline("hook", agent, "--uninstall", "--yes", check=0)
    assert done.stderr == f"deleted: {file}, which held nothing else\n"
    assert not [each for each in home.rglob("*") if each.is_file()], "nothing is left of it"


def test_an_empty_file_that_was_there_before_stays(home: Path, inline: Run) -> None:
    file = home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text("{}\n", "utf-8")
    inline("hook", "claude-code", "--install", "--yes", check=0)
    inline("hook", "claude-code", "--uninstall", "--yes", check=0)
    assert not json.loads(file.read_text("utf-8")).get("hooks")


def test_what_else_stands_in_the_file_stays(home: Path, inline: Run) -> None:
    file = home / ".claude/settings.json"
    file.parent.mkdir()
    theirs = {"matcher": "Edit", "hooks": [{"type": "command", "command": "ruff format"}]}
    before = json.dumps({"model": "opus", "hooks": {"PostToolUse": [theirs], "Stop": []}}, indent=4) + "\n"
    file.write_text(before, "utf-8")
    file.chmod(0o640)
    inline("hook", "claude-code", "--install", "--yes", "--budget", "500", check=0)
    after = json.loads(file.read_text("utf-8"))
    assert after["model"] == "opus"
    assert after["hooks"]["PostToolUse"][0] == theirs
    assert "--budget=500" in after["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"]
    assert file.stat().st_mode & 0o777 == 0o640
    assert (file.parent / "settings.json.before-contextls").read_text("utf-8") == before
    inline("hook", "claude-code", "--uninstall", "--yes", check=0)
    assert file.read_text("utf-8") == before


def test_a_file_kept_elsewhere_is_changed_where_it_is(home: Path, inline: Run) -> None:
    kept = home / "dotfiles/hooks.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    (home / ".cursor").mkdir()
    (home / ".cursor/hooks.json").symlink_to(kept)
    inline("hook", "cursor", "--install", "--yes", check=0)
    assert (home / ".cursor/hooks.json").is_symlink()
    assert "sessionStart" in kept.read_text("utf-8")


def test_a_file_that_is_not_understood_is_left_alone(home: Path, inline: Run) -> None:
    file = home / ".gemini/settings.json"
    file.parent.mkdir()
    file.write_text('{\n  // mine\n  "theme": "dark"\n}\n', "utf-8")
    done = inline("hook", "gemini", "--install", "--yes", check=2)
    assert "by hand" in done.stderr
    assert file.read_text("utf-8").startswith("{\n  // mine")


def test_nothing_is_written_unasked(home: Path, inline: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        done = inline("hook", "codex", "--install", check=2)
    assert "+++" in done.stdout
    assert "--yes" in done.stderr
    assert not (home / ".codex").exists()


def test_hooks_installed_for_one_workspace_record_only_there(
    home: Path, workspace: Path, inline: Run
) -> None:
    inline("hook", "claude-code", "--install", "--yes", "--root", workspace, check=0)
    file = workspace / ".claude/settings.local.json"
    hooks = json.loads(file.read_text("utf-8"))
    event, payload = inputs("claude-code")["failed"]
    run_hook(commands_of(hooks)[event], given(payload, workspace), workspace)
    engine = Engine.open(workspace)
    assert short(engine.events()[-1]) == (*TEST_RUN, 1)
    engine.close()
    shutil.rmtree(home)


def test_shells_take_no_options_of_agents(inline: Run) -> None:
    assert "for agents only" in inline("hook", "bash", "--install", check=2).stderr
