from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ..repositories import git
from .conftest import Run
from .terminals import Terminal


def test_search_finds_and_indexes_first(contextls: Run, workspace: Path) -> None:
    done = contextls(
        "search", "convert a temperature from kelvin", workspace, "--json", "--limit", "2", check=0
    )
    result = json.loads(done.stdout)
    assert result["query"] == "convert a temperature from kelvin"
    assert result["indexComplete"] is True
    assert 1 <= len(result["hits"]) <= 2
    best = result["hits"][0]
    assert best["path"] == "app/temperature.py"
    assert set(best) == {"path", "startLine", "endLine", "language", "kind", "symbol", "score", "text"}
    assert 1 <= best["startLine"] <= 4 <= best["endLine"] <= 6
    assert "indexed" in done.stderr


def test_search_sees_what_changed_since(inline: Run, workspace: Path) -> None:
    inline("index", workspace, check=0)
    (workspace / "app" / "tide.py").write_text("def high_tide(harbour):\n    return harbour.tides.max()\n")
    hits = json.loads(inline("search", "high tide harbour", workspace, "--json", check=0).stdout)["hits"]
    assert hits[0]["path"] == "app/tide.py"


def test_search_prints_place_name_and_lines(inline: Run, shared_workspace: Path) -> None:
    text = inline("search", "celsius_from_kelvin", shared_workspace, check=0).stdout
    assert text.startswith("app/temperature.py:")
    assert "celsius_from_kelvin" in text
    assert "    return kelvin - 273.15" in text
    assert "\x1b" not in text


def test_ignored_files_are_not_found(inline: Run, shared_workspace: Path) -> None:
    hits = json.loads(inline("search", "plan do not read this", shared_workspace, "--json").stdout)["hits"]
    assert not [hit["path"] for hit in hits if hit["path"].startswith("secret/")]


def test_without_an_index_words_are_looked_for_in_the_files(inline: Run, workspace: Path) -> None:
    done = inline("search", "temperature", workspace, "--no-index", check=0)
    assert "kelvin" in done.stdout
    assert "the index is not complete" in done.stderr
    nothing = inline("search", "wombat", workspace, "--no-index")
    assert nothing.returncode == 1
    assert "nothing found" in nothing.stderr


def test_batch_answers_each_line(contextls: Run, shared_workspace: Path, tmp_path: Path) -> None:
    queries = ["kelvin to celsius", "deliver a letter", "größte Straße → 東京"]
    file = tmp_path / "queries.jsonl"
    lines = [json.dumps({"query": query}, ensure_ascii=False) for query in queries]
    file.write_text("\n\n".join(lines) + "\n", "utf-8")
    done = contextls("search", "--batch", file, "--limit", "3", shared_workspace, check=0)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["query"] for answer in answers] == queries
    for answer in answers:
        assert list(answer) == ["query", "results", "ms"]
        assert answer["ms"] >= 0
        assert len(answer["results"]) <= 3
        for path, start, end in answer["results"]:
            lines_there = len((shared_workspace / path).read_text("utf-8").splitlines())
            assert 1 <= start <= end <= lines_there
    assert answers[0]["results"][0][0] == "app/temperature.py"
    assert answers[1]["results"][0][0] == "app/mail.py"


def test_batch_reads_standard_input(contextls: Run, shared_workspace: Path) -> None:
    done = contextls(
        "search", "--batch", "-", cwd=shared_workspace, stdin='{"query": "mailbox", "id": 7}\n', check=0
    )
    assert json.loads(done.stdout)["results"][0][0] == "app/mail.py"


def test_batch_names_the_malformed_line(inline: Run, shared_workspace: Path, tmp_path: Path) -> None:
    for bad in (
        "{",
        "[]",
        '"text"',
        "{}",
        '{"query": 3}',
        '{"query": "  "}',
        "null",
        "[" * 100_000,
        "\ufffe",
    ):
        file = tmp_path / "queries.jsonl"
        file.write_text('{"query": "mail"}\n\n' + bad + "\n", "utf-8")
        done = inline("search", "--batch", file, shared_workspace)
        assert done.returncode == 2, bad[:20]
        assert done.stdout == "", "a file is checked before the first answer"
        assert f"{file}:3" in done.stderr
        assert "expected" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_batch_takes_only_a_root(inline: Run, shared_workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_text('{"query": "mail"}\n')
    done = inline("search", "mail", "elsewhere", "--batch", file, cwd=shared_workspace)
    assert done.returncode == 2
    missing = inline("search", "--batch", tmp_path / "missing.jsonl", shared_workspace)
    assert missing.returncode == 2
    assert str(tmp_path)[:40] in missing.stderr, "as much of it as there is room for"


@pytest.mark.parametrize(
    "words", ["search zebra", "entities zebra", "graph zebra", "assemble zebra --explain"]
)
def test_a_terminal_obeys_no_name_of_a_file(contextls: Run, tmp_path: Path, words: str) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "a\x1b]0;owned\x07b\nc.py").write_text("def zebra(): pass\n")
    contextls("index", cwd=tmp_path / "work", check=0)
    terminal = Terminal("bash", tmp_path / "work", {"TERM": "xterm-256color", "COLUMNS": "120"})
    shown = terminal.type(f"{sys.executable} -m contextls.cli.main {words}; echo sho''wn", "shown")
    terminal.close()
    assert "a␛]0;owned␇b␊c.py" in shown
    assert "\x1b]0;" not in shown


def test_a_line_end_in_a_name_begins_no_line(inline: Run, tmp_path: Path) -> None:
    (tmp_path / "a\nb.py").write_text("def zebra(): pass\n")
    assert inline("search", "zebra", tmp_path, check=0).stdout.startswith("a␊b.py:1-1  function zebra\n")
    (tmp_path / "other.py").write_text("x = 1\n")
    assert "a␊b.py\n" in inline("pack", cwd=tmp_path, check=0).stderr


def test_where_there_is_no_file_to_find_it_is_said_why(inline: Run, tmp_path: Path) -> None:
    checkout, bare, ignored = (tmp_path / name for name in ("checkout", "bare.git", "ignored"))
    for folder in (checkout, bare, ignored):
        folder.mkdir()
        git(folder, "init", "-q", *(["--bare"] if folder is bare else []))
    (ignored / ".gitignore").write_text("*\n")
    for command in ("search", "assemble"):
        done = inline(command, "refunds", checkout, check=1)
        assert f"nothing found: no file of {checkout} is indexed\n" in done.stderr
        done = inline(command, "refunds", ignored, check=1)
        assert f"nothing found: no file of {ignored} is indexed (left out: gitignore 1)\n" in done.stderr
        done = inline(command, "refunds", bare, check=1)
        assert f"{bare} is a bare repository: it has history but no files to go with it" in done.stderr
