"""An answer goes deep: of a file that is shown in several pieces, less likely ones take the room that is left."""

from __future__ import annotations

from pathlib import Path

from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write
from .digest import FILES

WORDS = "honey jar seal lid shelf label"


def work_of(number: int, words: list[str]) -> str:
    """A function that is documented with these words, and long enough to be a chunk of its own."""
    steps = "".join(
        f"    step_{number}_{at} = boil(pot, {at}) + stir(spoon, {at * 3}) - cool(tray, {at + number})\n"
        for at in range(12)
    )
    return (
        f"def work_{number}(pot, spoon, tray):\n"
        f'    """{" ".join(words).capitalize()} at work."""\n{steps}    return step_{number}_0\n\n\n'
    )


def test_the_rest_of_a_file_that_is_shown_in_several_pieces_comes_along(tmp_path: Path) -> None:
    words = WORDS.split()
    spoken = [words[:count] for count in (6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1)]
    pantry = "".join(work_of(number, each) for number, each in enumerate(spoken))
    others = {f"kitchen/other_{at}.py": work_of(90 + at, words[at % 3 :][:3]) for at in range(8)}
    question = "where do the honey jar, its seal, its lid, the shelf and the label come together?"
    with opened(write(tmp_path, {**FILES, "kitchen/pantry.py": pantry, **others})) as engine:
        content = engine.assemble(AssembleRequest(question, 8_000)).content
    assert "def work_0(" in content
    assert "def work_11(" in content
