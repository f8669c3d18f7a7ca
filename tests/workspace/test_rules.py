"""Rules files: which ones are found, for which files they are, and what of them is not let through."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.text.hidden import take_out_hidden
from contextls.workspace.rules.find import Rules, find_nested_rules, find_rules
from contextls.workspace.rules.front_matter import read_globs, split_front_matter
from contextls.workspace.rules.rules_file import RULES_BYTES, RulesScope
from contextls.workspace.trust import is_trusted


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def found(root: Path) -> Rules:
    return find_rules(root, lambda _path: True)


def test_every_tool_s_rules_at_the_root_are_found_the_shared_file_first(tmp_path: Path) -> None:
    for name in ("GEMINI.md", "CLAUDE.md", "AGENTS.md", ".github/copilot-instructions.md"):
        write(tmp_path, name, f"Rules of {name}.")
    assert [file.path for file in found(tmp_path).files] == [
        "AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
        ".github/copilot-instructions.md",
    ]


def test_instructions_apply_to_the_files_that_they_name(tmp_path: Path) -> None:
    write(
        tmp_path,
        ".github/instructions/types.instructions.md",
        '---\napplyTo: "**/*.{ts,tsx}"\n---\nUse strict types.\n',
    )
    (rules,) = found(tmp_path).files
    assert rules.scope is RulesScope.FILES
    assert rules.text == "Use strict types."
    assert rules.concerns("web/app.tsx")
    assert not rules.concerns("web/app.py")


@pytest.mark.parametrize(
    ("head", "scope"),
    [
        ("alwaysApply: true", RulesScope.ALWAYS),
        ("globs: *.py\nalwaysApply: false", RulesScope.FILES),
        ("globs:\n  - src/**\n  - tests/**", RulesScope.FILES),
        ("globs: **", RulesScope.ALWAYS),
        ("description: how to release\nalwaysApply: false", RulesScope.ON_REQUEST),
    ],
)
def test_rules_of_cursor_say_when_they_are_sent(tmp_path: Path, head: str, scope: RulesScope) -> None:
    write(tmp_path, ".cursor/rules/style.mdc", f"---\n{head}\n---\nBe brief.\n")
    (rules,) = found(tmp_path).files
    assert rules.scope is scope


def test_nested_rules_come_from_far_to_near(tmp_path: Path) -> None:
    for folder in ("shop", "shop/cart", "docs"):
        write(tmp_path, f"{folder}/AGENTS.md", f"Rules of {folder}.")
    nested = find_nested_rules(tmp_path, ["shop/cart/total.py"], lambda _path: True)
    assert [file.path for file in nested.files] == ["shop/AGENTS.md", "shop/cart/AGENTS.md"]


def test_a_file_that_only_repeats_or_refers_is_sent_once(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "Be kind.")
    write(tmp_path, "CLAUDE.md", "@AGENTS.md\n")
    write(tmp_path, "GEMINI.md", "Be kind.")
    rules = found(tmp_path)
    assert [file.path for file in rules.files] == ["AGENTS.md"]
    assert [(one.path, one.reason) for one in rules.left_out] == [
        ("CLAUDE.md", "says what AGENTS.md says"),
        ("GEMINI.md", "says what AGENTS.md says"),
    ]


def test_five_megabytes_are_left_out_by_name(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "x" * 5_000_000)
    rules = found(tmp_path)
    assert rules.files == ()
    assert rules.left_out[0].path == "AGENTS.md"
    assert f"AGENTS.md: larger than {RULES_BYTES:,} bytes" in rules.warnings[0]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "secret.txt", "the launch code")
    root = tmp_path / "work"
    root.mkdir()
    (root / "AGENTS.md").symlink_to(tmp_path / "secret.txt")
    rules = found(root)
    assert rules.files == ()
    assert "AGENTS.md" in rules.warnings[0]


def test_a_link_to_another_rules_file_says_what_that_says(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "Be kind.")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    rules = find_rules(tmp_path, lambda path: path == "AGENTS.md")
    assert [file.path for file in rules.files] == ["AGENTS.md"]
    assert [(one.path, one.reason) for one in rules.left_out] == [("CLAUDE.md", "says what AGENTS.md says")]


def test_what_hides_in_a_file_is_taken_out_and_said(tmp_path: Path) -> None:
    tags = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    write(tmp_path, "AGENTS.md", f"Be kind.\nBe\u200b brief{tags}.\u202e\n")
    rules = found(tmp_path)
    assert rules.files[0].text == "Be kind.\nBe brief."
    assert rules.warnings == ("AGENTS.md: 6 hidden characters taken out, the first in line 2",)


def test_an_open_fence_is_said(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "Run:\n\n```sh\nmake test\n")
    assert found(tmp_path).warnings == (
        "AGENTS.md: a code fence is not closed; the file stands in a longer one",
    )


def test_ignored_rules_are_named_and_not_opened(tmp_path: Path) -> None:
    write(tmp_path, "AGENTS.md", "Be kind.")
    rules = find_rules(tmp_path, lambda path: path != "AGENTS.md")
    assert rules.files == ()
    assert [(one.path, one.reason) for one in rules.left_out] == [("AGENTS.md", "ignored or excluded")]


@pytest.mark.parametrize("text", ["👩‍👩‍👧 stays", "می‌خواهم", "naïve café", "plain"])
def test_joiners_that_a_script_needs_stay(text: str) -> None:
    assert take_out_hidden(text) == (text, None)


@given(st.text(max_size=200))
def test_nothing_hides_twice(text: str) -> None:
    shown, _ = take_out_hidden(text)
    for sign in "\u200b\u202e\u2066\ufeff\U000e0041":
        assert sign not in shown


@given(st.text(max_size=300))
def test_any_head_is_read_and_no_body_is_lost(text: str) -> None:
    fields, body = split_front_matter(text)
    assert text.endswith(body)
    for value in fields.values():
        read_globs(value)


def test_patterns_in_braces_are_as_many_patterns() -> None:
    assert read_globs("**/*.{ts,tsx}, docs/**") == ("**/*.ts", "**/*.tsx", "docs/**")
    assert len(read_globs("{a,b}" * 30)) <= 64


def test_trust_reaches_below_a_folder_and_nowhere_else(tmp_path: Path) -> None:
    inside, outside = tmp_path / "src" / "app", tmp_path / "elsewhere"
    for folder in (inside, outside):
        folder.mkdir(parents=True)
    trusted = [str(tmp_path / "src")]
    assert is_trusted(inside, trusted)
    assert not is_trusted(outside, trusted)
    assert not is_trusted(inside, ["src", "", "."])
    assert not is_trusted(inside, ["~nobody-of-this-name"])
    assert is_trusted(outside, ["*"])
