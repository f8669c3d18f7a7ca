"""Cells of the percent format, in which notebooks are read: what one is about stays with it."""

from __future__ import annotations

import pytest

from contextls.code.model import Chunk
from contextls.code.parse import parse_file

CELLS = (
    "# %% [markdown]\n# # Otters\n\n\n# %%\nimport math\n\n\n"
    "# %% [markdown]\n# Floating on their backs.\n\n\n\n\n# %%\n# As in the paper.\n"
)
BODY = "".join(f"    total += otter.hours({n})\n" for n in range(40))


@pytest.mark.parametrize("between", ["", "@cached\n", "# A decorator of ours.\n@cached\n"])
def test_a_cell_stays_with_the_prose_above_it(between: str) -> None:
    text = f"{CELLS}{between}def float_time(otter):\n    total = 0\n{BODY}    return total\n\n\n# %%\nfloat_time(1)\n"
    chunk = chunk_with("def float_time", parse_file("otters.py", text).chunks)
    assert chunk.text.startswith("# %% [markdown]\n# Floating on their backs.\n")
    assert "import math" not in chunk.text


def test_commands_of_ipython_are_no_syntax_errors() -> None:
    text = (
        "# %%\n%matplotlib inline\n!pip install otters\nfiles = !ls\nif files:\n    %time swim()\nswim??\n\n\n"
        "def swim():\n    return 1\n"
    )
    parsed = parse_file("otters.ipynb", text)
    assert parsed.problems == ()
    assert [definition.name for definition in parsed.definitions] == ["swim"]
    assert "swim" in [reference.name for reference in parsed.references]
    assert "!pip install otters\n" in parsed.chunks[0].text


def test_a_line_of_other_code_is_no_command() -> None:
    text = (
        'print(= 1)\n\n\ndef swim(name):\n    return ("%s swims"\n            % (name,))\n\n\n'
        "def rest(name):\n    return (name\n            != swim)\n"
    )
    parsed = parse_file("otters.py", text)
    assert parsed.problems
    assert [(item.name, item.end_line) for item in parsed.definitions] == [("swim", 6), ("rest", 11)]


def chunk_with(text: str, chunks: tuple[Chunk, ...]) -> Chunk:
    return next(chunk for chunk in chunks if text in chunk.text)
