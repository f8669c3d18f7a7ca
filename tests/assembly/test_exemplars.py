"""A question on how to add another thing of a kind gets a small one, and the place where those are registered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.assembly.wording.catalog_questions import find_asked_addition
from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

BIRDS = ("crow", "jay", "kite", "owl", "rook")
FILES = {
    **{
        f"app/singers/{name}_singer.rb": f"class {name.capitalize()}Singer < Singer\n  def sing\n"
        + f"    say '{name} sings of the morning and of the evening, and is heard far away'\n" * (4 + number)
        + "  end\nend\n"
        for number, name in enumerate(BIRDS)
    },
    "app/singers/singer.rb": "class Singer\n"
    + "  def self.add(new)\n    singers << new\n  end\n" * 8
    + "end\n",
    "app/singers/_draft_singer.rb": "class DraftSinger\n"
    + "  # still to be written, as nobody knows how\n" * 9
    + "end\n",
    "app/views/singers/show.html.erb": "<p>A new singer was added.</p>\n" * 12,
    **{f"app/feathers/{name}.rb": "def show\n" + "  say 'soft'\n" * 30 + "end\n" for name in BIRDS},
    "lib/moult.rb": "# Puts another feather on a bird.\ndef add_feather(bird, colour)\n"
    + "  bird.feathers << colour\n" * 30
    + "end\n",
    "config/choir.rb": "CHOIR = [\n" + "".join(f"  {name.capitalize()}Singer,\n" for name in BIRDS) + "]\n",
    "lib/morning.rb": "def wake\n  CrowSinger.new.sing\nend\n",
    "docs/guide.md": "# Guide\n\nAbout birds.\n\n## Adding a singer\n\nDerive it from `Singer`.\n",
    "test/singers/crow_singer_test.rb": "class CrowSingerTest\n  def test_new\n    CrowSinger.new\n  end\nend\n",
}


@pytest.fixture(scope="module")
def wood(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("all") / "wood", FILES)) as engine:
        yield engine


@pytest.mark.parametrize(
    "question",
    ["how do I add a new singer?", "how to write a singer", "where do we register another singer here?"],
)
def test_the_smallest_example_comes_with_its_registration_and_the_manual(wood: Engine, question: str) -> None:
    context = wood.assemble(AssembleRequest(question))
    paths = [piece.path for piece in context.components]
    assert {"app/singers/crow_singer.rb", "config/choir.rb", "docs/guide.md"} <= set(paths)
    assert "RookSinger," in context.content
    assert "rook sings" not in context.content


def test_what_users_add_wants_the_code_that_adds_it(wood: Engine) -> None:
    shown = wood.assemble(AssembleRequest("how do I add a feather?")).components
    assert shown[0].path == "lib/moult.rb"


def test_a_file_that_each_of_them_has_is_looked_for_nowhere(tmp_path: Path) -> None:
    files = {
        f"web/components/{name}/index.tsx": f"export function {name.capitalize()}() {{\n"
        + "  return <p>I sing in the morning.</p>;\n" * (10 + number)
        + "}\n"
        for number, name in enumerate(BIRDS)
    }
    book = {f"web/book/{name}.ts": f"export const index = '{name}';\n" * 9 for name in BIRDS}
    with opened(write(tmp_path / "wood", files | book)) as engine:
        shown = engine.assemble(AssembleRequest("how do I add a component?")).components
    assert shown[0].path == "web/components/crow/index.tsx"
    assert not any(piece.path.startswith("web/book/") for piece in shown if piece.path)


@pytest.mark.parametrize(
    "question",
    [
        "how do I add a singer to the choir?",  # says more of where
        "how do I write a test",
        "how do I make it louder",
        "where do singers come from?",
    ],
)
def test_other_questions_want_no_example(question: str) -> None:
    assert find_asked_addition(question) is None
