"""The schema of a working set: what it allows is exactly what the reader understands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from contextls.errors import StoreError
from contextls.memory.working_set import budget
from contextls.memory.working_set.entries import ENTRY_FIELDS, FIELDS, read_manifest
from contextls.memory.working_set.manifest_schema import manifest_schema

SCHEMA = manifest_schema()
# Of each field some values that it may have, and some that it may not; in YAML they stand as JSON does.
values: dict[str, tuple[object, ...]] = {
    "protocol": ("CONTEXT-ASSEMBLY/0.1", "CONTEXT-ASSEMBLY/0.9", "CONTEXT-ASSEMBLY/1.0", None, 5, ["x"]),
    "max_tokens": (32, 2_000_000, None, 31, 2_000_001, -5, "many", 40.5, [40], {"a": 1}, True),
    "reserved_for_response": (0, 10, None, -1, "x", 2_000_001),
    "effective": (32, 500, None, 0, "x"),
    "allotment": (0, 3000, None, "25%", "12.5 %", "100%", "100.1%", "101%", "x", -1, 0.25, [5], True),
    "include": ("team.yml", ["a.yml", "b.yml"], [], None, [None], [["x"]], {"a": 1}, " "),
    "path": ("a.py", "docs/", "src/**/*.py", "a.py:1-2", "a.py#C.m", None, [], {"x": 1}),
    "priority": (0, 0.25, 1, None, 1.5, -0.5, "high", [1], True),
    "role": ("system", "context", None, "boss", 5, []),
    "truncate_strategy": ("never", "end", None, "sometimes", 0, {}),
    "max_lines": (1, 500, None, 0, -1, 1.5, "many", 100_000_000, []),
    "files": (None, [], "a.py", 5, {"path": "a.py"}),
}


def some(name: str) -> st.SearchStrategy[object]:
    return st.sampled_from(values[name])


def fields(required: tuple[str, ...], names: tuple[str, ...]) -> st.SearchStrategy[object]:
    every = {name: some(name) for name in (*required, *names)}
    return st.fixed_dictionaries(
        {name: every[name] for name in required}, optional={name: every[name] for name in names}
    )


parts_of_a_prompt = st.sampled_from(("system", "developer", "user", "context", "history", "boss"))
allocations = st.dictionaries(parts_of_a_prompt, some("allotment"), max_size=2)
budgets: st.SearchStrategy[object] = st.one_of(
    st.sampled_from((None, 5, [])),
    st.fixed_dictionaries(
        {},
        optional={
            **{name: some(name) for name in ("max_tokens", "reserved_for_response", "effective")},
            "allocation": st.one_of(st.sampled_from((None, 5)), allocations),
            "mine": st.just(1),
        },
    ),
)
listed = st.one_of(
    some("files"),
    st.lists(st.one_of(some("path"), fields(("path",), ("priority", "role", "truncate_strategy", "max_lines"))), max_size=2),
)  # fmt: skip
manifests = st.fixed_dictionaries(
    {},
    optional={
        "protocol": some("protocol"),
        "budget": budgets,
        "include": some("include"),
        "files": listed,
        "exclude": st.one_of(some("files"), st.lists(some("path"), max_size=2)),
        "mine": st.just({"x": [1]}),
    },
)


@given(manifest=manifests)
@settings(max_examples=100)
def test_the_schema_allows_exactly_what_the_reader_understands(manifest: dict[str, object]) -> None:
    text = json.dumps(manifest)
    try:
        found = read_manifest(text, lambda _: False).faults
        # What two fields together say, and what only the workspace can tell, is beyond a schema.
        wrong = [each for each in found if each.code in ("value", "include", "target")]
        wrong = [each for each in wrong if "so nothing is excluded by it" not in each.message]
        is_right = not wrong
    except StoreError:
        is_right = False
    errors = list(Draft7Validator(SCHEMA).iter_errors(manifest))
    assert is_right == (not errors), wrong if not is_right else errors


def test_the_schema_describes_every_field_that_the_reader_knows() -> None:
    entry = SCHEMA["properties"]["files"]["items"]["anyOf"][1]["properties"]
    assert set(entry) == set(ENTRY_FIELDS)
    assert set(SCHEMA["properties"]) == set(FIELDS)
    assert set(SCHEMA["properties"]["budget"]["properties"]) == set(budget.FIELDS)
    assert all("description" in each for each in (*entry.values(), *SCHEMA["properties"].values()))
    Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "name", ["docs/working-set.schema.json", "editors/vscode/media/working-set.schema.json"]
)
def test_the_schema_that_editors_get_is_the_one_in_force(name: str) -> None:
    assert json.loads((Path(__file__).parents[3] / name).read_text()) == SCHEMA
