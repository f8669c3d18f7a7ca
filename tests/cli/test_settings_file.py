from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from contextls.cli.client import start_client
from contextls.engine import Engine
from contextls.errors import ContextlsError
from contextls.settings import Settings, user_file, user_settings

from .conftest import Run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, so that a settings file in it is seen by this test alone."""
    monkeypatch.setenv("CONTEXTLS_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    assert user_file() == home / "settings.toml"
    assert user_settings() == Settings()


def test_the_file_goes_on_top_of_the_defaults(home: Path, inline: Run, workspace: Path) -> None:
    (home / "settings.toml").write_text('maxTokens = 321\ntokenizer = "cl100k_base"\nignore = ["*.ts"]\n')
    assert user_settings() == Settings(max_tokens=321, tokenizer="cl100k_base", ignore=("*.ts",))
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
        ("a = 1", "a: expected the name of a setting, as contextls's README lists them"),
        ("[contextls]\nmaxTokens = 3", "contextls: expected the settings without a table around them"),
        ("maxFileBytes = 0", "maxFileBytes: expected 1,000 or more, got 0"),
        ("parseTimeoutSeconds = nan", "parseTimeoutSeconds: expected 0.1 to 3,600, got nan"),
        ("readSeconds = inf", "readSeconds: expected 0 or more, got inf"),
        ('tokenizer = "gpt4"', "(did you mean gpt-4?), or estimate for any other, got 'gpt4'"),
        ('tokenizer = ""', "tokenizer: expected an encoding (o200k_base, cl100k_base)"),
        ('modelLimits = ["a=1", "b"]', "modelLimits: expected entries such as my-model=32000, got 'b'"),
    ],
)
def test_a_wrong_file_is_named_and_a_server_starts_all_the_same(
    home: Path, inline: Run, workspace: Path, text: str, named: str
) -> None:
    (home / "settings.toml").write_text(text)
    done = inline("status", workspace)
    assert done.returncode == 2
    assert str(home / "settings.toml") in done.stderr
    assert named in done.stderr
    if named == "TOML":
        with start_client([sys.executable, "-m", "contextls.cli.main", "serve"]) as server:
            assert server.request("initialize", {"processId": None, "capabilities": {}})["capabilities"]


def test_more_workers_than_cores_are_not_started(home: Path, workspace: Path) -> None:
    (home / "settings.toml").write_text("workers = 1000\n")
    with Engine.open(workspace, settings=user_settings()) as engine:
        assert engine.index().changed
        assert engine._memories.content.pool.workers == os.cpu_count()


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
