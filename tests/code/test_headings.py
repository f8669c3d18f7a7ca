"""Documents in reStructuredText, AsciiDoc and Org are cut at their headings, and each piece knows where it belongs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.code.model import ParsedFile
from contextls.code.parse import parse_file

PROSE = (
    "Some words about it, more than a line of them, so that the section is worth a piece of its own.\n" * 6
)
RST = f"""\
=======
Carts
=======

{PROSE}
Totals
------

{PROSE}
.. code-block:: none

    Not a heading
    -------------

:class:`~shop.Discount` rules
~~~~~~~~~~~~~~~~~~~~~~~~~~~~~

{PROSE}
Returns
-------

{PROSE}
"""
ADOC = f"""\
= Carts

{PROSE}
== Totals

[source,asciidoc]
----
== Not a heading
----

{PROSE}
=== Discount rules

{PROSE}
== Returns

{PROSE}
"""
ORG = f"""\
* Carts
{PROSE}
** Totals
#+begin_src org
* Not a heading
#+end_src
{PROSE}
*** Discount rules
{PROSE}
** Returns
{PROSE}
"""
TITLES = ("Carts", "Carts > Totals", "Carts > Totals > Discount rules", "Carts > Returns")


def sections(parsed: ParsedFile) -> list[str]:
    return list(dict.fromkeys(chunk.symbol for chunk in parsed.chunks if chunk.kind == "section"))


@pytest.mark.parametrize(
    ("path", "text", "third"),
    [
        ("docs/carts.rst", RST, "shop.Discount rules"),
        ("docs/carts.txt", RST, "shop.Discount rules"),
        ("docs/carts.adoc", ADOC, "Discount rules"),
        ("docs/carts.org", ORG, "Discount rules"),
    ],
)
def test_each_section_is_a_piece_that_knows_those_around_it(path: str, text: str, third: str) -> None:
    parsed = parse_file(path, text)
    assert sections(parsed) == [title.replace("Discount rules", third) for title in TITLES]
    assert not any(chunk.header for chunk in parsed.chunks), "its name says all titles already"


@pytest.mark.parametrize(
    ("path", "title", "names"),
    [
        ("docs/a.rst", "Totals\n------", ".. _totals:\n\n.. index:: sum, total\n\n"),
        ("docs/a.rst", "``TOTAL_TAX``\n-------------", ".. setting:: TOTAL_TAX\n\n"),
        ("docs/a.adoc", "== Totals", "[[totals]]\n[.lead]\n"),
    ],
)
def test_what_names_a_section_stands_in_it(path: str, title: str, names: str) -> None:
    start = "Carts\n=====\n" if path.endswith(".rst") else "= Carts\n"
    parsed = parse_file(path, f"{start}\n{PROSE}\n{names}{title}\n\n{PROSE}")
    first, second = (chunk for chunk in parsed.chunks if chunk.kind == "section")
    assert names not in first.text
    assert second.text.startswith(names)
    assert second.symbol == f"Carts > {'TOTAL_TAX' if 'TAX' in title else 'Totals'}"


def test_a_remark_on_the_section_before_a_heading_stays_with_that() -> None:
    remark = ".. versionadded:: 4.2\n"
    parsed = parse_file("docs/a.rst", f"Carts\n=====\n\n{PROSE}\n{remark}\nTotals\n------\n\n{PROSE}")
    first, second = (chunk for chunk in parsed.chunks if chunk.kind == "section")
    assert remark in first.text
    assert second.text.startswith("Totals")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", "# for tests\n###########\npytest\n# for docs\n##########\nsphinx\n"),
        ("docs/table.rst", "Name   Price\n=====  =====\nTea    2\n"),
        ("docs/break.rst", "Some words.\n\n-----\n\nSome more.\n"),
        ("notes.log", "Title\n=====\n\nWords.\n"),
        ("docs/plain.adoc", "Words = other words\n\n====\nIn a block.\n====\n"),
    ],
)
def test_what_only_looks_like_a_heading_is_none(path: str, text: str) -> None:
    assert sections(parse_file(path, text)) == []


@given(
    path=st.sampled_from(["a.rst", "a.txt", "a.adoc", "a.org"]),
    lines=st.lists(
        st.sampled_from(
            [
                "",
                "Title",
                "=====",
                "-----",
                "= A",
                "== B",
                "* C",
                "** D",
                "----",
                "#+begin_src",
                "#+end_src",
                ".. _a:",
                ".. index:: Title",
                "[[a]]",
                "  x",
            ]
        )
        | st.text(max_size=30),
        max_size=60,
    ),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_the_chunks_of_any_document_together_are_its_text(path: str, lines: list[str], end: str) -> None:
    text = end.join(lines)
    parsed = parse_file(path, text)
    assert "".join(chunk.text for chunk in parsed.chunks) == text
    assert parsed.definitions == ()
