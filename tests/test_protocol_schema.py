"""All that is made of the protocol's structs is up to date, complete, and true of what the server reads and answers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Struct

from contextls.assembly import compress_text, prompts
from contextls.assembly.admission import filters
from contextls.errors import InvalidRequestError
from contextls.lsp import features
from contextls.memory.tasks import stack
from contextls.model import MAX_FACTOR
from contextls.requests.assemble import UpdateParams
from contextls.requests.methods import COMMANDS, METHODS
from contextls.requests.tasks import PushTask
from contextls.requests.texts import CompressParams, CountParams
from contextls.requests.turn import SHAPES_OF, AssembleParams
from contextls.schema.names import wire_name
from contextls.schema.reader import read
from contextls.schema.rules import FILLED, Bounds, First
from contextls.schema.types import fields_of

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
SCHEMA = json.loads((ROOT / "docs" / "protocol.schema.json").read_text(encoding="utf-8"))
Json = Any
BOTH = METHODS | COMMANDS
TYPES: dict[str, Any] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
}


def test_generated_files_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "update_protocol.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), "run: python tools/update_protocol.py"


def test_every_method_and_command_has_a_handler_and_a_schema() -> None:
    assert features.REQUESTS.keys() == METHODS.keys() == SCHEMA["methods"].keys()
    assert features.COMMANDS.keys() == COMMANDS.keys() == SCHEMA["commands"].keys()


@pytest.mark.parametrize("name", sorted(BOTH))
def test_every_field_is_explained_in_a_table(name: str) -> None:
    known = fields_of(BOTH[name].params)
    assert [field.wire for field in known if not field.doc] == []
    alike = [f"<!-- fields: {other} -->" for other, each in BOTH.items() if each.params is BOTH[name].params]
    assert {field.wire for field in known} <= {"rootUri"} or any(mark in DOCUMENT for mark in alike)


def test_bounds_that_are_documented_are_those_of_the_engine() -> None:
    assert filters.MAX_BOOST == MAX_FACTOR
    documented = {
        CompressParams: ("text", f"{compress_text.MAX_TEXT_CHARS:,} characters"),
        CountParams: ("texts", f"at most {compress_text.MAX_TEXTS:,}"),
        UpdateParams: ("contextId", f"last {prompts.MAX_CONTEXTS} contexts"),
        PushTask: ("goal", f"{stack.MAX_CHARS:,} characters"),
    }
    for kind, (name, words) in documented.items():
        assert words in next(field.doc for field in fields_of(kind) if field.wire == name)


def test_fields_that_do_not_count_in_every_shape_are_documented_so() -> None:
    documented = {field.wire: field.doc for field in fields_of(AssembleParams)}
    assert [name for name in SHAPES_OF if "for `" not in documented[wire_name(name)]] == []


def faults(schema: dict[str, Any], value: Json, at: str = "") -> list[str]:
    """Where ``value`` breaks a schema, of the words that ours uses."""
    if "$ref" in schema:
        return faults(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value, at)
    if "anyOf" in schema:
        found = [faults(each, value, at) for each in schema["anyOf"]]
        return min(found, key=len)
    kind = TYPES.get(schema.get("type", ""), object)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind not in (bool, object)):
        return [f"{at}: {value!r} is no {schema['type']}"]
    wrong = [f"{at}: {value!r}"] if "enum" in schema and value not in schema["enum"] else []
    wrong += [f"{at}: {value}" for _ in (1,) if "minimum" in schema and value < schema["minimum"]]
    wrong += [f"{at}: {value}" for _ in (1,) if "maximum" in schema and value > schema["maximum"]]
    wrong += [
        f"{at}: {value}" for _ in (1,) if "pattern" in schema and not re.search(schema["pattern"], value)
    ]
    if isinstance(value, list):
        return wrong + [line for item in value for line in faults(schema.get("items", {}), item, f"{at}[]")]
    if isinstance(value, dict):
        wrong += [f"{at}.{name} is missing" for name in schema.get("required", ()) if name not in value]
        for name, item in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            wrong += [f"{at}.{name} is unknown"] if inner is False else faults(inner, item, f"{at}.{name}")
            wrong += faults(schema.get("propertyNames", {}), name, at)
    return wrong


def examples() -> list[tuple[str, Any, Any]]:
    """Each method or command of docs/protocol.md with what is sent, and what is answered if that is printed."""
    found: list[tuple[str, Any, Any]] = []
    for block in re.findall(r"^```json\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE):
        value = json.loads(block)
        if value.get("method") == "workspace/executeCommand":
            found.append((value["params"]["command"], (value["params"]["arguments"] or [{}])[0], None))
        elif "params" in value:
            found.append((value["method"], value["params"], None))
        elif "code" not in value:
            found.append((*found.pop()[:2], value))
        else:
            found.pop()
    return [each for each in found if each[0] in BOTH]


@pytest.mark.parametrize(("name", "params", "answer"), examples())
def test_the_schema_is_true_of_the_examples(name: str, params: Json, answer: Json) -> None:
    described = (SCHEMA["methods"] | SCHEMA["commands"])[name]
    assert faults(described["params"], params) == []
    assert answer is None or faults(described["result"], answer) == []
    read(BOTH[name].params, params)


@pytest.mark.parametrize(("name", "params", "_answer"), examples())
def test_the_schema_and_the_reader_refuse_alike(name: str, params: dict[str, Any], _answer: Json) -> None:
    """Whatever stands in one field of an example: what the reader takes, the schema takes."""
    described = (SCHEMA["methods"] | SCHEMA["commands"])[name]["params"]
    for field in (*params, "other"):
        for value in (True, -1, 0, 5, 20_000, 1.5, "", "x", ["x"], [1], {"x": 1}, {"line": 1}):
            given = {**params, field: value}
            try:
                read(BOTH[name].params, given)
            except InvalidRequestError:
                continue
            assert faults(described, given) == []


class Inner(Struct, frozen=True):
    count: Annotated[int, Bounds(1, 9)]

    def __post_init__(self) -> None:
        if self.count == 7:
            raise InvalidRequestError("count", "anything but seven", self.count)


class Outer(Struct, frozen=True, kw_only=True):
    inner: Inner
    many_names: Annotated[tuple[Annotated[str, FILLED], ...], First(2)] = ()
    either: str | int | None = None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "params: expected an object"),
        ({}, "inner.count: expected a whole number, 1 or more; it is missing"),
        ({"inner": 5}, "inner: expected an object, got 5"),
        ({"inner": {"count": 0}}, "inner.count: expected a whole number, 1 or more, got 0"),
        ({"inner": {"count": 10}}, "inner.count: expected a whole number from 1 to 9, got 10"),
        ({"inner": {"count": 7}}, "inner.count: expected anything but seven, got 7"),
        ({"inner": {"count": 1, "odd": 1}}, "inner.odd: expected one of the fields count"),
        (
            {"inner": {"count": 1}, "manyNames": ["a", " "]},
            "manyNames[1]: expected a string that is not empty, got ' '",
        ),
        (
            {"inner": {"count": 1}, "either": 1.5},
            "either: expected a string or a whole number, 0 or more, got 1.5",
        ),
    ],
)
def test_a_complaint_names_the_field_and_what_was_expected(value: Json, message: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        read(Outer, value)
    assert str(caught.value) == message


def test_what_is_right_is_read() -> None:
    value = {"inner": {"count": 1}, "manyNames": ["a", "b", 5], "either": None}
    assert read(Outer, value) == Outer(inner=Inner(1), many_names=("a", "b"))
    assert read(Outer, {**value, "either": 3, "manyNames": []}) == Outer(inner=Inner(1), either=3)
