"""What was written lately counts as far as the request wants it to, and events can be asked for by their task."""

from __future__ import annotations

from pathlib import Path

from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, Filters, NewEvent

from ..memory.workspaces import opened, write
from ..repositories import git

DAY = 86_400
NOW = 1_800_000_000_000
ROOMS = {
    f"rooms/{name}.py": f'def paint_{name}(walls):\n    """Paint the walls of a room."""\n    return walls\n'
    for name in ("attic", "bath", "cellar")
}
QUESTION = "how are the walls of a room painted?"


def order(engine: Engine, **weights: float) -> list[str]:
    request = AssembleRequest(QUESTION, strategy_overrides=weights)
    found = engine.assemble(request, now=NOW).components
    return [
        one.path or ""
        for one in sorted(found, key=lambda one: -one.relevance_score)
        if one.type == "semantic"
    ]


def test_who_weighs_recency_gets_what_was_saved_last_first(tmp_path: Path) -> None:
    with opened(write(tmp_path, ROOMS)) as engine:
        engine.record(NewEvent("file_write", {"path": "rooms/cellar.py"}, timestamp=NOW - DAY * 100))
        engine.record(NewEvent("file_write", {"path": "rooms/bath.py"}, timestamp=NOW - DAY * 2_000))
        assert order(engine, recencyWeight=1.0)[:2] == ["rooms/cellar.py", "rooms/bath.py"]
        assert order(engine, recencyWeight=0.0)[0] != "rooms/cellar.py"


def test_a_commit_is_a_time_of_writing_too(tmp_path: Path) -> None:
    write(tmp_path, ROOMS)
    git(tmp_path, "init")
    for ago, name in ((9, "cellar"), (2, "bath"), (5, "attic")):
        git(tmp_path, "add", f"rooms/{name}.py")
        git(tmp_path, "commit", "-m", f"Paint the {name}", date=NOW // 1000 - ago * DAY)
    with opened(tmp_path) as engine:
        engine.read_history()
        found = order(engine, recencyWeight=1.0, relevanceWeight=0.0, salienceWeight=0.0)
    assert found == ["rooms/bath.py", "rooms/attic.py", "rooms/cellar.py"]


def test_what_was_written_last_does_not_push_aside_what_answers(tmp_path: Path) -> None:
    files = {**ROOMS, "garden/hedge.py": "def cut_hedge(height):\n    return height - 1\n"}
    with opened(write(tmp_path, files)) as engine:
        engine.record(NewEvent("file_write", {"path": "garden/hedge.py"}, timestamp=NOW))
        assert order(engine)[0].startswith("rooms/")


def commands(context: Context) -> set[str]:
    return {one.title for one in context.components if one.type == "recent"}


def test_events_can_be_restricted_to_a_task_even_one_that_is_done(tmp_path: Path) -> None:
    with opened(write(tmp_path, ROOMS)) as engine:
        engine.tasks.push("Redecorate")
        first = engine.tasks.push("Buy paint")
        engine.record(NewEvent("shell_exec", {"command": "make paint", "exitCode": 0}))
        engine.tasks.pop("bought")
        second = engine.tasks.push("Paint walls")
        engine.record(NewEvent("shell_exec", {"command": "make walls", "exitCode": 0}))

        def ask(task_id: str) -> str:
            request = AssembleRequest(QUESTION, filters=Filters(task_id=task_id))
            return " ".join(sorted(commands(engine.assemble(request))))

        assert "make paint" in ask(first.id)
        assert "make walls" not in ask(first.id)
        assert "make walls" in ask(second.id)
        assert "make paint" not in ask(second.id)
        assert ask("task-99") == ""
        assert [one.content["command"] for one in engine.events(filters=Filters(task_id=first.id))] == [
            "make paint"
        ]


def test_tasks_hang_together_in_the_graph(tmp_path: Path) -> None:
    with opened(write(tmp_path, ROOMS)) as engine:
        whole = engine.tasks.push("Redecorate")
        part = engine.tasks.push("Buy paint")
        engine.tasks.pop("bought")
        graph = engine.graph(part.id)
        assert graph is not None
        assert graph.start.type == "task"
        assert graph.start.name == "Buy paint"
        assert dict(graph.start.properties) == {"status": "complete", "result": "bought"}
        assert [(one.source, one.type, one.target) for one in graph.relations] == [
            (whole.id, "subtask", part.id)
        ]
        assert [one.id for one in engine.entities(types=["task"])] == [whole.id, part.id]
