"""What holds for every pack: it fits, it is the same again, and no file says anything outside of its own block."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from contextls.model import Detail, Pack, PackFormat, PackRequest
from contextls.packing.pack import pack_files
from contextls.settings import Settings
from contextls.text.tags import unescape
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import write

ONE_WORKER = Settings(workers=1)
FORMATS = tuple(PackFormat)
MARK = "quokka"

MARKS = (
    "```",
    "````",
    "~~~",
    "`",
    "#",
    "# x",
    "</context>",
    "<context path='a'>",
    "</user>",
    "&lt;",
    '"},',
    "]}",
    "\\",
    "//",
)
ENDS = ("\n", "\n\n", "\r\n", "\r", " ", "    ", "\t", "\u2028", "\x0b", "\x1f")
WORDS = ("日本", "é", "😀", "word", "x = 1", "def f():", "0", "/")
pieces = st.sampled_from((*MARKS, *ENDS, *WORDS))
texts = st.one_of(
    st.lists(pieces, max_size=60).map("".join), st.text(st.characters(codec="utf-8"), max_size=120)
)
names = st.sampled_from(
    [
        "a.py",
        "b.md",
        "src/c.py",
        "src/deep/d.ts",
        "tests/test_e.py",
        "data/f.json",
        "g",
        "src/h.go",
        "we`ird<n&me>.txt",
    ]
)
workspaces = st.dictionaries(names, texts, max_size=6)
formats = st.sampled_from(FORMATS)


def pack(files: Mapping[str, str], request: PackRequest, *, again: bool = False) -> Pack:
    """The pack of a folder with these files; ``again`` what a second pack of it gives."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), files)
        if again:
            pack_files(Path(folder), request, ONE_WORKER)
        return pack_files(Path(folder), request, ONE_WORKER)


def shown(packed: Pack) -> set[str]:
    return {file.path for file in packed.files if file.detail is Detail.WHOLE}


@given(
    files=workspaces,
    budget=st.integers(200, 900),
    form=formats,
    tokenizer=st.sampled_from(["o200k_base", "cl100k_base", "estimate"]),
)
def test_a_pack_never_has_more_tokens_than_its_budget(
    files: Mapping[str, str], budget: int, form: PackFormat, tokenizer: str
) -> None:
    long = {name: text * 8 for name, text in files.items()}
    packed = pack(long, PackRequest(max_tokens=budget, format=form, tokenizer=tokenizer))
    counted = sum(map(get_tokenizer(tokenizer).count, packed.parts))
    assert counted <= budget
    assert packed.token_count == counted


@given(files=workspaces, form=formats, tokenizer=st.sampled_from(["o200k_base", "cl100k_base"]))
@example({"a.py": "/x", "b.md": "\n\n/", "g": "// ```"}, PackFormat.MARKDOWN, "o200k_base")
def test_the_tokens_of_a_pack_are_those_of_its_text(
    files: Mapping[str, str], form: PackFormat, tokenizer: str
) -> None:
    packed = pack(files, PackRequest(format=form, tokenizer=tokenizer))
    assert packed.token_count == get_tokenizer(tokenizer).count(packed.parts[0])


@given(files=workspaces, most=st.integers(200, 500), form=formats)
def test_no_part_is_larger_than_asked_and_together_they_have_every_line(
    files: Mapping[str, str], most: int, form: PackFormat
) -> None:
    long = {name: f"{text}\n" * 20 + MARK for name, text in files.items()}
    packed = pack(long, PackRequest(split_tokens=most, format=form, summary=False, tree=False))
    assert max(map(get_tokenizer(packed.tokenizer).count, packed.parts)) <= most
    assert "".join(packed.parts).count(MARK) == len(shown(packed))
    if form is PackFormat.JSON:
        entries = [entry for part in packed.parts for entry in json.loads(part)["entries"]]
        for path in shown(packed):
            together = "".join(entry["text"] for entry in entries if entry.get("path") == path)
            assert together.encode() == long[path].encode().removeprefix(b"\xef\xbb\xbf")


@pytest.mark.parametrize("form", list(PackFormat))
@pytest.mark.parametrize(("most", "part"), [(1_000, 200), (3_000, 200), (3_000, 300), (5_000, 1_000)])
def test_all_parts_together_have_no_more_tokens_than_asked(form: PackFormat, most: int, part: int) -> None:
    files = {f"note{number}.txt": f"{number} letters came today\n" * 12 for number in range(80)}
    packed = pack(files, PackRequest(max_tokens=most, split_tokens=part, format=form))
    assert len(packed.parts) > 3
    assert most // 2 < packed.token_count <= most


@given(files=workspaces, form=formats)
def test_the_same_files_give_the_same_pack_also_when_they_are_known(
    files: Mapping[str, str], form: PackFormat
) -> None:
    request = PackRequest(format=form, max_tokens=2_000)
    assert pack(files, request) == pack(files, request, again=True)


@given(files=workspaces)
def test_in_markdown_no_file_leaves_its_fence(files: Mapping[str, str]) -> None:
    packed = pack(files, PackRequest(summary=False, tree=False))
    tokens = MarkdownIt().parse(packed.parts[0])
    fences = [token.content for token in tokens if token.type == "fence"]
    headings = [token for token in tokens if token.type == "heading_open"]
    assert len(fences) == len(shown(packed)) == len(headings) - 1
    for path, content in zip(sorted(shown(packed)), fences, strict=True):
        expected = re.sub("\r\n?", "\n", files[path].removeprefix("\ufeff")).replace("\0", "\ufffd")
        assert content == (expected if not expected or expected.endswith("\n") else f"{expected}\n")


@given(files=workspaces)
def test_between_tags_no_file_opens_or_closes_one(files: Mapping[str, str]) -> None:
    packed = pack(files, PackRequest(format=PackFormat.TAGGED, summary=False, tree=False))
    blocks = re.findall(r"<context [^>\n]*>\n(.*?)</context>\n", packed.parts[0], re.DOTALL)
    assert "".join(re.split(r"<context [^>\n]*>\n.*?</context>\n", packed.parts[0], flags=re.DOTALL)) == ""
    for path, block in zip(sorted(shown(packed)), blocks, strict=True):
        text = files[path].removeprefix("\ufeff")
        assert unescape(block) in (text, f"{text}\n")


@given(files=workspaces)
def test_json_holds_every_text_as_it_is(files: Mapping[str, str]) -> None:
    packed = pack(files, PackRequest(format=PackFormat.JSON))
    entries = {
        entry["path"]: entry["text"] for entry in json.loads(packed.parts[0])["entries"] if "path" in entry
    }
    assert entries == {path: files[path].removeprefix("\ufeff") for path in shown(packed)}


@pytest.mark.parametrize("form", FORMATS)
@given(request_=st.builds(
    PackRequest,
    what=st.sampled_from([(), ("private", "public.py"), ("**/*.py",), ("*",), ("private/plan.md", "excluded/x.py")]),
    listed=st.sampled_from([None, (), ("private/plan.md", "excluded/x.py", ".env")]),
    working_set=st.booleans(),
    include_noise=st.booleans(),
    diffs=st.booleans(),
    max_tokens=st.sampled_from([None, 300]),
))  # fmt: skip
def test_nothing_ignored_excluded_or_secret_is_shown_whatever_is_asked(
    form: PackFormat, request_: PackRequest
) -> None:
    hidden = f"{MARK} = 1\n"
    files = {
        "public.py": "x = 1\n",
        "private/plan.md": hidden,
        ".gitignore": "private/\n",
        ".contextlsignore": "own.py\n",
        "own.py": hidden,
        "excluded/x.py": hidden,
        ".env": hidden,
        ".context/working-set.yml": "files: [private/plan.md, .env, excluded/x.py]\nexclude: [excluded/]\n",
    }
    packed = pack(files, replace(request_, format=form))
    assert MARK not in "".join(packed.parts)
    assert {file.path for file in packed.files} <= {"public.py", ".gitignore", ".contextlsignore"}


def test_a_budget_that_holds_much_is_not_left_empty() -> None:
    files = {
        f"part_{number:02}.py": "".join(
            f"def handle_{number}_{step}(value):\n    return value + {step}\n\n\n"
            for step in range(1 + number * 7 % 23)
        )
        for number in range(40)
    }
    for most in range(2_684, 3_500, 185):
        assert pack(files, PackRequest(max_tokens=most)).token_count > 0.9 * most
