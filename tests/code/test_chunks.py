"""Chunks cover the file, never overlap and carry exact lines, whatever the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.code.fixtures import sources

from contextls.code.languages import default_languages
from contextls.code.model import Chunk, ChunkLimits
from contextls.code.parse import parse_file
from contextls.code.skeleton import write_skeleton

LANGUAGES = default_languages()
PATHS = [facts.extensions[0] for name in LANGUAGES.names if (facts := LANGUAGES.facts(name))] + [".txt"]
REAL = {path.suffix: path.read_bytes().decode("utf-8") for path in sources()}
REAL |= {".py": Path(parse_file.__code__.co_filename).with_name("chunks.py").read_text(encoding="utf-8")}
NASTY = [
    "\r",
    "\r\n",
    "\n\n",
    "\0",
    "\ufeff",
    "\ud800",
    "\u2028",
    "{",
    "}",
    ")",
    '"""',
    "/*",
    "'",
    "#",
    "\t",
    "é𝔘",
    "x" * 700,
]

limits = st.builds(ChunkLimits, target_chars=st.integers(1, 900), max_chars=st.integers(20, 2000))
edits = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 200), st.sampled_from(["", *NASTY]) | st.text(max_size=20)),
    max_size=8,
)


def line_starts(text: str) -> list[int]:
    return [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]


def assert_exact(text: str, chunks: tuple[Chunk, ...], bounds: ChunkLimits) -> None:
    assert "".join(chunk.text for chunk in chunks) == text
    starts = line_starts(text)
    at = 0
    for chunk in chunks:
        assert chunk.text
        line = bisect_right(starts, at)
        at += len(chunk.text)
        last = bisect_right(starts, at - 1)
        assert (chunk.start_line, chunk.end_line) == (line, last)
        assert len(chunk.text) <= max(bounds.max_chars, bounds.target_chars) + 1


def mutated(text: str, changes: list[tuple[float, int, str]]) -> str:
    for where, length, new in changes:
        at = int(where * len(text))
        text = text[:at] + new + text[at + length :]
    return text


@given(extension=st.sampled_from(sorted(REAL)), changes=edits, bounds=limits)
def test_chunks_cover_code_however_it_is_damaged(
    extension: str, changes: list[tuple[float, int, str]], bounds: ChunkLimits
) -> None:
    text = mutated(REAL[extension], changes)
    parsed = parse_file("a" + extension, text, bounds)
    assert_exact(text, parsed.chunks, bounds)
    lines = len(line_starts(text))
    assert all(1 <= item.start_line <= item.end_line <= lines for item in parsed.definitions)
    assert all(1 <= item.line <= lines for item in parsed.references)
    assert all(1 <= item.line <= lines for item in parsed.imports)
    assert len(write_skeleton("a" + extension, text)) <= len(text)


@given(extension=st.sampled_from(PATHS), data=st.binary(max_size=300), bounds=limits)
def test_chunks_cover_any_bytes(extension: str, data: bytes, bounds: ChunkLimits) -> None:
    for text in (data.decode("utf-8", "surrogateescape"), data.decode("latin-1")):
        assert_exact(text, parse_file("a" + extension, text, bounds).chunks, bounds)
        assert len(write_skeleton("a" + extension, text)) <= len(text)


@pytest.mark.parametrize("extension", PATHS)
@pytest.mark.parametrize(
    "text",
    [
        "", "\n",
        "\r", "\r\n", "\ufeff", "\ufeff\n", "\0", "   \t\n\n", "[" * 10_000, "{" * 10_000, "(" * 10_000 + ")" * 10_000,
        "<a>" * 3_000, "x" * 200_000, "a, b; " * 30_000, "a, b;\n" * 500, "\n" * 5_000, "if x:\n\t" * 500,
        "".join(" " * depth + "def f():\n" for depth in range(200)), "function f() {\n" * 500,
    ],
    ids=lambda text: ascii(text[:12]) + str(len(text)),
)  # fmt: skip
def test_chunks_cover_texts_that_are_hard_on_a_parser(extension: str, text: str) -> None:
    assert_exact(text, parse_file("a" + extension, text).chunks, ChunkLimits())
    assert len(write_skeleton("a" + extension, text)) <= len(text)


def test_lines_are_an_editors_lines() -> None:
    for end in ("\n", "\r\n", "\r"):
        text = "\ufeff" + end.join(
            ["import os", "", "def f():", "    return 1", "", "def g():", "    return 2", ""]
        )
        parsed = parse_file("a.py", text)
        assert [(item.name, item.start_line, item.end_line) for item in parsed.definitions] == [
            ("f", 3, 4),
            ("g", 6, 7),
        ]


def test_a_large_function_is_cut_at_statements_and_keeps_its_signature() -> None:
    body = "".join(f"    value_{n} = call(\n        {n},\n    )\n" for n in range(60))
    parsed = parse_file("a.py", "class A:\n    pass\n\n\ndef long(x: int) -> int:\n" + body)
    pieces = [chunk for chunk in parsed.chunks if chunk.symbol == "long"]
    assert len(pieces) > 1
    assert all(piece.text.startswith("    value_") for piece in pieces[1:])
    assert all(piece.header == "def long(x: int) -> int:" for piece in pieces[1:])


def test_comments_and_decorators_travel_with_their_definition() -> None:
    filler = "    x = 1\n" * 40
    text = f"def a():\n{filler}\n# About b.\n@decorate(\n    1,\n)\n@other\ndef b():\n{filler}"
    chunk = next(chunk for chunk in parse_file("a.py", text).chunks if chunk.symbol == "b")
    assert chunk.text.startswith("# About b.\n@decorate(")


def test_merging_loses_no_definition() -> None:
    text = "".join(f"def f{n}(): return {n}\n" for n in range(9))
    parsed = parse_file("a.py", text)
    assert len(parsed.chunks) == 1
    assert parsed.chunks[0].symbol == "f0"
    assert [item.name for item in parsed.definitions] == [f"f{n}" for n in range(9)]


@pytest.mark.parametrize(
    ("path", "text", "symbol"),
    [
        (
            "a.rb",
            "module Shop\n  module Till\n    class Slip\n      def sum\n      end\n    end\n  end\nend\n",
            "Shop.Till.Slip",
        ),
        ("a.rb", "module Shop\n  class Slip\n  end\n\n  class Till\n  end\nend\n", "Shop"),
        ("a.rb", "module Shop\n  def self.open\n  end\nend\n", "Shop"),
    ],
)
def test_namespaces_around_one_type_are_called_by_its_name(path: str, text: str, symbol: str) -> None:
    (chunk,) = parse_file(path, text).chunks
    assert chunk.symbol == symbol


@pytest.mark.parametrize(
    "text",
    [
        "namespace Shop.Till;\n\nclass Slip\n{\n    int Sum() { return 1; }\n}\n",
        "namespace Shop.Till\n{\n    class Slip\n    {\n        int Sum() { return 1; }\n    }\n}\n",
        "namespace Shop.Till\n{\n    using Shop.Paper;\n\n    class Slip { int Sum() { return 1; } }\n}\n",
    ],
)
def test_types_of_csharp_are_called_alike_however_their_namespace_is_written(text: str) -> None:
    parsed = parse_file("a.cs", text)
    assert [chunk.symbol for chunk in parsed.chunks] == ["Slip"]
    assert [item.qualified for item in parsed.definitions] == ["Slip", "Slip.Sum"]


def test_a_class_that_is_too_large_is_taken_apart() -> None:
    methods = "".join(f"    def m{n}(self):\n" + "        self.go()\n" * 30 + "\n" for n in range(4))
    parsed = parse_file("a.py", f'class Big(Base):\n    """Doc."""\n\n{methods}')
    assert {chunk.symbol for chunk in parsed.chunks} >= {"Big.m0", "Big.m3"}
    assert all(chunk.header == "class Big(Base):" for chunk in parsed.chunks[1:])


def test_markdown_is_cut_at_headings() -> None:
    text = "# A\n\n" + "word " * 100 + "\n\n## B\n\n" + "word " * 100 + "\n\n### C\n\n" + "word " * 100 + "\n"
    chunks = parse_file("a.md", text).chunks
    assert [chunk.symbol for chunk in chunks] == ["A", "A > B", "A > B > C"]
    assert not any(chunk.header for chunk in chunks), "its name says all titles already"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("![logo](https://example.org/logo.png) Tide", "logo Tide"),
        ("[Tide](https://example.org) [![ci][badge]][runs]", "Tide ci"),
        ('Tide <img src="logo.svg"> <a href="#x">notes</a>', "Tide notes"),
        ('<img alt="Tide" src="logo.svg" width="220" />', "Tide"),
        ("`Option<T>` and a[0](1)", "`Option<T>` and a0"),
        ("Custom RuleSets {/* #customrulesets */}", "Custom RuleSets"),
        ("Time zones {#time-zones .wide}", "Time zones"),
        ("Time zones{: #time-zones }", "Time zones"),
        ("The tuple {:ok, value}", "The tuple {:ok, value}"),
        ("`{.Title}` and {{.Site}}", "`{.Title}` and {{.Site}}"),
        ("{#each}", "{#each}"),
        ("`[editor.auto-save]` Section", "`[editor.auto-save]` Section"),
        ("`<aggregation>_over_time()`", "<aggregation>_over_time()"),
        ('"Tide" and "Ebb"', '"Tide" and "Ebb"'),
        ('"Tide"', "Tide"),
        ("![](logo.png)", "![](logo.png)"),
    ],
)
def test_a_heading_is_called_by_what_is_read_of_it(written: str, read: str) -> None:
    (chunk,) = parse_file("a.md", f"# {written}\n\nWords.\n").chunks
    assert chunk.symbol == read


def test_what_opens_around_a_long_documentation_is_not_said_twice() -> None:
    notes = "".join(f"  # Note {n} says what the job does when it fails.\n" for n in range(60))
    methods = "".join(f"    def m{n}\n" + "      go\n" * 40 + "    end\n" for n in range(3))
    chunks = parse_file("a.rb", f"module Shop\n{notes}  class Job\n{methods}  end\nend\n").chunks
    assert chunks[0].text.startswith("module Shop\n")
    assert chunks[0].header == ""
    assert all(
        chunk.header.startswith("module Shop\n  class Job") for chunk in chunks if "def m" in chunk.text
    )


def test_a_text_without_a_grammar_is_cut_before_its_headings_and_never_behind_one() -> None:
    entries = "".join(f"-   A change of no. {n} that a user would notice at once.\n" for n in range(9))
    releases = [
        f"Version {n}.0\n-----------\n\nReleased 20{n:02}-01-0{n % 9 + 1}\n\n{entries}\n\n"
        for n in range(30, 0, -1)
    ]
    chunks = parse_file("CHANGES.rst", "".join(releases)).chunks
    assert len(chunks) > 9
    assert all(chunk.text.startswith("Version ") for chunk in chunks)
    assert all("-   A change" in chunk.text.rpartition("Version ")[2] for chunk in chunks)


def test_only_chunks_after_the_signature_repeat_it() -> None:
    decorators = "".join(f'@option("--name-{n}", help="{"words " * 12}")\n' for n in range(12))
    body = "".join(f"    value_{n} = compute({n})\n" for n in range(160))
    chunks = parse_file("cli.py", f"{decorators}def command(name):\n{body}").chunks
    with_signature = [chunk for chunk in chunks if "def command" in chunk.text]
    assert len(chunks) > 2
    assert [chunk.header for chunk in with_signature] == [""]
    assert chunks[-1].header == "def command(name):"


def test_clauses_that_are_too_large_together_keep_their_own_heads() -> None:
    def clause(message: str) -> str:
        body = "".join(f"    state = put_in(state.{message}[{at}], {at})\n" for at in range(14))
        return f"  def handle_cast({{:{message}, id}}, state) do\n{body}    {{:noreply, state}}\n  end\n"

    messages = ["save", "rename", "close"]
    text = "defmodule Desk do\n" + "\n".join(map(clause, messages)) + "end\n"
    few = "defmodule Sum do\n  def add([]), do: 0\n  def add([first | rest]), do: first + add(rest)\nend\n"
    parsed = parse_file("lib/desk.ex", text)
    assert (
        sum(
            f"def handle_cast({{:{message}, id}}" in one.text for one in parsed.chunks for message in messages
        )
        == 3
    )
    assert not any("handle_cast" in one.header for one in parsed.chunks)
    assert [each.name for each in parse_file("lib/sum.ex", few).definitions] == ["Sum", "add"]


SETUP = 'process.title = "press";\nif (!process.env.WIDTH) {\n  process.env.WIDTH = "210";\n}\nconsole.log("it begins");\n'
LICENCE = "".join(
    f"// Line {number} of a licence that says what everybody may do with this.\n" for number in range(12)
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f'const paper = require("./paper");\n\n{SETUP}', "block"),
        (f'{SETUP}\nconst paper = require("./paper");\n', "block"),
        (f'{LICENCE}\nconst paper = require("./paper");\nconst ink = require("./ink");\n', "import"),
        (f'import paper from "./paper";\nimport ink from "./ink";\n\n{SETUP[:24]}\n', "import"),
    ],
)
def test_imports_with_more_code_beside_them_are_no_import(text: str, kind: str) -> None:
    assert [chunk.kind for chunk in parse_file("press.js", text).chunks] == [kind]
