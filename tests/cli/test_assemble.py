from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..repositories import git
from .conftest import Run


def test_assemble_prints_the_prompt_and_nothing_else(contextls: Run, shared_workspace: Path) -> None:
    done = contextls("assemble", "how is kelvin converted?", shared_workspace, "--budget", "1000", check=0)
    assert "celsius_from_kelvin" in done.stdout
    assert "of 1,000 tokens" in done.stderr
    assert "chunk" in done.stderr
    as_json = contextls(
        "assemble", "how is kelvin converted?", shared_workspace, "--budget", "1000", "--json", check=0
    )
    context = json.loads(as_json.stdout)
    assert context["content"].rstrip("\n") == done.stdout.rstrip("\n")


def test_assemble_json_has_the_names_of_the_wire(inline: Run, shared_workspace: Path) -> None:
    done = inline(
        "assemble", "how is kelvin converted?", shared_workspace, "--json", "--budget", "500", check=0
    )
    context = json.loads(done.stdout)
    assert {"content", "components", "tokenCount", "truncated", "strategy", "metadata"} <= set(context)
    assert 0 < context["tokenCount"] <= 500
    assert {"type", "source", "content", "tokens", "relevanceScore", "compression", "why", "body"} <= set(
        context["components"][0]
    )
    assert context["metadata"]["query"] == "how is kelvin converted?"
    assert context["metadata"]["chunksSearched"] > 0


def test_assemble_knows_where_the_user_is(inline: Run, shared_workspace: Path) -> None:
    for given, cwd in (("app/mail.py", shared_workspace), ("mail.py", shared_workspace / "app")):
        done = inline(
            "assemble",
            "what does this do?",
            shared_workspace,
            "--file",
            given,
            "--line",
            "7",
            "--json",
            cwd=cwd,
            check=0,
        )
        assert any(item["source"].startswith("app/mail.py") for item in json.loads(done.stdout)["components"])


def test_assemble_leads_with_the_changes_asked_for(inline: Run, workspace: Path) -> None:
    git(workspace, "init", "--quiet")
    git(workspace, "add", "app/temperature.py")
    review = ("assemble", "review my changes", workspace, "--changes")
    staged = inline(*review, "staged", check=0).stdout
    assert "app/temperature.py" in staged
    assert "app/mail.py:1-" not in staged.partition("## Relevant Content")[0]
    assert "app/mail.py:1-" in inline(*review, "all", check=0).stdout.partition("## Relevant Content")[0]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--budget", "-5"], "--budget"),
        (["--budget", "0"], "--budget"),
        (["--archetype", "poem"], "--archetype"),
        (["--tokenizer", "p50k_base"], "--tokenizer"),
        (["--file", "/etc/hostname"], "--file"),
    ],
    ids=" ".join,
)
def test_bad_requests_name_the_option(
    inline: Run, shared_workspace: Path, options: list[str], named: str
) -> None:
    done = inline("assemble", "kelvin", shared_workspace, *options)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert named in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_tokenizer_that_is_not_public_is_labelled(inline: Run, shared_workspace: Path) -> None:
    done = inline(
        *("assemble", "kelvin", shared_workspace, "--tokenizer", "some-private-model", "--budget", "300"),
        check=0,
    )
    assert "of 300 tokens (estimate)" in done.stderr
    exact = inline("assemble", "kelvin", shared_workspace, "--tokenizer", "gpt-4", check=0)
    assert "tokens (cl100k_base)" in exact.stderr


def test_an_empty_query_is_wrong_usage(inline: Run, shared_workspace: Path) -> None:
    done = inline("assemble", "", shared_workspace)
    assert done.returncode == 2
    assert "QUERY" in done.stderr.splitlines()[-1]
