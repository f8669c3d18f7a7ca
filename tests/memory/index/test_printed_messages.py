"""A report that quotes what a program printed finds the line that prints it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.query.long_queries import find_quoted
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


def test_of_messages_over_several_lines_the_one_that_says_most_of_it_is_meant(tmp_path: Path) -> None:
    files = {
        f"src/{name}.go": f"func parse{name.title()}(s string) error {{\n"
        f"\treturn fmt.Errorf(`{said} %q. It must be one of the\nfollowing names:\n- {more}\n`, s)\n}}\n"
        for name, said, more in (
            ("alias", "Invalid alias", "host"),
            ("owner", "Invalid owner", "user"),
            ("key", "Wrong key", "host"),
        )
    }
    message = 'error="loading: Invalid owner \\"az\\". It must be one of the\\nfollowing names:\\n- user\\n"'
    with opened(write(tmp_path, files)) as engine:
        assert found(engine, REPORT.format(message=message))[0] == "src/owner.go"


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


TRACED = {
    "shop/cart.py": "def open_cart(path):\n    return open(path).read()\n",
    "app/errors.py": 'def explain(path):\n    print("No such file or directory:", path)\n',
}
OPENED = """The cart is gone

Traceback (most recent call last):
  File "/srv/shop/cart.py", line 2, in open_cart
    return open(path).read()
FileNotFoundError: [Errno 2] No such file or directory: 'cart.json'
"""


def test_the_innermost_frame_goes_before_what_prints_the_same_message(tmp_path: Path) -> None:
    with opened(write(tmp_path, TRACED)) as engine:
        assert found(engine, OPENED)[:2] == ["shop/cart.py", "app/errors.py"]


KEYS = {
    "main.go": 'package main\n\nimport (\n\tkeys "github.com/acme/keys/src"\n)\n\nfunc main() {\n\tkeys.Run()\n}\n',
    "src/options.go": 'package keys\n\nvar actions = map[string]int{\n\t"toggle-preview": 1,\n}\n',
    "src/window.go": "package keys\n\n// Preview shows what a preview command prints, and toggles.\n"
    "func Preview(command string) {\n\tshow(run(command))\n}\n",
}


@pytest.mark.parametrize(
    "report",
    [
        "Toggling the preview shows nothing\n\nI run `keys --bind='?:toggle-preview'` and it doesn't show. That's it.\n",
        "Toggling the preview shows nothing\n\n```\ngithub.com/acme/keys/src.Preview(0x1)\n"
        "\t/keys/src/window.go:5 +0x1\n```\n",
    ],
)
def test_arguments_and_frames_are_no_messages(tmp_path: Path, report: str) -> None:
    with opened(write(tmp_path, KEYS)) as engine:
        assert found(engine, report)[0] == "src/window.go"


def test_apostrophes_quote_nothing() -> None:
    assert find_quoted("It doesn't stop, but that's all; 'no such goods here' is said") == [
        "no such goods here"
    ]


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
    assert dict(find_literals(text, printed)) == {1: len(before) + len(behind)}


@pytest.mark.parametrize(
    ("literal", "printed", "words"),
    [
        ('tr("Rejecting failed parcel file: %1")', "Rejecting failed parcel file: a.box", 4),
        ('getString("%1$s was refused by the shop %2$s")', "Ada was refused by the shop Bo", 5),
        ('"parcel %(name)s may not be sent today"', "parcel box may not be sent today", 6),
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
