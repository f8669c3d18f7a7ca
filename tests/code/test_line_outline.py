"""Languages without a grammar: definitions are told by how their lines begin and how far they are indented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contextls.code.language_facts import GrammarError
from contextls.code.languages import Languages, default_languages
from contextls.code.parse import parse_bodies, parse_file

LANGUAGES = default_languages()


def places(path: str, text: str) -> list[tuple[str, int, int]]:
    return [(item.qualified, item.start_line, item.end_line) for item in parse_file(path, text).definitions]


def calls(path: str, text: str) -> list[tuple[str, int]]:
    return [(item.name, item.line) for item in parse_file(path, text).references if item.call]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.pl", "sub one { 1 }\nsub two {\n  2\n}\n", [("one", 1, 1), ("two", 2, 4)]),
        ("a.pl", "sub one\n{\n  1;\n}\nrun();\n", [("one", 1, 4)]),
        ("a.R", "f <- function(x) x\nif (a) {\n  b\n}\n", [("f", 1, 1)]),
        ("a.R", "f <- function(\n  x\n) {\n  x\n}\ng()\n", [("f", 1, 5)]),
        ("a.R", 'f <- function() {\n  cat("}")\n# }\n  1\n}\n', [("f", 1, 5)]),
        ("a.pl", "sub f {\n  print <<A;\nat the left\nA\n  1;\n}\n1;\n", [("f", 1, 6)]),
        ("a.R", "f <- function() {\r\n  1\r\n}\r\n", [("f", 1, 3)]),
        ("a.R", "\ufefff <- function() {\n  'ä }'\n}\n", [("f", 1, 3)]),
        ("a.R", "f <- function() {\n  1\n\n\n# on g\ng <- function() 2\n", [("f", 1, 2), ("g", 6, 6)]),
        (
            "a.gd",
            "class A:\n\tfunc f():\n\t\tg()\n\nfunc h(): pass\n",
            [("A", 1, 3), ("A.f", 2, 3), ("h", 5, 5)],
        ),
        ("a.R", "# f <- function() 1\n'\n", []),
        ("a.clj", '(def text "\n(defn f [] 1)\n")\n(defn g [] 2)\n', [("text", 1, 3), ("g", 4, 4)]),
        (
            "a.jl",
            'f() = 1\n\n"""\nOn g.\n"""\nfunction g()\n  """\n  end\n  """\nend\nh() = 2\n',
            [("f", 1, 1), ("g", 6, 10), ("h", 11, 11)],
        ),
        (
            "a.ml",
            'let f () =\n  g "a \\\n b"\nlet g x =\n  "\nlet no () =\n  "\nlet h x = 1\n',
            [("f", 1, 3), ("g", 4, 7), ("h", 8, 8)],
        ),
        (
            "a.ml",
            "module A : sig\n  val f : int\nend = struct\n  let f = 1\nend\nlet g x = x\n",
            [("A", 1, 5), ("A.f", 2, 2), ("A.f", 4, 4), ("g", 6, 6)],
        ),
        ("a.ml", "let () =\n  let x = 1 in\n  let y = 2\n  in\n  x\n", []),
        (
            "a.pas",
            "type\n  A = class(B)\n  Private\n    procedure F;\n  End;\n\nProcedure A.F;\nbegin\n  G('\\');\nEND;\n",
            [("A", 2, 5), ("A.F", 4, 4), ("A.F", 7, 10)],
        ),
        (
            "a.f90",
            "module m\ncontains\nsubroutine f\n  x = 1\ncontains\n  subroutine g\n  end subroutine\nEND SUBROUTINE\n"
            "end module\nprogram p\nend program\n",
            [("m", 1, 9), ("m.f", 3, 8), ("m.f.g", 6, 7), ("p", 10, 11)],
        ),
        (
            "a.f",
            "      SUBROUTINE F\n      IF (A) THEN\n        B = 1\n      END IF\n      END\n"
            "c     Don't.\n      FUNCTION G()\n      END FUNCTION\n",
            [("F", 1, 5), ("G", 7, 8)],
        ),
        ("a.m", "- (void)f:(int)x\nwith:(int)y\n{\n  y;\n}\n- (int)g { }\n", [("f", 1, 5), ("g", 6, 6)]),
        (
            "a.pm",
            "package A::B;\nsub f { 1 }\npackage C;\nsub g { 1 }\n",
            [("A.B", 1, 2), ("A.B.f", 2, 2), ("C", 3, 4), ("C.g", 4, 4)],
        ),
    ],
)
def test_a_definition_reaches_to_the_line_that_closes_it(
    path: str, text: str, expected: list[tuple[str, int, int]]
) -> None:
    assert places(path, text) == expected


def test_comments_and_strings_call_nothing() -> None:
    text = "f <- function() {\n  # later(1)\n  cat('no(2)')\n  g(\"it's\"); h(3)\n}\n"
    assert calls("a.R", text) == [("cat", 3), ("g", 4), ("h", 4)]


def test_keywords_call_nothing_in_any_case() -> None:
    assert calls("a.f", "      IF (A) THEN\n      CALL F(B)\n") == [("F", 2)]


def test_a_definition_does_not_call_itself_where_it_stands() -> None:
    assert calls("a.erl", "f(0) -> 0;\nf(N) ->\n    f(N - 1).\n") == [("f", 3)]


def test_a_body_begins_behind_the_signature() -> None:
    text = "contract A {\n    function f(\n        uint a\n    ) public {\n        g(a);\n    }\n}\n"
    assert parse_bodies("a.sol", text) == "4 13 6 5"


def test_a_signature_begins_where_its_line_is_indented_to() -> None:
    signatures = [
        item.signature for item in parse_file("a.gd", "class A:\n\tfunc f():\n\t\tg()\n").definitions
    ]
    assert signatures == ["class A:", "func f():"]


@pytest.mark.parametrize("language", [name for name in LANGUAGES.names if not LANGUAGES.is_parsed(name)])
def test_no_parser_is_loaded(language: str) -> None:
    with pytest.raises(GrammarError, match="told by its lines"):
        LANGUAGES.grammar(language)


def test_an_endless_line_is_read_as_plain_text() -> None:
    parsed = parse_file("a.pl", "sub f { 1 }\n" + "x" * 60_000)
    assert {chunk.kind for chunk in parsed.chunks} == {"window"}
    assert "a line of 60000 characters" in parsed.problems[0]


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("", "definitions"),
        ('[definitions]\nspell = ["spell (.+)"]\n', "spell"),
    ],
)
def test_a_table_that_is_wrong_names_its_file(tmp_path: Path, table: str, problem: str) -> None:
    parsed = parse_file("a.toy", "spell fly:\n", languages=toy(tmp_path, table))
    assert [chunk.kind for chunk in parsed.chunks] == ["window"]
    assert re.search(rf"toy.lines\.toml.*{problem}", parsed.problems[0])


def test_a_new_language_is_a_new_folder(tmp_path: Path) -> None:
    languages = toy(tmp_path, '[definitions]\nfunction = ["spell (.+):"]\n')
    parsed = parse_file("a.toy", "spell fly:\n  jump()\nend\n", languages=languages)
    assert [(item.name, item.end_line) for item in parsed.definitions] == [("fly", 2)]


def toy(folder: Path, lines: str) -> Languages:
    (folder / "toy").mkdir()
    (folder / "toy" / "language.toml").write_text('extensions = [".toy"]\n')
    (folder / "toy" / "lines.toml").write_text(lines)
    return Languages(folder)
