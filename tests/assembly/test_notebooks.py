"""Notebooks in prompts: their cells, as code, without JSON, pictures and secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import SHOP, opened, write

KEY = "ghp_" + "Zq7Xw2Lm9Kc4Vb8Nt3Rf6Hd1Gs5Jp0YaUe8W"
PICTURE = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo" * 150_000}}


def prose(*lines: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": list(lines)}


def code(*lines: str, outputs: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "outputs": list(outputs), "source": list(lines)}


def written(*cells: dict[str, Any]) -> str:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}, indent=1)


DIVES = written(
    prose("## Seal dives\n", "How deep did each seal go?"),
    code(
        "%matplotlib inline\n",
        "def deepest_dive(seals):\n",
        '    """The metres of the deepest dive."""\n',
        "    return max(dive.metres for dive in seals)",
        outputs=(PICTURE,),
    ),
    code("deepest_dive(walrus_colony)", outputs=(PICTURE,)),
    code(f'token = "{KEY}"'),
)


def ask(engine: Engine, query: str) -> str:
    return engine.assemble(AssembleRequest(query)).content


def test_a_question_is_answered_with_cells(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {**SHOP, "dives.ipynb": DIVES})
    assert len(DIVES) > 3_000_000
    with opened(root) as engine:
        content = ask(engine, "where is the deepest dive of a seal computed?")
        token = ask(engine, "where is the token?")
        (hit,) = [hit for hit in engine.search("deepest dive of a seal", 5).hits if "def deepest" in hit.text]
    assert "go?\n\n# %%\n%matplotlib inline\n" in hit.text
    assert "`deepest_dive`" in content
    assert "```python\n# %% [markdown]\n# ## Seal dives\n# How deep did each seal go?\n\n# %%\n" in content
    assert "    return max(dive.metres for dive in seals)\n" in content
    assert "iVBOR" not in content
    assert '"cell_type"' not in content
    assert KEY not in token


def test_a_secret_written_in_escapes_stays_out(tmp_path: Path) -> None:
    hidden = "".join(f"\\u{ord(character):04x}" for character in KEY)
    root = write(tmp_path / "shop", {**SHOP, "dives.ipynb": DIVES.replace(KEY, hidden)})
    with opened(root) as engine:
        (hit,) = [hit for hit in engine.search("token", 9).hits if "token =" in hit.text]
    assert KEY not in hit.text
    assert hidden not in hit.text


def test_an_unsaved_notebook_counts_as_its_cells(tmp_path: Path) -> None:
    root = write(tmp_path / "shop", {**SHOP, "dives.ipynb": DIVES})
    with opened(root) as engine:
        engine.set_overlay("dives.ipynb", DIVES.replace("walrus_colony", "penguin_colony"))
        hits = engine.search("penguin_colony", 3).hits
        assert hits[0].path == "dives.ipynb"
        assert "# %%\ndeepest_dive(penguin_colony)" in hits[0].text


def test_a_pinned_notebook_is_shown_as_its_cells_before_it_is_saved(tmp_path: Path) -> None:
    pins = "version: 1\nfiles:\n  - dives.ipynb\n"
    root = write(tmp_path / "shop", {**SHOP, "dives.ipynb": written(code("deepest_dive(seals)"))})
    write(root, {".context/working-set.yml": pins})
    with opened(root) as engine:
        engine.set_overlay("dives.ipynb", written(code("deepest_dive(otters)")))
        content = ask(engine, "what is pinned?")
    assert "```python\n# %%\ndeepest_dive(otters)\n```" in content


def test_a_notebook_of_more_code_than_a_file_may_have_is_left_out(tmp_path: Path) -> None:
    long = written(code(*(f"x{number} = {number}\n" for number in range(100_000))))
    root = write(tmp_path / "shop", {**SHOP, "dives.ipynb": long})
    with opened(root, index=False) as engine:
        assert engine.index().skipped == {"size": 1}


def test_a_question_for_a_notebook_finds_those_before_the_code_that_does_it(tmp_path: Path) -> None:
    agent = (
        'class DQNAgent:\n    """The DQN agent."""\n\n    def train(self):\n        """Train the agent."""\n'
    )
    root = write(
        tmp_path / "agents",
        {
            "agents/dqn.py": agent,
            "train.py": '"""Train the agent."""\n\ndef train(agent):\n    """Train a DQN agent."""\n    agent.train()\n',
            "runs/balance.ipynb": written(
                prose("# Cart pole"), code("agent = DQNAgent()\n", "agent.train()")
            ),
            "runs/lander.ipynb": written(
                prose("# Lunar lander"), code("agent = A2CAgent()\n", "agent.train()")
            ),
        },
    )
    with opened(root) as engine:
        found = [hit.path for hit in engine.search("in which notebook is the agent trained?", 5).hits]
        content = ask(engine, "which notebook trains an agent?")
    assert set(found[:2]) == {"runs/balance.ipynb", "runs/lander.ipynb"}
    assert content.index("runs/lander.ipynb") < content.index("train.py")
