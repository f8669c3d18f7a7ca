"""A text that was cut does not end in a comment about what is no longer there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.code.comment_lines import count_without_trailing_comment

GO = ["func (c *CA) Root() *Key {\n", "\treturn c.root\n", "}\n"]


@pytest.mark.parametrize(
    ("language", "lines", "kept"),
    [
        ("go", [*GO, "\n", "// RootKey returns the key. It is\n", "// not cached.\n"], 3),
        ("go", GO, 3),
        ("go", [*GO, "/* What\n", "   follows.\n"], 3),
        ("go", [*GO, "/* What\n", "   follows. */\n"], 3),
        ("go", ["x := 1 // one\n"], 1),
        ("java", ["int a;\n", "\n", "/**\n", " * The second.\n", " */\n"], 1),
        ("python", ["def f():\n", '    """Do it."""\n', "# and then\n"], 2),
        ("rust", ["/// All of it\n", "/// is a comment.\n"], 0),
        ("text", ["// whatever\n"], 1),
    ],
)
def test_what_is_kept_ends_before_the_comment(language: str, lines: list[str], kept: int) -> None:
    assert count_without_trailing_comment(lines, language) == kept


@given(
    st.lists(st.sampled_from(["", "x = 1", "// a", "/* b", "c */", "/* d */", "# e", "}"])),
    st.sampled_from(["go", "python", "c"]),
)
def test_what_is_kept_is_a_beginning_and_stays_as_it_is(lines: list[str], language: str) -> None:
    kept = count_without_trailing_comment(lines, language)
    assert 0 <= kept <= len(lines)
    assert count_without_trailing_comment(lines[:kept], language) == kept
