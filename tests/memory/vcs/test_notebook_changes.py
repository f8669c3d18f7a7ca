"""Changes of a notebook are those of its cells; what running it wrote is none."""

from __future__ import annotations

import json

from contextls.engine import Engine
from contextls.memory.vcs.working_changes import Hunk

from .changes import asked, edit

SOURCE = ["def dive(seconds):\n", "    return seconds * 3\n", "\n", "print(dive(2))"]
CELLS = [
    {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": SOURCE},
    {"cell_type": "markdown", "metadata": {}, "source": ["Seals dive *deep*."]},
]
FILES = {
    "dives.ipynb": json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4}, indent=1) + "\n",
    "seals.py": "SEALS = 3\n",
}
RUN = '"outputs": [{\n"output_type": "stream",\n"text": [\n"6\\n"\n]\n}],'


def line_of(engine: Engine, text: str) -> int:
    lines = (engine.root / "dives.ipynb").read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


def test_an_edit_and_a_run_are_told_as_the_edit(shop: Engine) -> None:
    edit(shop, "dives.ipynb", '"outputs": [],', RUN)
    assert asked(shop, "all").hunks == ()
    edit(shop, "dives.ipynb", "seconds * 3", "seconds * 4")
    number = line_of(shop, "seconds * 4")
    assert asked(shop, "all").hunks == (
        Hunk(
            "dives.ipynb", "dive", number, number, 1, 1,
            " # %%\n def dive(seconds):\n-    return seconds * 3\n+    return seconds * 4\n \n print(dive(2))",
        ),
    )  # fmt: skip


def test_prose_is_told_as_prose(shop: Engine) -> None:
    edit(shop, "dives.ipynb", "*deep*", "for long")
    (hunk,) = asked(shop, "all").hunks
    assert "-# Seals dive *deep*.\n+# Seals dive for long." in hunk.text
    number = line_of(shop, "for long")
    assert (hunk.symbol, hunk.start_line, hunk.end_line) == ("", number, number)


def test_a_new_notebook_is_shown_as_its_cells(shop: Engine) -> None:
    (shop.root / "new.ipynb").write_text(FILES["dives.ipynb"].replace('"outputs": [],', RUN))
    shop.update_files(["new.ipynb"])
    (hunk,) = asked(shop, "all").hunks
    assert hunk.text.startswith("+# %%\n+def dive(seconds):\n")
    assert "output_type" not in hunk.text
