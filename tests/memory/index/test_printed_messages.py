"""A report that quotes what a program printed finds the line that prints it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.ranking.printed_messages import find_literals, spell
from contextls.model import AssembleRequest

from ..workspaces import found, opened, write

FILES = {
    "src/tools/common.rs": "pub fn install(name: &str) -> Result<()> {\n    if found.is_empty() {\n"
    '        writeln!(out, "No executables are provided by `{from}`", from = name)?;\n    }\n    Ok(())\n}\n',
    "src/tools/install.rs": "/// Installs tools, wherever they are installed.\npub fn install_tool(tool: Tool) {\n"
    "    resolve(tool); prepare(tool); install(tool)\n}\n",
    "src/tools/uninstall.rs": "/// Uninstalls an installed tool.\npub fn uninstall_tool(tool: Tool) {\n"
    "    remove(tool.installed)\n}\n",
    "tests/tools.rs": 'fn prints() {\n    assert_eq!(run(), "No executables are provided by `az`");\n}\n',
    "lib/lines.rb": "def check(cart)\n  raise format('the line of %s holds %d goods too many', cart, 3)\nend\n",
}
LABELS = {
    "shop/templates/cart/empty.html": "<div>\n  <p>\n    There are no goods in {{ name }} yet\n  </p>\n</div>\n",
    "shop/templates/cart/form.html": "<label for='gift'>Wrap all goods as a gift</label>\n<input id='gift' name='gift'>\n",
    "shop/templates/cart/list.html": "<button name='gift'>Wrap as gift</button>\n",
    "shop/goods.py": "def list_goods(cart):\n    return [goods for goods in cart if not goods.gift]\n",
    "tests/test_goods.py": "def test_there_are_no_goods_yet(page):\n    assert page.has('There are no goods in Cart yet')\n",
}
REPORT = """Where is the tool installed, and why can it not be uninstalled?

```console
$ tool install az
{message}
$ tool uninstall az
```
"""


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("No executables are provided by `az`", "src/tools/common.rs"),
        ("warning: no executables are provided by az 1.2 (unknown)", "src/tools/common.rs"),
        ("RuntimeError: the line of shelf holds 12 goods too many", "lib/lines.rb"),
    ],
)
def test_what_was_printed_leads_to_what_prints_it(tmp_path: Path, message: str, path: str) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        assert found(engine, REPORT.format(message=message))[0] == path


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ('where is "There are no goods in my basket yet" shown?', "shop/templates/cart/empty.html"),
        ('"Wrap all goods as a gift" is always on', "shop/templates/cart/form.html"),
        ("'Wrap as gift' does nothing", "shop/templates/cart/list.html"),
    ],
)
def test_a_label_leads_to_the_page_that_shows_it(tmp_path: Path, question: str, path: str) -> None:
    with opened(write(tmp_path, LABELS)) as engine:
        leading = max(
            engine.assemble(AssembleRequest(question)).components, key=lambda one: one.relevance_score
        )
    assert leading.path == path
    assert leading.why.startswith("prints a message of the question")


@pytest.mark.parametrize(
    "message", ["executables are not provided by az", "provided by az", "Installed 1 package"]
)
def test_words_in_another_order_or_few_are_no_message(tmp_path: Path, message: str) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        assert found(engine, REPORT.format(message=message))[0] != "src/tools/common.rs"


WORDS = st.lists(st.text("abcdefgh", min_size=2, max_size=6), min_size=4, max_size=7)


@given(
    WORDS,
    st.sampled_from(["{}", "{name}", "%s", "%-3d", "${name}", "#{name}", "<b>"]),
    WORDS,
    st.text("xyz 12"),
)
def test_whatever_takes_the_place_of_a_placeholder(
    before: list[str], placeholder: str, behind: list[str], filled: str
) -> None:
    text = f'first = 1\nprint("{" ".join(before)} {placeholder} {" ".join(behind)}")\n'
    printed = spell(f"error: {' '.join(before)} {filled} {' '.join(behind)}!")
    assert dict(find_literals(text, printed)) == {1: max(len(before), len(behind))}


@pytest.mark.parametrize(
    ("literal", "printed", "words"),
    [
        ('tr("Rejecting failed parcel file: %1")', "Rejecting failed parcel file: a.box", 4),
        ('getString("%1$s was refused by the shop %2$s")', "Ada was refused by the shop Bo", 5),
        ('"parcel %(name)s may not be sent today"', "parcel box may not be sent today", 5),
        ('printf("%zu parcels are not yet sent")', "12 parcels are not yet sent", 5),
        ('printf("%-5.2lf of it was never sent")', "0.25 of it was never sent", 5),
        ('"%L1 of the parcels was sent"', "1,200 of the parcels was sent", 5),
    ],
)
def test_what_stands_for_a_placeholder_is_left_out(literal: str, printed: str, words: int) -> None:
    assert [most for _, most in find_literals(literal, spell(printed))] == [words]


@pytest.mark.parametrize(
    "stamp",
    [
        "(W) 2026-03-02T08:13:02 - ",
        "[WARNING] 2026-03-02 08:13:02,120 ",
        "2026/03/02 08:13:02 warn: ",
        "[4711] 08:13:02 ",
    ],
)
def test_a_few_lines_of_a_log_lead_to_what_prints_them(tmp_path: Path, stamp: str) -> None:
    files = {
        "src/watcher.cpp": "void Watcher::retry(Path parcel)\n{\n    if (tries > MOST) {\n"
        '        log(tr("Rejecting failed parcel file: %1").arg(parcel));\n        rename(parcel);\n    }\n}\n',
        **{
            f"src/folder{number}.cpp": f"void Folder{number}::watch(Path folder)\n{{\n    files.rename(folder);\n}}\n"
            for number in range(12)
        },
    }
    question = (
        "files in my watch folder get renamed, when?\n\n"
        f"{stamp}Watching folder: /in\n{stamp}Rejecting failed parcel file: /in/a.box"
    )
    with opened(write(tmp_path, files)) as engine:
        reasons = {one.path: one.why for one in engine.assemble(AssembleRequest(question)).components}
    assert reasons["src/watcher.cpp"].startswith("prints a message of the question")
