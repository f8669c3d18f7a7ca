"""Secrets in every form that people and tools write them down."""

from __future__ import annotations

import io
import sysconfig
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from tests.hardening.secret_samples import corpus, families, fill

from contextls.cli.main import run
from contextls.text.redact import is_secret_field, redact
from contextls.text.secrets.names import name_lists, read_name_lists
from contextls.text.secrets.rules import (
    FormRule,
    TokenRule,
    compile_rule,
    form_rules,
    read_rules,
    token_rules,
)

SAMPLES = [sample for family in families() for sample in corpus(family)]
# Of every hundred formats so many may get past, of a small family one: what a person would not know for a secret either.
MISSED_OF_A_HUNDRED = 2
FILLINGS = ["", "a", "b"]
RULES: list[TokenRule | FormRule] = [*token_rules(), *form_rules()]
FILES = 250
LINES_OF_AN_EVENT = 60
WRONG_OF_TEN_THOUSAND_LINES = 0.5


@pytest.mark.parametrize("family", list(families()))
def test_the_secrets_of_a_family_are_redacted(
    family: str, record_property: Callable[[str, object], None]
) -> None:
    tried = [sample for filling in FILLINGS for sample in corpus(family, filling)]
    record_property("attacks", len(tried) // len(FILLINGS))
    leaked = []
    for sample in tried:
        shown = redact(sample.text)
        assert shown.text.count("\n") == sample.text.count("\n")
        assert redact(shown.text).text == shown.text
        if sample.leaked(shown.text):
            leaked.append(sample.name)
    assert len(leaked) <= max(len(FILLINGS), len(tried) * MISSED_OF_A_HUNDRED / 100), leaked


def test_nearly_all_formats_are_found() -> None:
    samples = [sample for filling in FILLINGS for family in families() for sample in corpus(family, filling)]
    assert len(samples) >= 400 * len(FILLINGS)
    leaked = [sample.name for sample in samples if sample.leaked(redact(sample.text).text)]
    assert len(leaked) <= len(samples) * MISSED_OF_A_HUNDRED / 100, leaked


@pytest.mark.parametrize("template", ["ghp_{let:36}", "npm_{let:36}", "hf_{let:34}", "sk_live_{let:24}"])
def test_tokens_without_digits_are_found_behind_the_name_of_a_service(template: str) -> None:
    texts = [f"note {fill(template, str(number))} here" for number in range(500)]
    assert sum(not redact(text).found for text in texts) <= 5


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.kind}-{rule.secret[0][:30]}")
def test_every_rule_finds_its_examples_and_leaves_the_others(rule: TokenRule | FormRule) -> None:
    for number, template in enumerate(rule.secret):
        text = fill(template, str(number))
        assert redact(text).found, text
    for template in rule.harmless:
        text = fill(template, "harmless")
        assert redact(text).text == text


def test_the_rules_are_stored_as_they_are_written() -> None:
    written = read_rules()
    assert (token_rules(), form_rules()) == (written.token, written.form), (
        "run: python tools/update_tables.py"
    )
    assert name_lists() == read_name_lists(), "run: python tools/update_tables.py"


@pytest.mark.parametrize("rule", form_rules(), ids=lambda rule: f"{rule.kind}-{rule.keywords[0]}")
def test_no_form_takes_long_over_near_misses(rule: FormRule) -> None:
    pieces = [*rule.keywords, fill(rule.secret[0], "near")[:-6]]
    started = time.process_time()
    for piece in pieces[-3:]:
        redact((piece + " ") * (20_000 // len(piece)))
        redact(piece * (20_000 // len(piece)))
    assert compile_rule(rule.pattern)
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    "piece",
    [
        *("accesskey=", "password=", "secret=a1", "api_key: ", '"token":', "--password ", "<password>", "auth: x, value: "),
        *("token=a1B2a1B2a1B2&", "password is ", "pass=>", "secret: a&b&", "key: x\n", "cookie: a=b;", "net use \\\\a "),
        *("ghp_", "sk-proj-", "AKIA", "eyJhbGciOi.", "sk_live_aB1-", "SG.aaaaaaaaaaaaaaaaaaaa.", "aB1-", "%3D", "1//0aB1"),
    ],
)  # fmt: skip
def test_names_and_prefixes_without_a_secret_take_linear_time(piece: str) -> None:
    started = time.process_time()
    redact(piece * (40_000 // len(piece)))
    assert time.process_time() - started < 4


def test_all_of_them_leave_no_trace_on_disk_or_in_answers(
    tmp_path: Path, contextls_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "workspace"
    root.mkdir()
    found = [sample for sample in SAMPLES if not sample.leaked(redact(sample.text).text)]
    texts = [f"number {number}\n\n{sample.text}\n\n" for number, sample in enumerate(found)]
    (root / "secrets.txt").write_text("\n".join(texts), "utf-8")
    monkeypatch.chdir(root)
    answers = [_contextls("index")]
    for at in range(0, len(texts), LINES_OF_AN_EVENT):
        output = tmp_path / "output"
        output.write_text("\n".join(texts[at : at + LINES_OF_AN_EVENT]), "utf-8")
        answers.append(
            _contextls(
                "record",
                "shell_exec",
                "--command",
                texts[at],
                "--exit-code",
                "1",
                "--output-file",
                str(output),
            )
        )
    answers.append(_contextls("assemble", "which tokens and passwords are there?", "--budget", "30000"))
    answers.append(_contextls("pack", "."))
    kept = b"".join(path.read_bytes() for path in contextls_home.rglob("*") if path.is_file())
    pieces = {
        piece for sample in found for secret in sample.secrets for piece in secret.split() if len(piece) >= 16
    }
    assert len(pieces) > 400
    assert [
        piece for piece in pieces if piece.encode() in kept or any(piece in answer for answer in answers)
    ] == []


def _contextls(*words: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert run(list(words)) == 0, err.getvalue()
    return out.getvalue() + err.getvalue()


def test_published_code_is_left_alone() -> None:
    root = Path(sysconfig.get_path("stdlib"))
    lines = wrong = 0
    for path in sorted(root.glob("*.py"))[:FILES]:
        text = path.read_text("utf-8", "replace")
        shown = redact(text).text
        lines += text.count("\n")
        wrong += sum(line != after for line, after in zip(text.splitlines(), shown.splitlines(), strict=True))
    assert wrong <= lines * WRONG_OF_TEN_THOUSAND_LINES / 10_000


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("password", "hunter2", True),
        ("dbPassword", "k9!fT2-xQ", True),
        ("api_key", "q8Zt5LmX2vB7nR4c", True),
        ("password", "password", False),
        ("token_type", "Bearer9f8e7d6c5b4a", False),
        ("path", "q8Zt5LmX2vB7nR4c", False),
    ],
)
def test_the_name_of_a_field_tells_as_much_as_that_of_a_variable(name: str, value: str, secret: bool) -> None:
    assert is_secret_field(name, value) is secret
