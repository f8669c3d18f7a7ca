"""Texts that crash or hang a parser, in every language."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.code.languages import default_languages

from ..protocol.wire import Wire
from .parser_attacks import ATTACKS, all_texts, worst_text

LIMIT = 0.5  # of one parse, in the settings of these tests
BOUND = 120.0  # seconds for all attacks of a test together, on a machine that does other things too
HARMLESS = (
    '"""The cart."""\n\n\ndef invoice_total(total):\n    """What is to be paid."""\n    return total * 1.2\n'
)
SOME = ("bash", "cpp", "markdown", "python", "typescript", "yaml")  # the last one's parser crashes
PADDING = "def helper_of_nothing(value):\n    return value + 1\n\n\n" * 40


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "settings.toml").write_text(f"parseTimeoutSeconds = {LIMIT}\nworkers = 2\n", "utf-8")
    return folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One attack file for each language beside one harmless file."""
    root = tmp_path_factory.mktemp("hostile")
    (root / "invoice.py").write_text(HARMLESS, "utf-8")
    for language, (ending, _) in ATTACKS.items():
        (root / f"{language}_attack.{ending}").write_text(worst_text(language), "utf-8")
    return root


@pytest.fixture(scope="module")
def server(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server for all attacks, on a harmless workspace: what they send is not on the disk."""
    root = tmp_path_factory.mktemp("harmless")
    (root / "invoice.py").write_text(HARMLESS, "utf-8")
    wire = Wire((sys.executable, "-I", "-m", "contextls", "serve"), {"CONTEXTLS_HOME": str(home)}, cwd=root)
    try:
        wire.initialize(root)
        wire.ready()
        yield wire
        assert loads_no_parser(wire)
        assert wire.end() == 0
    finally:
        wire.kill()


def run(root: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", "-m", "contextls", *words],
        cwd=root,
        env={**os.environ, "CONTEXTLS_HOME": str(home)},
        capture_output=True,
        encoding="utf-8",
        timeout=BOUND,
        check=False,
    )


def loads_no_parser(server: Wire) -> bool:
    """Whether the server's own process has no parser's library in its memory."""
    maps = Path(f"/proc/{server.process.pid}/maps")
    return not maps.exists() or "tree_sitter" not in maps.read_text("ascii")


def test_every_language_has_an_attack() -> None:
    languages = default_languages()
    parsed = set(filter(languages.is_parsed, languages.names))
    assert set(ATTACKS) == parsed
    assert {languages.language_of(f"a.{ending}") for ending, _ in ATTACKS.values()} == parsed


def test_the_command_in_the_folder(hostile: Path, home: Path) -> None:
    indexed = run(hostile, home, "index", "--json")
    assert indexed.returncode == 0, indexed.stderr
    report = json.loads(indexed.stdout)
    assert report["files"] + sum(report["skipped"].values()) == len(ATTACKS) + 1
    assert set(report["skipped"]) <= {"timeout"}
    assert any("timeout" in problem for problem in report["problems"])
    assert any("crash" in problem for problem in report["problems"])
    asked = run(hostile, home, "assemble", "invoice total", "--budget", "200")
    assert asked.returncode == 0, asked.stderr
    assert "invoice_total" in asked.stdout
    assert "Traceback" not in indexed.stderr + asked.stderr


def test_a_file_on_the_command_line(hostile: Path, home: Path) -> None:
    done = run(hostile, home, "compress", "yaml_attack.yaml", "--max-tokens", "20")
    assert done.returncode == 0, done.stderr
    assert "parsing it failed (crash" in done.stderr


def attack_with_compress(server: Wire, language: str, texts: list[str]) -> list[int]:
    params = {"language": language, "maxTokens": 20}
    return [server.send("context/compress", {**params, "text": text}) for text in texts]


def test_a_text_to_compress(server: Wire) -> None:
    began = time.monotonic()
    sent = [
        number
        for language in SOME
        for number in attack_with_compress(server, language, [worst_text(language)])
    ]
    assert "invoice_total" in server.assemble("invoice total")["content"]
    answers = [server.answer(number, BOUND) for number in sent]
    assert all(answer["tokenCount"] <= 20 for answer in answers)
    warned = [answer["warning"] for answer in answers if answer["warning"]]
    assert any("crash" in warning for warning in warned)
    assert time.monotonic() - began < BOUND
    assert loads_no_parser(server)


def test_a_large_text_to_compress(server: Wire) -> None:
    """Above 50,000 characters it is parsed where it is shortened, and shortened once more when that process died."""
    text = worst_text("yaml") + "\n" + "# some words that nobody needs\n" * 2_500
    assert len(text) > 60_000
    (number,) = attack_with_compress(server, "yaml", [text])
    answer = server.answer(number, BOUND)
    assert "parsing it failed (crash" in answer["warning"]
    assert answer["text"]
    assert answer["tokenCount"] <= 20
    assert loads_no_parser(server)


@pytest.mark.parametrize(
    "languages", [SOME, pytest.param(tuple(ATTACKS), marks=pytest.mark.long)], ids=["some", "all"]
)
def test_unsaved_texts_that_a_question_is_about(server: Wire, languages: tuple[str, ...]) -> None:
    began = time.monotonic()
    for language in languages:
        ending, _ = ATTACKS[language]
        server.open(f"{language}_attack.{ending}", worst_text(language), language)
    server.open("cart.py", HARMLESS.replace("invoice", "penguin") + PADDING)
    sent = server.send(
        "context/assemble", {"query": "how does penguin_total use helper_of_nothing?", "maxTokens": 300}
    )
    assert server.request("context/status", {}, BOUND) is not None  # answered meanwhile
    answer = server.answer(sent, BOUND)
    assert "penguin_total" in answer["content"]
    assert time.monotonic() - began < BOUND
    for uri in tuple(server.documents):
        server.close(uri)
    assert loads_no_parser(server)


@pytest.mark.long
@pytest.mark.parametrize("language", sorted(ATTACKS))
def test_all_texts_of_a_language(server: Wire, language: str) -> None:
    sent = attack_with_compress(server, language, all_texts(language))
    assert all(server.answer(number, BOUND)["tokenCount"] <= 20 for number in sent)
    assert loads_no_parser(server)
