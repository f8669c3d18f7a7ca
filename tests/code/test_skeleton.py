from __future__ import annotations

import pytest

from contextls.code.left_out import mark_before, mark_rest, open_header
from contextls.code.parse import parse_file
from contextls.code.skeleton import write_skeleton
from contextls.code.worker_tasks import bodies_in

PYTHON = '''class A(B):
    """Doc of A."""

    limit = 3

    def run(self, x: int) -> int:
        """Doc of run."""
        total = x + 1
        return total


def free():
    return [1, 2, 3, 4]
'''


def test_signatures_and_docstrings_stay() -> None:
    assert write_skeleton("a.py", PYTHON, bodies_in(("a.py", PYTHON))) == (
        'class A(B):\n    """Doc of A."""\n\n    limit = 3\n\n    def run(self, x: int) -> int:\n'
        '        """Doc of run."""\n        # …\n\n\ndef free():\n    # …\n'
    )


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("go", "func (e *E) Run() error {\n\treturn nil\n}\n", "func (e *E) Run() error { … }\n"),
        ("ruby", "def run(x)\n  helper(x) + 1\nend\n", "def run(x)\n  # …\nend\n"),
        ("haskell", "run :: Int -> Int\nrun x = helper x + other x\n", "run :: Int -> Int\nrun x {- … -}\n"),
        ("python", "    def run(self):\n        return self.go(1, 2)\n", "    def run(self):\n        # …\n"),
        ("text", "Title\n  some long words\n  and others\nEnd\n", "Title\n  …\nEnd\n"),
        ("java", "  int run() {\n    return help(1, 2);\n  }\n", "  int run() { … }\n"),
        ("python", "x = 1\n", "x = 1\n"),
        ("python", "", ""),
    ],
)
def test_other_languages_and_fragments(language: str, text: str, expected: str) -> None:
    assert write_skeleton(language, text, bodies_in((language, text))) == expected


def test_a_part_of_a_file_takes_its_structure_from_the_whole() -> None:
    bodies = parse_file("a.py", PYTHON).bodies
    lines = PYTHON.splitlines(keepends=True)
    method = "".join(lines[5:9])
    assert write_skeleton("python", method, bodies, 6) == (
        '    def run(self, x: int) -> int:\n        """Doc of run."""\n        # …\n'
    )
    assert write_skeleton("python", "".join(lines[5:8]), bodies, 6) == write_skeleton(
        "python", method, bodies, 6
    )
    assert write_skeleton("python", "".join(lines[7:9]), bodies, 8) == "".join(lines[7:9])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_places_hold_for_any_text(mark: str, end: str) -> None:
    text = f"{mark}def ä𝒳(): return 'ü', 'a long value', 1, 2, 3{end}# ä{end}def b():{end}\treturn 'ö', [1, 2, 3, 4]{end}"
    expected = f"{mark}def ä𝒳(): # …{end}# ä{end}def b():{end}\t# …{end}"
    assert write_skeleton("python", text, bodies_in(("python", text))) == expected


def test_no_comment_is_left_unclosed() -> None:
    text = "/**\n * Who may come in.\n */\nvar list = [\n  1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n]\n"
    assert write_skeleton("javascript", text) == "/**\n * Who may come in.\n */\nvar list = [\n  /* … */\n]\n"


def test_without_structure_the_layout_decides() -> None:
    assert write_skeleton("python", PYTHON) == "class A(B):\n    # …\ndef free():\n    # …\n"


LONG = "def outer():\n    def inner():\n        one()\n        two()\n\n    three()\n    four()\n    five()\n"


@pytest.mark.parametrize(
    ("last_line", "mark"),
    [
        (0, ""),
        (2, "# … (6 more lines)"),
        (3, "# … (5 more lines)"),  # one of inner, and four behind it
        (4, "# … (4 more lines)"),  # inner ends
        (6, "# … (2 more lines)"),
        (8, ""),
    ],
)
def test_a_piece_that_ends_inside_a_function_says_how_much_follows(last_line: int, mark: str) -> None:
    assert mark_rest("python", bodies_in(("python", LONG)), last_line) == mark


@pytest.mark.parametrize(
    ("next_line", "mark"), [(4, ""), (6, "# … (3 lines)"), (8, "# … (5 lines)"), (20, "# … (6 more lines)")]
)
def test_where_a_function_goes_on_below_the_lines_between_are_counted(next_line: int, mark: str) -> None:
    assert mark_rest("python", bodies_in(("python", LONG)), 2, next_line) == mark


@pytest.mark.parametrize(
    ("first_line", "mark"), [(1, ""), (2, ""), (3, ""), (4, "# … (2 lines)"), (6, "# … (4 lines)"), (20, "")]
)
def test_a_piece_that_begins_inside_a_function_says_how_much_comes_before(first_line: int, mark: str) -> None:
    assert (
        mark_before("python", bodies_in(("python", "def first():\n" + "    pay()\n" * 8)), first_line) == mark
    )


GO = "func Run(\n\tx int,\n) error {\n" + "\tstep()\n" * 9 + "}\n"


def test_a_function_in_braces_is_open_above_the_lines_that_are_shown_of_it() -> None:
    bodies = bodies_in(("go", GO))
    assert mark_before("go", bodies, 7) == "// … (3 lines)"
    assert mark_before("go", bodies, 4) == ""
    assert open_header("func Run( x int, ) error\n", "go", bodies, 7) == "func Run( x int, ) error {"
    assert open_header("type Runner struct\n", "go", bodies, 1) == "type Runner struct"
    assert open_header("def run():\n", "python", bodies, 7) == "def run():"


def test_a_part_of_a_table_says_what_comes_before_and_what_follows() -> None:
    table = ((10, 90),)
    assert mark_rest("go", "", 40, tables=table) == "// … (50 more lines)"
    assert mark_rest("go", "", 40, 60, tables=table) == "// … (19 lines)"
    assert mark_rest("go", "", 90, tables=table) == ""
    assert mark_before("go", "", 60, table) == "// … (49 lines)"
    assert mark_before("go", "", 10, table) == ""
    assert open_header("type Rule struct", "go", "", 60, table) == "type Rule struct {"
    assert open_header("var rules = []Rule{", "go", "", 60, table) == "var rules = []Rule{"


def test_what_was_cut_off_is_told_in_any_language() -> None:
    assert mark_rest("go", bodies_in(("go", GO)), 5, end_line=9) == "// … (8 more lines)"
    assert mark_rest("go", "", 5, end_line=6) == "// … (1 more line)"
    assert mark_rest("go", "", 5, 10, end_line=9) == "// … (4 lines)"
    assert mark_rest("nothing", "", 5, end_line=9) == "… (4 more lines)"
    assert mark_rest("markdown", "", 5, end_line=9) == "… (4 more lines)"


@pytest.mark.parametrize(
    ("language", "mark"),
    [
        ("ruby", "# … (6 more lines)"),
        ("rust", "// … (6 more lines)"),
        ("lua", "-- … (6 more lines)"),
        ("css", "/* … (6 more lines) */"),
        ("nothing", ""),
    ],
)
def test_the_rest_of_a_body_is_counted_in_a_comment_of_the_language(language: str, mark: str) -> None:
    assert mark_rest(language, "1 0 9 1", 3) == mark
