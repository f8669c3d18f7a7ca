"""The definitions of a file read the same, whichever part of its stored outline is asked for first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contextls.code.model import Definition
from contextls.memory.index.segments.outlines import Outline, dumps, loads

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


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=8),
    st.integers(0, 12),
    st.integers(0, 12),
)
def test_the_definitions_in_some_lines_are_those_among_all(
    spans: list[tuple[int, int]], first: int, last: int
) -> None:
    definitions = tuple(Definition("", "", "function", at, at + more, "", "") for at, more in sorted(spans))
    stored = loads("a.py", "python", 1, dumps(Outline("a.py", "python", definitions, (), ())).encode)
    touching = [each for each in definitions if each.start_line <= last and first <= each.end_line]
    assert stored.touching(first, last) == touching
    assert stored.beginning_in(first, last) == [each for each in touching if first <= each.start_line]
    assert stored.definitions == definitions
