"""The terms of definition lists in Markdown are pieces of their own, and each is called by its name."""

from __future__ import annotations

from contextls.code.model import Chunk
from contextls.code.parse import parse_file

SETTINGS = (
    "# Settings\n\nAll settings that there are.\n\n"
    + "".join(
        f"`setting{number}`\n: (`int`) What setting {number} is for, and what it is where nobody set it.\n\n"
        for number in range(30)
    )
    + "`timeout`\n: (`string`) How long a page may take.\n\n"
    "  Pages take long where they wait for others:\n\n"
    "  ```toml\n  timeout = '60s'\n  ```\n\n"
    "`timeZone`\n: (`string`) The time zone of dates without one.\n\n"
    "What is set nowhere has its default.\n"
)


def named(symbol: str, text: str) -> Chunk:
    (chunk,) = [chunk for chunk in parse_file("settings.md", text).chunks if chunk.symbol == symbol]
    return chunk


def test_each_term_is_a_piece_with_what_it_means() -> None:
    chunk = named("Settings > timeout", SETTINGS)
    assert chunk.text.startswith("`timeout`\n: (`string`) How long")
    assert chunk.text.rstrip().endswith("timeout = '60s'\n  ```")
    assert named("Settings > setting7", SETTINGS).text.count("\n: ") == 1
    assert "default." in named("Settings > timeZone", SETTINGS).text  # few lines behind a term stay with it


def test_several_terms_may_share_a_meaning_below_a_blank_line_too() -> None:
    filler = "Some words about food, as there are many in a list of food.\n" * 20
    text = f"# Food\n\n{filler}\nApple\nPear\n:   A fruit.\n:   What grows on trees.\n\nLeek\n\n: A vegetable.\n\n{filler}"
    assert named("Food > Apple, Pear", text).text.startswith("Apple\nPear\n:   A fruit.\n:   What grows")
    assert ": A vegetable." in named("Food > Leek", text).text


def test_a_short_list_stays_with_its_section() -> None:
    (chunk,) = parse_file("a.md", "# Food\n\nLeek\n: A vegetable.\n\nPear\n: A fruit.\n").chunks
    assert chunk.symbol == "Food"


def test_what_only_looks_like_a_term_is_none() -> None:
    filler = "Some words about code, as there are many of them in a document.\n" * 30
    text = (
        f"# Code\n\n{filler}\n```yaml\nkey\n: value\n```\n\n> quoted\n> : words\n\n- item\n  : more\n\n"
        f"{'A sentence that is far too long for a term. ' * 4}\n: dots\n\n: nothing above\n\nratio\n:1\n\n{filler}"
    )
    assert {chunk.symbol for chunk in parse_file("a.md", text).chunks} == {"Code"}
