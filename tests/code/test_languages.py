from __future__ import annotations

from pathlib import Path

import pytest
from tests.code.fixtures import FOLDER, check, sources

from contextls.code.language_facts import GrammarError
from contextls.code.languages import Languages, default_languages
from contextls.code.parse import parse_file

LANGUAGES = default_languages()


@pytest.mark.parametrize("language", [*filter(LANGUAGES.is_parsed, LANGUAGES.names)])
def test_every_query_compiles(language: str) -> None:
    assert LANGUAGES.grammar(language).query.pattern_count > 0


@pytest.mark.parametrize("language", LANGUAGES.names)
def test_every_language_has_a_fixture(language: str) -> None:
    assert list((FOLDER / language).glob("*")), f"tests/code/fixtures/{language}/ is missing"


@pytest.mark.parametrize("path", sources(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_fixture_is_read_as_expected(path: Path) -> None:
    check(path)


def test_extensions_belong_to_one_language() -> None:
    seen: dict[str, str] = {}
    for language in LANGUAGES.names:
        facts = LANGUAGES.facts(language)
        assert facts is not None
        for mark in (*facts.extensions, *facts.filenames, *facts.shebangs, *facts.aliases):
            assert seen.setdefault(mark, language) == language


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("src/a.py", "", "python"),
        ("A.PY", "", "python"),
        ("types/index.d.ts", "", "typescript"),
        ("analysis/dives.ipynb", "", "python"),
        ("analysis/dives.ipynb", "# Notebook in r", "text"),
        ("analysis/Dives.Rmd", "---", "markdown"),
        ("analysis/dives.qmd", "---", "markdown"),
        ("bin/run", "#!/usr/bin/env -S python3.11 -u", "python"),
        ("bin/run", "#!/bin/bash -e", "bash"),
        ("bin/run", "#!", "text"),
        ("lang/shop_de.ts", '<?xml version="1.0" encoding="utf-8"?>', "text"),
        ("lang/shop_de.ts", "\ufeff<!DOCTYPE TS>", "text"),
        ("db/chapters.sq", "CREATE TABLE chapters(", "sql"),
        ("BUILD", "cc_library(name = 'loans')", "starlark"),
        ("tools/loans.bzl", "", "starlark"),
        ("SConstruct", "", "python"),
        ("library.module", "<?php\n\n/**\n * @file", "php"),
        ("library.install", "\ufeff<?php", "php"),
        ("library.module", "import loans", "text"),
        ("loans.html", "<?php", "html"),
        ("lib/Loans.m", "// Loans", "objc"),
        ("lib/loans.m", "function x = loans(y)", "matlab"),
        ("lib/loans.m", "\n%% Loans\nx = 1;", "matlab"),
        ("lib/loans.m", "/*\n function of loans\n*/\n#import <UIKit/UIKit.h>\n", "objc"),
        ("lib/loans.m", "% Loans.\n:- module loans.\n", "text"),
        (
            "lib/Loans.h",
            "// Loans\n\n#import <Foundation/Foundation.h>\n\n@interface Loans : NSObject\n@end\n",
            "objc",
        ),
        ("lib/Lending.h", "@protocol Lending <NSObject>\n- (void)lend;\n@end\n", "objc"),
        ("lib/loans.h", "@class NSWindow;\nclass Loans {\n};\n", "cpp"),
        ("lib/loans.h", "int loans(void);\n", "cpp"),
        ("src/loans.f", "      SUBROUTINE LEND", "fortran77"),
        ("rtl/loans.f", "+incdir+rtl", "text"),
        ("rtl/loans.v", "module loans (input clk);", "verilog"),
        ("theories/Loans.v", "Require Import List.", "text"),
        ("src/loans.v", "module main", "text"),
        ("src/page.ts", "<T>(one: T) => one", "typescript"),
        ("Rakefile", "", "ruby"),
        (".py", "", "text"),
        ("notes.txt", "", "text"),
        ("", "", "text"),
    ],
)
def test_a_file_has_the_language_of_its_name_or_of_how_it_begins(path: str, text: str, language: str) -> None:
    assert LANGUAGES.language_of(path, text) == language


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("ruby", "ruby"),
        ("Ruby", "ruby"),
        ("rb", "ruby"),
        (".rb", "ruby"),
        ("py", "python"),
        ("JS", "javascript"),
        ("ts", "typescript"),
        ("tsx", "tsx"),
        ("C++", "cpp"),
        ("c#", "csharp"),
        ("golang", "go"),
        ("sh", "bash"),
        ("shellscript", "bash"),
        ("node", "javascript"),
        ("cobol", None),
        ("", None),
    ],
)
def test_a_language_is_found_by_what_people_call_it(name: str, language: str | None) -> None:
    assert LANGUAGES.find(name) == language


def test_a_new_language_is_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "language.toml").write_text('extensions = [".toy"]\n[grammar]\nmodule = "tree_sitter_python"\n')
    (folder / "chunks.scm").write_text("(function_definition name: (_) @name body: (_) @body) @function\n")
    parsed = parse_file("a.toy", "def f():\n    pass\n", languages=Languages(tmp_path))
    assert parsed.language == "toy"
    assert [item.name for item in parsed.definitions] == ["f"]


@pytest.mark.parametrize(
    ("toml", "query", "problem"),
    [
        ('[grammar]\nmodule = "tree_sitter_absent"\n', "", "tree_sitter_absent"),
        ('[grammar]\nmodule = "tree_sitter_python"\n', "(no_such_node) @function", "do not compile"),
    ],
)
def test_a_broken_grammar_falls_back_to_windows(tmp_path: Path, toml: str, query: str, problem: str) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "language.toml").write_text('extensions = [".toy"]\n' + toml)
    (folder / "chunks.scm").write_text(query)
    parsed = parse_file("a.toy", "some text\n", languages=Languages(tmp_path))
    assert [chunk.kind for chunk in parsed.chunks] == ["window"]
    assert problem in parsed.problems[0]


def test_a_broken_language_file_names_itself(tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "language.toml").write_text("extensions = [")
    with pytest.raises(GrammarError, match=r"toy.language\.toml"):
        Languages(tmp_path).language_of("a.toy")


def test_the_facts_of_one_language_are_read_without_those_of_others(tmp_path: Path) -> None:
    for name, text in (("toy", 'extensions = [".toy"]\n'), ("broken", "extensions = [")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "language.toml").write_text(text)
    facts = Languages(tmp_path).facts("toy")
    assert facts is not None
    assert facts.extensions == (".toy",)
    assert Languages(tmp_path).facts("tox") is None
