"""The definitions of a file read the same, whichever part of its stored outline is asked for first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contextls.code.model import Definition
from contextls.memory.index.outlines import Outline, dumps, loads

NAMES = st.sampled_from(["total", "Total", "TOTAL", "größe", "Größe", "x", ""])


@given(st.lists(NAMES, max_size=8), NAMES, st.booleans())
def test_the_definitions_of_a_name_are_those_among_all(names: list[str], asked: str, later: bool) -> None:
    definitions = tuple(Definition(name, name, "function", at, at, "", "") for at, name in enumerate(names))
    outline = Outline("a.py", "python", definitions, (), ())
    stored = loads("a.py", "python", 1, dumps(outline).encode)
    if later:
        assert stored.definitions == definitions
    wanted = [each for each in definitions if each.name.lower() == asked.lower()]
    assert stored.definitions_of(asked) == outline.definitions_of(asked) == wanted
    assert stored.definitions == definitions
