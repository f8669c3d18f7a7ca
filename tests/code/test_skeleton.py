from __future__ import annotations

import pytest

from contextls.code.skeleton import skeleton

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
    assert skeleton("a.py", PYTHON) == (
        'class A(B):\n    """Doc of A."""\n\n    limit = 3\n\n    def run(self, x: int) -> int:\n'
        '        """Doc of run."""\n        ...\n\n\ndef free():\n    ...\n'
    )


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("go", "func (e *E) Run() error {\n\treturn nil\n}\n", "func (e *E) Run() error { … }\n"),
        ("ruby", "def run(x)\n  helper(x) + 1\nend\n", "def run(x)\n  # …\nend\n"),
        ("haskell", "run :: Int -> Int\nrun x = helper x + other x\n", "run :: Int -> Int\nrun x {- … -}\n"),
        ("python", "    def run(self):\n        return self.go(1, 2)\n", "    def run(self):\n        ...\n"),
        ("text", "Title\n  some long words\n  and others\nEnd\n", "Title\n  …\nEnd\n"),
        ("java", "  int run() {\n    return help(1, 2);\n  }\n", "  int run() { … }\n"),
        ("python", "x = 1\n", "x = 1\n"),
        ("python", "", ""),
    ],
)
def test_other_languages_and_fragments(language: str, text: str, expected: str) -> None:
    assert skeleton(language, text) == expected
