"""Which memories have changed is told twice a second, also where another process changed them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from contextls.engine import Engine
from contextls.model import MemoryPart, NewEvent, Target

from .conftest import SitDown
from .desk import Desk
from .faces import QuietFace

ALL = {"index", "events", "tasks", "workingSet", "patterns", "conversations", "scope"}


class Notebook(QuietFace):
    """Writes down what it hears."""

    def __init__(self) -> None:
        self.changes: list[tuple[Path, Sequence[MemoryPart]]] = []

    def report_memory_change(self, root: Path, changed: Sequence[MemoryPart]) -> None:
        self.changes.append((root, changed))

    def take(self) -> set[str]:
        """The names heard since the last call."""
        heard, self.changes = self.changes, []
        return {str(part) for _, changed in heard for part in changed}


async def changed(desk: Desk, notebook: Notebook) -> set[str]:
    """The names of the memories that changed since the last look."""
    await desk.settle()
    await desk.live.memory_watch.look()
    return notebook.take()


async def test_all_memories_are_named_once_a_folder_is_open(sit_down: SitDown) -> None:
    notebook = Notebook()
    desk = sit_down(notebook)
    await desk.settle()
    await desk.live.memory_watch.look()
    ((root, changed),) = notebook.changes
    assert root == desk.root
    assert set(changed) == ALL
    await desk.live.memory_watch.look()
    assert len(notebook.changes) == 1


async def test_each_change_is_told_by_the_name_of_its_memory(sit_down: SitDown) -> None:
    notebook = Notebook()
    desk = sit_down(notebook)
    await changed(desk, notebook)
    desk.write(lambda engine: engine.tasks.push("ship it"))
    assert await changed(desk, notebook) == {"tasks"}
    desk.write(lambda engine: engine.working_set.pin(Target("shop/cart.py")))
    assert "workingSet" in await changed(desk, notebook)
    await desk.record(NewEvent("note", {"text": "look"}))
    assert {"events"} <= await changed(desk, notebook) <= {"events", "patterns"}
    desk.write(lambda engine: engine.feedback("pattern-00000000a1", helpful=True))
    assert "patterns" in await changed(desk, notebook)
    (desk.root / "shop/till.py").write_text("def open_till():\n    return 1\n")
    desk.live.open_files.save_file(desk.root / "shop/till.py")
    assert "index" in await changed(desk, notebook)
    desk.write(lambda engine: engine.clear(index=False, events=True))
    assert "events" in await changed(desk, notebook)
    heard = [await changed(desk, notebook) for _ in range(20)]
    assert heard[-1] == set(), "the index may still have been busy with what was saved, and then it is quiet"


async def test_changes_by_another_process_are_told_too(sit_down: SitDown) -> None:
    notebook = Notebook()
    desk = sit_down(notebook)
    await changed(desk, notebook)
    engine = Engine.open(desk.root)
    try:
        engine.record(NewEvent("note", {"text": "from a shell"}))
        assert "events" in await changed(desk, notebook)
        engine.tasks.push("from a shell")
        assert await changed(desk, notebook) == {"tasks"}
        (desk.root / "shop/till.py").write_text("def open_till():\n    return 1\n")
        engine.index()
        assert "index" in await changed(desk, notebook)
    finally:
        engine.close()


async def test_many_changes_are_told_twice_a_second(sit_down: SitDown) -> None:
    notebook = Notebook()
    desk = sit_down(notebook)
    await changed(desk, notebook)
    task = desk.live.spawn(desk.live.memory_watch.run())
    for number in range(300):
        await desk.record(NewEvent("note", {"text": str(number)}))
        await desk.pass_time(10)
    for _ in range(100):  # let the last look end
        await desk.settle()
    assert 1 <= len(notebook.changes) <= 2 * 3 + 1
    task.cancel()


async def test_each_folder_is_told_of_by_its_own_root(sit_down: SitDown) -> None:
    notebook = Notebook()
    desk = sit_down(notebook)
    other = desk.root / "shop"
    desk.live.change_folders([other])
    await changed(desk, notebook)
    desk.write(lambda engine: engine.tasks.push("ship it"), other)
    await desk.settle()
    await desk.live.memory_watch.look()
    assert [root for root, _ in notebook.changes] == [other]


async def test_nothing_is_told_after_the_user_left(sit_down: SitDown) -> None:
    notebook = Notebook()
    desk = sit_down(notebook)
    desk.live.start(watch_memories=True)
    await desk.settle()
    await desk.pass_time(500)
    desk.live.stop()
    notebook.take()
    await desk.record(NewEvent("note", {"text": "too late"}))
    await desk.pass_time(10_000)
    assert notebook.take() == set()
