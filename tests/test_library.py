"""docs/library.md: its examples run as they stand there, and are typed."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import contextls
from contextls import AssembleRequest, AsyncEngine, Context, Engine, EventType, NewEvent, Settings, Shape
from contextls.errors import InvalidRequestError
from contextls.model import AssembledTurn, TurnOptions, TurnRequest

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "tests" / "golden" / "fixtures" / "library"
TEXT = (ROOT / "docs" / "library.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^## (.*?)\n.*?^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))
PRINTED = {
    "A prompt": "library/fines.py:1-33",
    "In tags by role": '<context path="library/loans.py" lines="',
    "Search": "library/fines.py:",
    "What happened": "shell_exec failure {'command': 'pytest -q'",
    "In an event loop": "0 pins",
    "A source of your own": "Piece(title='LIB-12'",
    "Errors": "no such folder",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    shutil.copytree(LIBRARY, folder / "library")
    return folder


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_runs(title: str, folder: Path) -> None:
    (folder / "example.py").write_text(EXAMPLES[title], "utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=folder, capture_output=True, encoding="utf-8", timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert PRINTED[title] in done.stdout


def test_every_section_with_an_example_is_run() -> None:
    assert EXAMPLES.keys() == PRINTED.keys()
    assert TEXT.count("```python") == len(EXAMPLES)


def test_the_examples_are_typed(tmp_path: Path) -> None:
    for number, example in enumerate(EXAMPLES.values()):
        (tmp_path / f"example{number}.py").write_text(example, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout


QUESTION = AssembleRequest("who may borrow a book and what does it cost?")
TURN = TurnRequest(QUESTION, TurnOptions(shape=Shape.MESSAGES))


@pytest.mark.parametrize(
    "ask",
    [
        lambda engine: engine.assemble(QUESTION),
        lambda engine: engine.assemble(QUESTION, shape=Shape.TAGGED),
        lambda engine: engine.assemble_part(QUESTION, "library"),
        lambda engine: engine.follow_up(TurnRequest(QUESTION, TurnOptions(shape=Shape.MARKDOWN))),
        lambda engine: engine.update(
            engine.assemble(QUESTION).id, NewEvent(EventType.NOTE, {"text": "late"})
        ),
    ],
    ids=["assemble", "tagged", "part", "follow-up", "update"],
)
def test_a_request_without_a_budget_takes_that_of_the_settings(
    ask: Callable[[Engine], Context], folder: Path
) -> None:
    with Engine.open(folder / "library", Settings(max_tokens=300)) as engine:
        engine.index()
        context = ask(engine)
    assert context.report.assembly is not None
    assert context.report.assembly.budget.max == 300
    assert context.token_count <= 300


def test_so_does_what_is_retrieved_for_a_turn(folder: Path) -> None:
    def retrieved(turn: AssembledTurn) -> int:
        return next(layer.tokens for layer in turn.report.layers if layer.layer == "memory")

    tokens = []
    for most in (300, 4000):
        with Engine.open(folder / "library", Settings(max_tokens=most)) as engine:
            engine.index()
            tokens.append(retrieved(engine.assemble_turn(TURN)))
    # What introduces the pieces in the message is not theirs.
    assert tokens[0] <= 300 + 50 < tokens[1]


async def test_so_does_a_request_that_is_awaited(folder: Path) -> None:
    async with await AsyncEngine.open(folder / "library", Settings(max_tokens=300)) as engine:
        await engine.index()
        context = await engine.assemble(QUESTION)
    assert context.report.assembly is not None
    assert context.report.assembly.budget.max == 300


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"max_tokens": -5}, "maxTokens: expected 32 to 2,000,000, got -5"),
        ({"max_tokens": "500"}, "maxTokens: expected a whole number, got '500'"),
        ({"workers": -1}, "workers: expected 0 or more, got -1"),
        ({"embedder": "magic"}, "embedder: expected one of static, onnx, openai, got 'magic'"),
    ],
)
def test_settings_that_cannot_be_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        Settings(**values)
    assert str(caught.value) == message


def test_importing_the_package_loads_nothing_else() -> None:
    code = (
        "import sys, contextls; print(sorted(name for name in sys.modules if name.startswith('contextls.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_public_name_of_the_package_can_be_imported() -> None:
    for name in contextls.__all__:
        assert getattr(contextls, name) is not None
    assert set(dir(contextls)) == set(contextls.__all__)
    with pytest.raises(AttributeError, match="Enigne"):
        _ = contextls.Enigne  # type: ignore[attr-defined]


async def test_the_loop_goes_on_while_an_engine_works(folder: Path) -> None:
    async with await AsyncEngine.open(folder / "library") as engine:
        await engine.index()
        here = threading.get_ident()
        threads = await asyncio.gather(*(engine.ask(lambda _plain: threading.get_ident()) for _ in range(8)))
        assert here not in threads
        writes = [engine.record(NewEvent(EventType.NOTE, {"text": str(number)})) for number in range(20)]
        await asyncio.gather(*writes, engine.assemble(AssembleRequest("who may borrow?", max_tokens=300)))
        notes = [event.content["text"] for event in await engine.events(20)]
        assert notes == [str(number) for number in reversed(range(20))]
        assert (await engine.status()).state == "ready"
    await engine.close()


async def test_indexing_ends_with_its_task(folder: Path) -> None:
    async with await AsyncEngine.open(folder / "library") as engine:
        await engine.index()
        begun, loop = asyncio.Event(), asyncio.get_running_loop()

        def note(_step: object) -> None:
            loop.call_soon_threadsafe(begun.set)

        task = asyncio.create_task(engine.index(note))
        await asyncio.wait_for(begun.wait(), timeout=30)
        task.cancel()
        await asyncio.wait({task}, timeout=30)
        assert task.done()
        assert (await engine.search("fine")).hits
