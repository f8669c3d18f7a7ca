"""Each request is answered as it was: the same prompt, and the same account of how it came about."""

from __future__ import annotations

import pytest

from contextls.model import Context, TurnRequest

from .answers import FOLDER, HINT, check, kept_files
from .requests import CASES, Case
from .workspaces import NOW, Desk


def scene_of(case: Case) -> tuple[str, ...]:
    """What is the same for cases that can share an engine; those that change a workspace have one of their own."""
    own = case.name if case.then or case.turn else ""  # what was sent before is part of a turn's answer
    return case.workspace, case.scene.__name__, repr(case.settings), own


BY_SCENE = sorted(CASES, key=scene_of)


@pytest.mark.parametrize("case", BY_SCENE, ids=lambda case: case.name)
def test_answer(case: Case, desk: Desk, pytestconfig: pytest.Config) -> None:
    context: Context
    engine = desk.engine(case.workspace, case.scene, case.settings, scene_of(case))
    if case.turn is None:
        context = engine.assemble(case.request, shape=case.shape, now=NOW)
    else:
        context = engine.assemble_turn(TurnRequest(case.request, case.turn), now=NOW)
    if case.then is not None:
        case.between(engine)
        context = engine.update(context.id, case.then, case.then_tokens)
    check(case.name, context, engine.root, update=pytestconfig.getoption("--update-golden"))


def test_every_file_belongs_to_a_request(pytestconfig: pytest.Config) -> None:
    wanted = {f"{case.name}{suffix}" for case in CASES for suffix in (".md", ".json")}
    assert len(wanted) == 2 * len(CASES), "two requests have the same name"
    spare = kept_files() - wanted
    if pytestconfig.getoption("--update-golden"):
        for name in spare:
            (FOLDER / name).unlink()
    else:
        assert not spare, f"no request has these names; {HINT} deletes them"
