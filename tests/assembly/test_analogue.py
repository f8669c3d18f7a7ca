"""A question that names a model ("just like the zsh backend") gets every place of that model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import MemorySnapshot, take_snapshot
from contextls.assembly.usefulness.analogue import FEW, MAX_PLACES, weigh_analogue
from contextls.assembly.wording.analogue_phrase import read_analogue
from contextls.engine import Engine
from contextls.memory.index.snapshot.view import ChunkRef
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write
from .digest import TOPICS

SHELLS = {
    "completion/fish.go": "package completion\n\nfunc GenFish(out Writer) error {\n\treturn write(out, fishScript)\n}\n",
    "completion/bash.go": "package completion\n\nfunc GenBash(out Writer) error {\n\treturn write(out, bashScript)\n}\n",
    "install/paths.go": (
        "package install\n\nvar targets = map[string]string{\n"
        '\t"bash": "/etc/bash_completion.d",\n\t"fish": "~/.config/fish/completions",\n}\n'
    ),
    "install/paths_test.go": 'package install\n\nfunc TestFish(t *T) {\n\tequal(t, targets["fish"], home)\n}\n',
    "docs/history.md": "# History\n\nThe pond was filled with fish in spring.\n",
    **{f"things/{topic}.go": f"package things\n\nfunc Polish{topic.title()}() {{}}\n" for topic in TOPICS},
}


def weigh_places(memories: MemorySnapshot, question: str) -> dict[ChunkRef, float]:
    """The worth of the places of what ``question`` takes as its model."""
    query = memories.content.read_query(question)
    phrase = read_analogue(query.words)
    if phrase is None:
        return {}
    return weigh_analogue(phrase, memories.content.ranking(memories.snapshot, query), memories.snapshot)


@pytest.fixture(scope="module")
def shells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shells"), SHELLS)) as engine:
        yield engine


@pytest.mark.parametrize(
    "question",
    [
        "add a script for nushell, the same way fish is done",
        "support nushell next to fish, what has to be touched?",
        "generate one for nushell like we have for fish",
        "I want a script writer for nushell, similar to the fish writer",
        "nushell, modelled on the one for fish: what is to be added?",
        "make one for nushell as small as fish",
        "add a script for nushell, same style as fish",
        "add a page for nushell, same style as /fish",
        "add nushell to every command like fish",
        'support one more shell like "fish"',
        "scripts for nushell, like we do for fish: where would I hook that in?",
        "support one more shell like :fish",
    ],
)
def test_every_place_of_what_a_question_takes_as_its_model_is_shown(shells: Engine, question: str) -> None:
    found = {one.path: one.relevance_score for one in shells.assemble(AssembleRequest(question)).components}
    assert {"completion/fish.go", "install/paths.go", "install/paths_test.go"} <= found.keys()
    assert found["install/paths_test.go"] < found["install/paths.go"]


@pytest.mark.parametrize(
    "question",
    [
        "I would like fish",
        "I'd like fish",
        "Id like fish",
        "what does it look like, fish?",
        "fish",
        "which way is best?",
        "add nushell as well as fish",
        "make it start as soon as fish ends",
        "if two shells match, like fish and bash, where is it decided which one wins?",
        "add a page for shells like /shells/fish",
        "the new script isn't written next to fish any more",
        "a new script fails like fish:\n  at write (/app/completion/fish.js:4:2)",
    ],
)
def test_a_question_without_a_model_has_none(shells: Engine, question: str) -> None:
    memories = take_snapshot(shells._memories, 0)
    assert weigh_places(memories, question) == {}


@pytest.mark.parametrize(
    ("question", "model"),
    [
        ("show eels next to fish and count them into the totals of a page", "fish"),
        ("sell eels like fish and frogs", "fish frogs"),
        ("sell eels like fish. Also feed them.", "fish"),
    ],
)
def test_what_is_wanted_besides_is_no_model(question: str, model: str) -> None:
    phrase, same = read_analogue(question), read_analogue(f"sell eels like {model}")
    assert phrase
    assert same
    assert phrase.terms == same.terms


def test_a_model_that_is_written_as_code_is_looked_for_as_code(shells: Engine) -> None:
    memories = take_snapshot(shells._memories, 0)
    found = weigh_places(memories, "add nushell to it, just like `fish`")
    assert {memories.snapshot.view.path(ref) for ref in found} == {
        "install/paths.go",
        "install/paths_test.go",
    }


@pytest.mark.parametrize(
    "question",
    [
        "add a command that feeds otters, like `feed fish`",
        "add a command that feeds otters, like feed-fish",
        "add a command like feed-fish that feeds otters",
        "add one for otters like feed-fish which the keeper can call",
        "add an event for otters, like feed.fish",
        "add an event for otters like feed.fish. The keeper calls it.",
    ],
)
def test_a_model_whose_name_has_several_words_is_looked_for_as_that_name(
    tmp_path: Path, question: str
) -> None:
    files = {
        "zoo/feed.rs": "pub struct FeedFish;\n\nimpl Command for FeedFish {\n    fn run(&self) {}\n}\n",
        "zoo/commands.rs": "fn all() -> Vec<Command> {\n    vec![FeedFish, OpenGate]\n}\n",
        "docs/commands.md": "# Commands\n\n- `feed-fish` feeds the fish.\n",
        "zoo/pond.rs": "fn fill(fish: u32) {\n    let feed = fish * 2;\n    keep(feed, fish);\n}\n",
    }
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        found = weigh_places(memories, question)
        assert {memories.snapshot.view.path(ref) for ref in found} == files.keys() - {"zoo/pond.rs"}


def test_of_a_model_that_has_many_places_those_that_answer_the_question_come_first(tmp_path: Path) -> None:
    files = {f"pond/fish_{number}.py": f"def feed_fish_{number}():\n    pass\n" for number in range(50)}
    files["pond/nets.py"] = "def catch_in_net(fish):\n    pass\n"
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        found = weigh_places(memories, "catch frogs in a net, like fish")
        view = memories.snapshot.view
        worth = sorted(found.values(), reverse=True)
        assert view.path(next(iter(found))) == "pond/nets.py"
        assert list(found.values()) == worth
        assert len(found) == MAX_PLACES
        assert worth[0] == worth[FEW - 1] > worth[FEW]


def test_where_a_model_with_a_folder_of_its_own_is_registered_is_shown(tmp_path: Path) -> None:
    files = {
        f"pond/trout/feed_{number}.py": f"def feed_trout_{number}():\n    pass\n" for number in range(60)
    }
    files["pond/species.py"] = "SPECIES = {\n    'carp': Carp,\n    'trout': Trout,\n}\n"
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("feed a new fish, like trout"))
    assert "pond/species.py" in {one.path for one in found.components}


def test_settings_register_a_model_like_code_and_pictures_are_no_places(tmp_path: Path) -> None:
    files = {
        "src/TroutFeeder.php": "<?php\n\nclass TroutFeeder\n{\n    public function feed() {}\n}\n",
        "config/services.yml": "services:\n    App\\TroutFeeder:\n        tags: [feeder]\n",
        "icons/trout.svg": '<svg><path id="trout" d="M0 0h24v24H0z"/></svg>\n',
    }
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        found = weigh_places(memories, "feed a new fish in the pond, like trout")
        worth = {memories.snapshot.view.path(ref): value for ref, value in found.items()}
    assert worth.keys() == {"src/TroutFeeder.php", "config/services.yml"}
    assert worth["config/services.yml"] == worth["src/TroutFeeder.php"]


def test_of_a_long_place_of_the_model_the_lines_around_it_are_shown(tmp_path: Path) -> None:
    steps = "".join(f"    lamp.step_{number}()\n" for number in range(60))
    files = {
        f"press/{topic}.py": f"def set_{topic}(lamp):\n{steps}    lamp.note('otter', {number})\n{steps}"
        for number, topic in enumerate(TOPICS)
    }
    answers = {"zoo/animals.py": "def feed_animal(keeper, animal):\n    return keeper.fish(animal, noon)\n"}
    with opened(write(tmp_path, {**answers, **files})) as engine:
        found = engine.assemble(AssembleRequest("the keeper feeds another animal at noon, same way as otter"))
    pieces = [one for one in found.components if one.path in files]
    assert {one.path for one in pieces} == files.keys()
    assert all("lamp.note('otter'" in one.content and one.content.count("step_") == 16 for one in pieces)


FILTERS = {
    "filters.rb": (
        "module Filters\n  def where(input, key)\n    input.select { |item| item[key] }\n  end\n\n"
        "  def all(input)\n    input\n  end\n\n  def it(input)\n    input\n  end\nend\n"
    ),
    "lists.rb": "module Lists\n  # Where all of them are, and as it was.\n  def all(list)\n    list\n  end\nend\n",
    "test/filters_test.rb": "class FiltersTest\n  def where\n    filters.where([], 1)\n  end\nend\n",
    **{f"things/{topic}.rb": f"# Where it is, and all of it.\ndef polish_{topic}\nend\n" for topic in TOPICS},
}


@pytest.fixture(scope="module")
def filters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("filters"), FILTERS)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("question", "model"),
    [
        ("add a filter where_not that drops what matches, like where", {"filters.rb"}),
        ("add a filter where_not, the same way as where does it", {"filters.rb"}),
        ("add a filter where_not, similar to the where filter", {"filters.rb"}),
        ("add a filter where_not, it is to read its key like `where` reads it", {"filters.rb"}),
        # Those say where, and no name of a filter.
        ("add a filter like where nothing matches", set()),
        ("put a button next to where", set()),
        # Defined in two files, and a word that points at what was said before.
        ("add a filter none like all", set()),
        ("add a filter for dates, like it", set()),
    ],
)
def test_a_function_word_is_a_model_where_one_source_file_defines_it(
    filters: Engine, question: str, model: set[str]
) -> None:
    memories = take_snapshot(filters._memories, 0)
    found = weigh_places(memories, question)
    assert {memories.snapshot.view.path(ref) for ref in found} == model


def test_a_long_function_that_is_called_after_the_model_is_shown_whole(tmp_path: Path) -> None:
    steps = "".join(f"    lamp.step_{number}()\n" for number in range(30))
    files = {
        "zoo/otter.py": f"def feed_otter(lamp):\n{steps}    lamp.note('otter')\n{steps}",
        "zoo/animals.py": f"def feed_all(lamp):\n{steps}    lamp.note('otter')\n{steps}",
        **{f"things/{topic}.py": f"def polish_{topic}():\n    pass\n" for topic in TOPICS},
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("feed one more animal, same way as otter", 8_000))
    lines = {one.path: one.content.count("step_") for one in found.components if one.path in files}
    assert lines["zoo/otter.py"] == 60
    assert lines["zoo/animals.py"] == 16


def test_a_word_that_says_what_the_model_is_need_not_stand_in_its_places(tmp_path: Path) -> None:
    files = {
        "net/sftp.go": "package net\n\nfunc openSftp(host string) *Session {\n\treturn dial(host)\n}\n",
        "net/schemes.go": 'package net\n\nvar schemes = []string{"sftp"}\n',
        "net/print.go": "package net\n\nfunc printDriver(d Driver) string {\n\treturn d.Name\n}\n",
    }
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        found = weigh_places(memories, "add one for webdav, like the sftp driver")
        assert {memories.snapshot.view.path(ref) for ref in found} == {"net/sftp.go", "net/schemes.go"}
