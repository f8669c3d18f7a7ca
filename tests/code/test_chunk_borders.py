"""A chunk reads alone: what documents an item is with it, what leads to code is with that, and no name is another's."""

from __future__ import annotations

import pytest

from contextls.code.model import Chunk
from contextls.code.parse import parse_file

STEPS = "".join(f"\tif step.Kind == {n} {{\n\t\treturn e.next(step, {n})\n\t}}\n" for n in range(38))


def chunk_with(text: str, chunks: tuple[Chunk, ...]) -> Chunk:
    return next(chunk for chunk in chunks if text in chunk.text)


def test_the_rest_of_a_method_does_not_name_the_next_one() -> None:
    text = (
        "package a\n\n// Run runs the steps.\nfunc (e *Engine) Run(step *Step) error {\n"
        + STEPS
        + "\treturn nil\n}\n\n"
        "// Stop ends it all.\nfunc (e *Engine) Stop() {\n\te.done = true\n\te.wait()\n}\n"
    )
    chunk = chunk_with("func (e *Engine) Stop", parse_file("a.go", text).chunks)
    assert (chunk.symbol, chunk.header) == ("Engine.Stop", "")
    assert chunk.text.startswith("// Stop ends it all.")


def test_overloads_are_not_parts_of_each_other() -> None:
    body = "".join(f"        total += weigh(parcel, {n});\n" for n in range(60))
    text = (
        f"class Ship {{\n    int load(Parcel parcel) {{\n{body}        return total;\n    }}\n\n"
        "    int load() {\n        return load(null);\n    }\n}\n"
    )
    chunk = chunk_with("int load() {", parse_file("Ship.java", text).chunks)
    assert "weigh" not in chunk.text
    assert "Parcel" not in chunk.header


@pytest.mark.parametrize(
    ("path", "mark", "signature", "body"),
    [
        ("a.go", "//", "func Run(step *Step) error {", STEPS + "\treturn nil\n}\n"),
        ("a.rs", "///", "pub fn run(step: &Step) -> bool {", "    step.go(1);\n" * 150 + "    true\n}\n"),
        ("a.c", "//", "static int run(struct step* step) {", "  go(step, 1);\n" * 150 + "  return 0;\n}\n"),
        ("a.rb", "#", "def run(step)", "  step.go(1)\n" * 150 + "end\n"),
        ("a.lua", "---", "function run(step)", "  step.go(1)\n" * 150 + "end\n"),
        (
            "a.ts",
            "//",
            "export function run(step: Step): boolean {",
            "  step.go(1)\n" * 150 + "  return true\n}\n",
        ),
    ],
)
def test_a_comment_stays_with_a_function_that_has_to_be_cut(
    path: str, mark: str, signature: str, body: str
) -> None:
    doc = "".join(f"{mark} What the function does, told in line {n} of its comment.\n" for n in range(14))
    chunks = parse_file(path, f"{doc}{signature}\n{body}").chunks
    assert len(chunks) > 1
    assert chunks[0].text.startswith(doc + signature)


def test_a_comment_too_long_for_one_chunk_says_what_it_is_about() -> None:
    doc = "".join(f"// What the function does, told in line {n} of its comment.\n" for n in range(60))
    chunks = parse_file("a.go", f"package a\n\n{doc}func Run(step *Step) error {{\n\treturn nil\n}}\n").chunks
    assert [bool(chunk.header) for chunk in chunks] == ["func Run" not in chunk.text for chunk in chunks]
    assert chunks[0].header == "func Run(step *Step) error"


def test_a_comment_inside_a_function_stays_with_its_statement() -> None:
    body = "".join(
        f"    # Why the {n}th step is taken.\n    take(the_step_of_the_plan, {n})\n" for n in range(80)
    )
    chunks = parse_file("a.py", f"def plan():\n{body}").chunks
    assert len(chunks) > 2
    assert [chunk.text.lstrip()[:5] for chunk in chunks[1:]] == ["# Why"] * (len(chunks) - 1)


def test_a_group_of_constants_holds_its_comment_and_its_first_line() -> None:
    before = "func First() {\n" + "\tgo1()\n" * 200 + "}\n\n"
    group = "// The states of a parcel.\nconst (\n\tSent = 1\n\tLost = 2\n)\n"
    chunk = chunk_with("const (", parse_file("a.go", f"package a\n\n{before}{group}").chunks)
    assert group in chunk.text
    assert chunk.symbol == "Sent"


FUNCTIONS = "".join(
    f"int weigh_{n}(int total) {{\n" + "  total += 1;\n" * 60 + "  return total;\n}\n\n" for n in range(2)
)
METHODS = "".join(f"  def weigh_{n}\n" + "    total.push 1\n" * 60 + "  end\n\n" for n in range(2))


@pytest.mark.parametrize(
    ("path", "lead", "code"),
    [
        ("a.h", "#ifndef A_H\n#define A_H\n\n", FUNCTIONS),
        ("a.cpp", '#include "a.h"\n\nnamespace {\n\n', FUNCTIONS + "}\n"),
        ("a.cpp", "namespace shop {\n\n", FUNCTIONS + "}\n"),
        ("a.go", "package a\n\n", FUNCTIONS.replace("int weigh", "func weigh").replace("(int total)", "(total int)")),
        ("a.rb", "require 'json'\n\nclass Scale\n", METHODS + "end\n"),
        ("a.py", "import os\nimport sys\n\n\n", "def weigh():\n" + "    total.push(1)\n" * 60),
    ],
)  # fmt: skip
def test_a_few_leading_lines_are_no_chunk_of_their_own(path: str, lead: str, code: str) -> None:
    first = parse_file(path, lead + code).chunks[0]
    assert first.text.startswith(lead)
    assert "weigh" in first.text


def test_many_imports_are_a_chunk_of_their_own() -> None:
    imports = "".join(f"import package_{n}\n" for n in range(30))
    first = parse_file("a.py", imports + "\n\ndef weigh():\n" + "    total.push(1)\n" * 60).chunks[0]
    assert (first.kind, "weigh" in first.text) == ("import", False)


def test_a_large_function_with_closures_keeps_its_name() -> None:
    steps = "".join(f"  steps.push({n})\n" for n in range(40))
    closure = "  const done = () => {\n    finish()\n  }\n"
    text = f"function plan() {{\n{steps}{closure}{steps * 3}  return done\n}}\n"
    assert {chunk.symbol for chunk in parse_file("a.ts", text).chunks} == {"plan"}


def test_a_breadcrumb_holds_no_comment() -> None:
    methods = "".join(f"    def m{n}\n" + "      step.go(1)\n" * 40 + "    end\n\n" for n in range(4))
    text = f"module Shop\n  # Weighs parcels.\n  # And letters.\n  class Scale\n{methods}  end\nend\n"
    assert parse_file("a.rb", text).chunks[-1].header == "module Shop\n  class Scale"
