"""A question for all things of a kind gets the list of them, not pieces of some."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, Filters

from ..memory.workspaces import opened, write

FISH = ("carp", "eel", "pike", "roach")
FILES = {
    **{
        f"app/models/{name}.rb": f"# The {name} in the pond.\n\nclass {name.capitalize()} < Fish\n"
        f"  def swim\n    models.touch\n  end\nend\n"
        for name in FISH
    },
    "app/models/water.rb": "class Water\nend\n\nclass Mud\nend\n",
    "app/models/types.rb": "module Types\nend\n",
    "app/jobs/feed_job.rb": "class FeedJob\n  def perform\n    feed\n  end\nend\n",
    "app/jobs/clean_job.rb": "class CleanJob\n  def perform\n    clean\n  end\nend\n",
    "lib/night_job.rb": "class NightJob\n  def perform\n    rest\n  end\nend\n",
    "test/jobs/feed_job_test.rb": "class FeedJobTest\n  def test_feeds\n    FeedJob.new.perform\n  end\nend\n",
    **{
        f"web/api/{name}/route.ts": "export async function GET() {}\n\nexport async function DELETE() {}\n"
        for name in FISH
    },
    **{
        f"web/components/{name}/index.tsx": f"export function {name.capitalize()}Card() {{}}\n"
        for name in FISH
    },
    "web/components/index.ts": "export * from './carp';\n",
    "web/components/carp/carp.css": ".carp { color: red; }\n",
}


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("all") / "pond", FILES)) as engine:
        yield engine


def catalog_of(context: Context) -> list[str]:
    first = context.components[0]
    return [line.strip() for line in first.content.splitlines()] if first.source == "map" else []


@pytest.mark.parametrize(
    "question",
    ["which models are there?", "list all models", "what models exist?", "Show me the data models"],
)
def test_the_files_of_a_folder_that_is_called_so_are_listed(pond: Engine, question: str) -> None:
    listed = catalog_of(pond.assemble(AssembleRequest(question)))
    assert "app/models/ (5 files)" in listed
    assert "carp.rb — The carp in the pond." in listed
    assert "types.rb" not in listed


def test_a_file_that_defines_more_than_its_name_says_which(pond: Engine) -> None:
    assert "water.rb — Water, Mud" in catalog_of(pond.assemble(AssembleRequest("which models are there?")))


def test_files_that_are_called_so_are_listed_wherever_they_lie_but_no_tests(pond: Engine) -> None:
    listed = catalog_of(pond.assemble(AssembleRequest("which background jobs exist?")))
    assert {"feed_job.rb", "clean_job.rb", "night_job.rb"} <= set(listed)
    assert "feed_job_test.rb" not in listed


def test_endpoints_are_the_routes_where_folders_say_which_there_are(pond: Engine) -> None:
    assert (
        catalog_of(pond.assemble(AssembleRequest("list all API endpoints"))).count("route.ts — GET, DELETE")
        == 4
    )


def parts(count: int) -> dict[str, str]:
    return {
        f"api/{part}/part_{number}.py": f"def part_{number}():\n    pass\n"
        for part in ("users", "ponds")
        for number in range(count)
    }


def test_a_word_that_says_which_leaves_out_the_others(tmp_path: Path) -> None:
    with opened(write(tmp_path / "shop", parts(12))) as engine:
        listed = catalog_of(engine.assemble(AssembleRequest("list the API endpoints for users")))
    assert "api/users/ (12 files)" in listed
    assert listed.count("part_1.py") == 1


@pytest.mark.parametrize(
    "question", ["list the API endpoints for users", "list the endpoints of users and what each one takes"]
)
def test_of_a_few_that_are_meant_the_code_is_shown(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path / "shop", parts(3))) as engine:
        context = engine.assemble(AssembleRequest(question))
    assert {piece.path for piece in context.components} == {
        f"api/users/part_{number}.py" for number in range(3)
    }


def test_endpoints_of_one_thing_are_its_lines_where_one_file_has_all(tmp_path: Path) -> None:
    routes = {
        "config/routes.rb": "Rails.application.routes.draw do\n"
        + "".join(
            f"  namespace :part_{number} do\n" + f"    get 'part_{number}/list'\n" * 40 + "  end\n"
            for number in range(20)
        )
        + "end\n"
    }
    with opened(write(tmp_path / "shop", routes | parts(12))) as engine:
        context = engine.assemble(AssembleRequest("list the api endpoints for part_17s"))
    assert context.components[0].path == "config/routes.rb"
    assert "part_17/list" in context.content
    assert "part_3/list" not in context.content


def test_a_component_in_a_folder_of_its_own_is_one_and_a_list_of_them_is_none(pond: Engine) -> None:
    listed = catalog_of(pond.assemble(AssembleRequest("which React components do we have?")))
    assert "index.tsx — EelCard" in listed
    assert "index.ts" not in listed
    assert "carp.css" not in listed


@pytest.mark.parametrize(
    "question",
    [
        "which jobs fail at night?",  # some of them
        "which model touches the water?",
        "list all files",
        "which ponds are there?",  # no folder is called so
    ],
)
def test_other_questions_are_searched_for(pond: Engine, question: str) -> None:
    assert catalog_of(pond.assemble(AssembleRequest(question))) == []


def test_a_long_list_keeps_to_its_room_and_shows_the_first_of_each_folder(tmp_path: Path) -> None:
    files = {
        f"app/{part}/services/number_{number}_service.py": f"class Number{number}Service:\n    part = '{part}'\n"
        for part in ("air", "sea")
        for number in range(150)
    }
    with opened(write(tmp_path / "shop", files)) as engine:
        context = engine.assemble(AssembleRequest("which services are there?", 1000))
    listed = catalog_of(context)
    assert context.token_count <= 700
    assert "app/air/services/ (150 files)" in listed
    assert listed.count("number_0_service.py") == 2


def test_excluded_files_are_not_listed(pond: Engine) -> None:
    asked = AssembleRequest("which models are there?", filters=Filters(exclude=("app/models/eel.rb",)))
    assert "eel.rb" not in pond.assemble(asked).content
