"""A notebook is read as its cells, each line of them where the file has it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from contextls.text.notebook import close_gaps, text_of_file

PICTURE = "iVBORw0KGgo" * 100
OTTERS = r"""{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "## Dives\n",
    "\n",
    "How *long* is \"long\"?"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 7,
   "metadata": {},
   "outputs": [
    {
     "data": {
      "image/png": "PICTURE",
      "text/plain": [
       "def dive(): never run\n"
      ]
     }
    }
   ],
   "source": [
    "%matplotlib inline\n",
    "def dive(seconds):\n",
    "    return seconds * 3"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {
  "kernelspec": {
   "language": "python"
  }
 },
 "nbformat": 4
}
""".replace("PICTURE", PICTURE)

Cells = list[dict[str, Any]]


def notebook(cells: Cells, **metadata: dict[str, Any]) -> dict[str, Any]:
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def code(*lines: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "source": list(lines)}


def test_cells_stand_where_the_file_has_them() -> None:
    text = text_of_file("otters.ipynb", OTTERS)
    lines = text.split("\n")
    assert [(number, line) for number, line in enumerate(lines, start=1) if line] == [
        (6, "# %% [markdown]"),
        (7, "# ## Dives"),
        (8, "#"),
        (9, '# How *long* is "long"?'),
        (26, "# %%"),
        (27, "%matplotlib inline"),
        (28, "def dive(seconds):"),
        (29, "    return seconds * 3"),
        (37, "# %%"),
    ]
    assert len(lines) == len(OTTERS.split("\n"))


def test_other_files_stay_as_they_are() -> None:
    assert text_of_file("otters.json", OTTERS) == OTTERS


def test_a_gap_where_outputs_were_is_shown_as_one_line() -> None:
    shown = close_gaps("otters.ipynb", text_of_file("otters.ipynb", OTTERS))
    assert '"long"?\n\n# %%\n%matplotlib inline\n' in shown
    assert close_gaps("otters.py", "a = 1\n\n\n\nb = 2\n") == "a = 1\n\n\n\nb = 2\n"


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(notebook([code("a = 1\n", "b = 2")])),
        json.dumps(notebook([{**code(), "source": "a = 1\nb = 2"}]), indent=1),
        json.dumps(notebook([code("a = 1\nb = 2")]), indent=1),
    ],
    ids=["on one line", "a cell on one line", "lines in one string"],
)
def test_lines_without_a_line_of_their_own_follow_each_other(written: str) -> None:
    assert text_of_file("a.ipynb", written).strip() == "# %%\na = 1\nb = 2"


@pytest.mark.parametrize(
    "metadata", [{"kernelspec": {"language": "R"}}, {"language_info": {"name": "R", "version": "4.1"}}]
)
def test_a_notebook_in_another_language_says_so(metadata: dict[str, Any]) -> None:
    text = text_of_file("a.IPYNB", json.dumps(notebook([code("x <- 1")], **metadata), indent=1))
    assert text.startswith("# Notebook in r\n")
    assert "# %%\nx <- 1\n" in text


@pytest.mark.parametrize(
    "text", ['{\n "worksheets": []\n}', "", "no json", '{\n "source": "a"\n}', "[" * 99_999]
)
def test_what_is_no_notebook_stays_as_it_is_but_for_its_first_line(text: str) -> None:
    assert text_of_file("a.ipynb", text).split("\n") == ["# Notebook in JSON", *text.split("\n")[1:]]


def test_a_notebook_with_a_merge_conflict_is_read_as_far_as_it_goes() -> None:
    text = OTTERS.replace('   "execution_count": 7,\n', "<<<<<<< HEAD\n=======\n>>>>>>> other\n", 1)
    assert "\ndef dive(seconds):\n" in text_of_file("a.ipynb", text)
    assert PICTURE not in text_of_file("a.ipynb", text)


LINE = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=30)


@st.composite
def cells_with_outputs(draw: st.DrawFn) -> Cells:
    """Cells in which each line of the source is another, and begins so that it is known anywhere in the file."""
    cells = []
    for number in range(draw(st.integers(1, 4))):
        lines = [f"cell {number}.{row}: {line}" for row, line in enumerate(draw(st.lists(LINE, max_size=4)))]
        kind = {"cell_type": draw(st.sampled_from(["code", "markdown", "raw"]))}
        output = {"text": [draw(LINE)], "source": {"cell_type": draw(LINE)}}
        source = [*(f"{line}\n" for line in lines[:-1]), *lines[-1:]]
        fields = {"metadata": {"tags": [draw(LINE)]}, "outputs": [output], "source": source}
        cells.append(kind | fields if draw(st.booleans()) else fields | kind)
    return cells


@given(cells_with_outputs(), st.booleans(), st.booleans(), st.sampled_from([1, 2, "\t"]))
def test_every_line_of_a_cell_stands_where_the_file_has_it(
    cells: Cells, ascii_only: bool, ordered: bool, indent: int | str
) -> None:
    file = json.dumps(notebook(cells), indent=indent, ensure_ascii=ascii_only, sort_keys=ordered).split("\n")
    lines = text_of_file("a.ipynb", "\n".join(file)).split("\n")
    assert len(lines) == len(file)
    for shown, written in zip(lines, file, strict=True):
        if written.strip().startswith('"cell '):
            line = json.loads(written.strip().removesuffix(",")).rstrip("\n")
            assert shown in (line, f"# {line}".rstrip())
        else:
            assert shown in ("", "# %%", "# %% [markdown]", "# %% [raw]")


@given(st.text())
@example('{"cells": [{"cell_type": "code", "source": ["\\ud800"]}]}')
@example('{\n"cells": [\n{\n"cell_type": "code",\n"source": [\n"\\ud800"\n]\n}\n]\n}')
def test_any_text_is_read(text: str) -> None:
    text_of_file("a.ipynb", text).encode()
