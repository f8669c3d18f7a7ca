"""A section whose title is the subject of the question is shown from its beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.titled_sections import weigh_titled_sections
from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

FILLER = "The order is taken, then the goods are fetched, packed and sent to the customer.\n"
PLACES = ("North", "South", "East", "West", "Harbour", "Airport", "Station", "Border")
STEPS = "".join(
    f"- step {at}: all that comes passes a gate of its own before the next one\n" for at in range(30)
)
SECTIONS = "".join(
    f"### Parcel flow {place}\n\nThe parcel flow of {place} lets each parcel flow: a parcel flow ends.\n\n{FILLER * 6}\n"
    for place in PLACES
)
BEGINNING = "Here each one goes through the house."
GUIDE = f"# Shop\n\n{FILLER * 9}\n## Working with parcel flows\n\n{BEGINNING}\n\n{STEPS}\n{SECTIONS}"
CODE = "".join(
    f"class ParcelFlow{place}:\n"
    f'    """The parcel flow of {place}: a parcel flow, how each parcel flows."""\n\n'
    f'    def parcel_flow(self, parcel):\n        return parcel.flow("{place}", flow=self.parcel_flow)\n\n\n'
    for place in PLACES
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(tmp_path, {"docs/guide.md": GUIDE, "shop/parcel.py": CODE})


def prompt(engine: Engine, question: str) -> str:
    return engine.assemble(AssembleRequest(question, 1500)).content


@pytest.mark.parametrize(
    "question", ["explain the parcel flows", "how does the parcel flow work?", "what is a parcel flow?"]
)
def test_the_section_on_what_is_asked_is_shown_from_its_beginning(shop: Path, question: str) -> None:
    with opened(shop) as engine:
        shown = prompt(engine, question)
        assert BEGINNING in shown
        assert "class ParcelFlow" in shown


@pytest.mark.parametrize(("sections", "weighed"), [(1, 1), (3, 3), (4, 0)])
def test_a_title_that_many_sections_have_says_nothing(tmp_path: Path, sections: int, weighed: int) -> None:
    texts = {
        f"docs/part{at}.md": f"# Part {at}\n\n{FILLER * 9}\n## Options\n\n{FILLER * 9}"
        for at in range(sections)
    }
    with opened(write(tmp_path, texts)) as engine:
        moment = take_snapshot(engine._memories, 0)
        ranking = moment.content.ranking(
            moment.snapshot, moment.content.read_query("which options are there?")
        )
        assert len(weigh_titled_sections(ranking)) == weighed
