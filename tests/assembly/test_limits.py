"""Whatever stops a prompt is said: the budget, a limit of the request, a line too long, what is not likely to be of use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context

from ..memory.workspaces import opened, write

COLOURS = (
    "red",
    "green",
    "blue",
    "white",
    "black",
    "brown",
    "grey",
    "pink",
    "amber",
    "olive",
    "azure",
    "coral",
)
FILES = {
    f"paint/{colour}.py": f'def mix_{colour}(tins):\n    """Mix {colour} paint."""\n    return [tins, "{colour}"]\n'
    for colour in COLOURS
}
PLANTS = {
    f"garden/{plant}.md": f"# {plant.title()}\n\nWater it on {day} and keep it out of the wind.\n"
    for plant, day in (("rose", "Monday"), ("lily", "Tuesday"), ("fern", "Friday"))
}
QUESTION = "how is paint mixed?"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("paint"), FILES)) as engine:
        yield engine


def reasons(context: Context) -> set[str]:
    return {one.reason for one in context.report.omitted}


def test_what_the_limit_on_chunks_keeps_out_is_reported(workspace: Engine) -> None:
    whole = workspace.assemble(AssembleRequest(QUESTION, 64_000))
    assert len(whole.components) == len(COLOURS)
    assert not whole.truncated
    few = workspace.assemble(AssembleRequest(QUESTION, 64_000, strategy_overrides={"maxChunks": 5}))
    assert len(few.components) == 5
    assert few.truncated
    named = {one.source for one in few.report.omitted if one.reason == "limit"}
    assert named == {one.source for one in whole.components} - {one.source for one in few.components}
    assert all(one.tokens > 0 for one in few.report.omitted)


def test_what_came_next_and_is_not_likely_to_be_of_use_is_named(tmp_path: Path) -> None:
    others = {
        f"garden/{colour}.py": f"def plant_{colour}(beds):\n    return beds + 1\n" for colour in COLOURS
    }
    with opened(write(tmp_path, {**others, "paint/mix.py": FILES["paint/amber.py"], **PLANTS})) as engine:
        context = engine.assemble(AssembleRequest("where is amber paint mixed in tins?", 64_000))
    assert context.components[0].source.startswith("paint/mix.py")
    assert "unlikely" in reasons(context)
    assert len(context.report.omitted) <= 12
    assert not context.truncated  # no larger budget would show more


def test_a_long_line_that_came_along_is_cut_where_one_can_see_it(workspace: Engine) -> None:
    given = "The log says: " + "connection refused, " * 4_000
    context = workspace.assemble(AssembleRequest(QUESTION, 1_000, additional_context=given))
    (custom,) = (one for one in context.components if one.type == "custom")
    assert custom.tokens > 350
    assert custom.content.startswith("The log says: connection refused,")
    assert custom.content.endswith("characters omitted)")
    assert custom.compression == "head"
    assert context.truncated


def test_lines_before_a_long_one_stay_whole(workspace: Engine) -> None:
    given = "first line\nsecond line\n" + '{"id": 1}, ' * 4_000
    context = workspace.assemble(AssembleRequest(QUESTION, 1_000, additional_context=given))
    (custom,) = (one for one in context.components if one.type == "custom")
    assert custom.content.startswith('first line\nsecond line\n{"id": 1}, {"id": 1}')


def test_text_that_came_along_is_shown_beside_a_task_however_long_it_is(tmp_path: Path) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        engine.tasks.push("Mix a new colour")
        given = "What the customer wrote: " + "please, " * 10_000
        context = engine.assemble(AssembleRequest(QUESTION, 1_000, additional_context=given))
    assert "What the customer wrote: please" in context.content


def test_a_prompt_with_a_piece_cut_is_called_truncated(workspace: Engine, tmp_path: Path) -> None:
    body = "".join(f"    total_{n} = rates[{n}] * {n}\n" for n in range(400))
    with opened(
        write(tmp_path, {"rates.py": f"def convert(rates):\n    '''Convert currency.'''\n{body}"})
    ) as engine:
        context = engine.assemble(AssembleRequest("how is currency converted?", 400))
    assert {one.compression for one in context.components} - {None}
    assert context.truncated
    assert not workspace.assemble(AssembleRequest("mix_amber")).truncated


@pytest.mark.parametrize("budget", range(300, 500, 25))
def test_a_lesser_piece_is_not_shown_as_a_bare_signature(tmp_path: Path, budget: int) -> None:
    body = "".join(f"    tin_{n} = stir(tins[{n}])\n" for n in range(24))
    files = {f"paint/{colour}.py": f"def mix_{colour}_paint(tins):\n{body}" for colour in COLOURS[:4]}
    with opened(write(tmp_path, files)) as engine:
        context = engine.assemble(AssembleRequest(QUESTION, budget))
    assert context.components
    assert all(one.compression is None for one in context.components[1:])
    assert "budget" in reasons(context)


def test_only_chunks_that_were_weighed_count_as_searched(workspace: Engine) -> None:
    assert 0 < workspace.assemble(AssembleRequest("mix_amber")).metadata.chunks_searched <= len(COLOURS)
