from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from contextls.cli.client import start_client
from contextls.engine import Engine
from contextls.errors import ContextlsError
from contextls.settings import Settings
from contextls.settings_file import read_user_settings, user_file

from .conftest import Run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, so that a settings file in it is seen by this test alone."""
    monkeypatch.setenv("CONTEXTLS_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    assert user_file() == home / "settings.toml"
    assert read_user_settings().settings == Settings()


def test_the_file_goes_on_top_of_the_defaults(home: Path, inline: Run, workspace: Path) -> None:
    (home / "settings.toml").write_text('maxTokens = 321\ntokenizer = "cl100k_base"\nignore = ["*.ts"]\n')
    assert read_user_settings().settings == Settings(
        max_tokens=321, tokenizer="cl100k_base", ignore=("*.ts",)
    )
    done = inline("assemble", "route handler", workspace, check=0)
    assert done.stdout.startswith("route handler\n\n## ")
    assert "of 321 tokens (cl100k_base)" in done.stderr
    assert "typescript" not in json.loads(inline("status", workspace, "--json", check=0).stdout)["languages"]


def test_prompts_without_the_question(home: Path, inline: Run, workspace: Path) -> None:
    (home / "settings.toml").write_text("taskLine = false\n")
    assert inline("assemble", "route handler", workspace, check=0).stdout.startswith("## Relevant Content")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("maxTokens = ", "TOML"),
        ("maxToken = 3", "maxToken: expected the name of a setting (did you mean maxTokens?)"),
        ("maxtokens = 3", "maxtokens: expected the name of a setting (did you mean maxTokens?)"),
        ("max_tokens = 3", "max_tokens: expected the name of a setting (did you mean maxTokens?)"),
        ('maxTokens = "many"', "maxTokens"),
        ("a = 1", "a: expected the name of a setting, as docs/settings.md lists them"),
        ("[contextls]\nmaxTokens = 3", "contextls: expected the settings without a table around them"),
        (f"a = {'[' * 20_000}", "expected TOML (nested too deeply)"),
        ("maxFileBytes = 0", "maxFileBytes: expected 1,000 or more, got 0"),
        ("parseTimeoutSeconds = nan", "parseTimeoutSeconds: expected 0.1 to 3,600, got nan"),
        ("readSeconds = inf", "readSeconds: expected 0 or more, got inf"),
        ('tokenizer = "gpt4"', "(did you mean gpt-4?), or estimate for any other, got 'gpt4'"),
        ('tokenizer = ""', "tokenizer: expected an encoding (o200k_base, cl100k_base)"),
        ('modelLimits = ["a=1", "b"]', "modelLimits: expected entries such as my-model=32000, got 'b'"),
    ],
)
def test_a_wrong_file_is_named_and_all_goes_on(
    home: Path, inline: Run, workspace: Path, text: str, named: str
) -> None:
    (home / "settings.toml").write_text(text)
    done = inline("status", workspace, check=0)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"warning: {home / 'settings.toml'}: ")
    assert named in line
    if named == "TOML":
        with start_client([sys.executable, "-m", "contextls.cli.main", "serve"]) as server:
            assert server.request("initialize", {"processId": None, "capabilities": {}})["capabilities"]


FAULTY = """\
maxTokens = "many"
maxtoken = 5
embedder = "onyx"
taskLine = false
"a\\nb" = 1
"""
FAULTS = [
    "maxTokens: expected a whole number, got 'many'; 4000 is used",
    "maxtoken: expected the name of a setting (did you mean maxTokens?)",
    "embedder: expected one of static, onnx, openai, got 'onyx'; \"static\" is used",
    "a\N{SYMBOL FOR LINE FEED}b: expected the name of a setting, as docs/settings.md lists them",
]


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (("assemble", "route handler"), "## Relevant Content"),  # needs the settings at three places
        (("search", "route"), "web/router.ts"),
        (("tokens", "README.md"), "11\n"),
        (("run", "--", "echo", "hi"), "hi\n"),
    ],
)
def test_commands_tell_each_fault_once_and_go_by_the_rest(
    home: Path, contextls: Run, workspace: Path, words: tuple[str, ...], printed: str
) -> None:
    (home / "settings.toml").write_text(FAULTY)
    done = contextls(*words, cwd=workspace, check=0)
    assert done.stdout.startswith(printed)
    told = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert told == [f"warning: {home / 'settings.toml'}: {fault}" for fault in FAULTS]
    assert "not recorded" not in done.stderr


def test_doctor_lists_every_fault(home: Path, inline: Run, workspace: Path) -> None:
    (home / "settings.toml").write_text(FAULTY)
    done = inline("doctor", workspace, "--json", check=1)
    problems = [each for each in json.loads(done.stdout) if each["verdict"] == "problem"]
    assert [each["about"] for each in problems] == ["settings"] * 4
    for problem, fault in zip(problems[:3], FAULTS[:3], strict=True):
        assert problem["what"] == f"{home / 'settings.toml'}: {fault}"


DELETES_NOTHING = Settings(
    event_retention_days=0,
    event_max_count=0,
    event_max_bytes=0,
    conversation_retention_days=0,
    conversation_max_bytes=0,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("memoryPaused = 'yes'", Settings(memory_paused=True)),
        ("memory_paused = true", Settings(memory_paused=True)),
        ("memory_paused = false", Settings()),
        ("memory_paused = false\nmemoryPaused = true", Settings(memory_paused=True)),
        ("record = 'file_*'", Settings(record=())),
        ("recorded = ['file_*']", Settings(unrecorded=("*",))),
        ("unrecorded = 5", Settings(unrecorded=("*",))),
        ("ignore = 'drafts/'", Settings(ignore=("drafts/",))),
        ("ignore = ['drafts/', 5]", Settings(ignore=("drafts/",))),
        ("ignored = ['drafts/']", Settings(ignore=("drafts/",))),
        ("ignore = 5", Settings()),
        ("packageSources = 'none'", Settings(package_sources=())),
        ("indexPublicKey = 5", Settings(index_public_key="5")),
        ("identityPermissions = 'guest=code'", Settings(identity_permissions=("guest=code",))),
        ("identityPermissions = 5", Settings(identity_permissions=("5",))),
        ("eventRetentionDays = 'all'", Settings(event_retention_days=0)),
        ("conversationMaxBytes = -1", Settings(conversation_max_bytes=0)),
        ("embedderConsent = 'yes'", Settings()),
        ("trustedFolders = '*'", Settings()),
        ("maxTokens =", replace(DELETES_NOTHING, memory_paused=True, package_sources=())),
        ("maxTokens = 99\neventMaxCount = 5\n[contextls]\nrecord = []", replace(
            DELETES_NOTHING, memory_paused=True, package_sources=(), max_tokens=99, event_max_count=5
        )),
    ],
)  # fmt: skip
def test_a_fault_records_shows_and_deletes_no_more_than_the_user_may_want(
    home: Path, text: str, expected: Settings
) -> None:
    (home / "settings.toml").write_text(text)
    assert read_user_settings().settings == expected
    assert len(read_user_settings().faults) == 1


@pytest.mark.parametrize("text", ["memoryPaused = true\nmaxtoken = 5", "memoryPaused = 1", "record ="])
def test_nothing_is_recorded_where_the_user_may_not_want_it(
    home: Path, contextls: Run, workspace: Path, text: str
) -> None:
    (home / "settings.toml").write_text(text)
    contextls("run", "--", "echo", "hi", cwd=workspace, check=0)
    hook = [
        sys.executable,
        "-I",
        "-m",
        "contextls.cli.agent_hook",
        "shell",
        "--command=make",
        "--exit-code=0",
    ]
    done = subprocess.run([*hook, f"--root={workspace}"], capture_output=True, encoding="utf-8", check=True)
    assert f"contextls: warning: {home / 'settings.toml'}: " in done.stderr
    (home / "settings.toml").unlink()
    assert json.loads(contextls("status", workspace, "--json", check=0).stdout)["events"] == 0


def test_agents_are_served_and_the_log_names_the_faults(home: Path, contextls: Run, workspace: Path) -> None:
    (home / "settings.toml").write_text(FAULTY)
    done = contextls("mcp", "--root", workspace, check=0)
    for fault in FAULTS[:3]:
        assert f"{home / 'settings.toml'}: {fault}" in done.stderr


def test_more_workers_than_cores_are_not_started(home: Path, workspace: Path) -> None:
    (home / "settings.toml").write_text("workers = 1000\n")
    with Engine.open(workspace, settings=read_user_settings().settings) as engine:
        assert engine.index().changed
        assert engine._memories.content.pool.workers == os.cpu_count()


@pytest.mark.parametrize(("cores", "workers"), [(1, 1), (2, 2), (4, 4), (8, 4), (12, 6), (64, 8), (None, 1)])
def test_half_of_many_cores_parse(monkeypatch: pytest.MonkeyPatch, cores: int | None, workers: int) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert Settings().worker_count == workers
    assert Settings(workers=64).worker_count == (cores or 1)


@pytest.mark.parametrize(
    "command",
    [
        ("index", "."),
        ("search", "route"),
        ("pack", "--root", "."),
        ("record", "file_write", "--path", "app/mail.py"),
    ],
)
def test_a_relative_home_is_refused_and_nothing_is_made(
    inline: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    before = sorted(workspace.rglob("*"))
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("CONTEXTLS_HOME", "kept")
    done = inline(*command)
    assert done.returncode == 2
    assert "CONTEXTLS_HOME: expected an absolute path, got 'kept'" in done.stderr
    assert sorted(workspace.rglob("*")) == before


def test_a_server_with_a_relative_home_says_so_and_makes_nothing(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(workspace.rglob("*"))
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("CONTEXTLS_HOME", "kept")
    with start_client([sys.executable, "-m", "contextls.cli.main", "serve"]) as server:
        given: dict[str, object] = {"processId": None, "capabilities": {}, "rootUri": workspace.as_uri()}
        assert server.request("initialize", given)["capabilities"]
        server.notify("initialized", {})
        with pytest.raises(ContextlsError, match="CONTEXTLS_HOME: expected an absolute path, got 'kept'"):
            server.request("context/search", {"query": "route"})
    assert sorted(workspace.rglob("*")) == before
