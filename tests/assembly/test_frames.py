"""A question with the output of a program: the code at the frames of its trace, and the code that prints its message."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.memory.index.query.traces import places_in
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

DEPTH = 6


def step_of(number: int) -> str:
    """A module whose function calls that of the next one, behind much that has nothing to do with it."""
    filler = "".join(
        f"def check_{number}_{at}(lamp):\n    if lamp.colour == {at}:\n"
        f'        raise ValueError("no such lamp fails, step {at}")\n    return lamp.dim({at} * lamp.height)\n\n\n'
        for at in range(30)
    )
    return f"{filler}def step_{number}(lamp):\n    lamp.turn({number})\n    return step_{number + 1}(lamp)\n"


def trace_of(files: dict[str, str]) -> str:
    frames = "".join(
        f'  File "/srv/app/{path}", line {text.count(chr(10))}, in step\n' for path, text in files.items()
    )
    return f"Traceback (most recent call last):\n{frames}ValueError: no such lamp\n"


def shown(engine: Engine, question: str, max_tokens: int = 940) -> list[str]:
    context = engine.assemble(AssembleRequest(question, max_tokens))
    return [f"step_{number}" for number in range(DEPTH) if f"lamp.turn({number})" in context.content]


def test_the_code_at_each_of_the_inner_frames_is_shown(tmp_path: Path) -> None:
    files = {f"lamps/floor_{number}.py": step_of(number) for number in range(DEPTH)}
    with opened(write(tmp_path, files)) as engine:
        question = f"why does it fail?\n\n{trace_of(files)}"
        assert shown(engine, question, 1_800) == [f"step_{number}" for number in range(DEPTH)]
        assert shown(engine, question) == [f"step_{number}" for number in range(DEPTH - 3, DEPTH)]


def test_the_innermost_frame_leads_whatever_its_file_is_called(tmp_path: Path) -> None:
    files = {f"lamps/{'dcba'[number]}.py": step_of(number) for number in range(4)}
    with opened(write(tmp_path, files)) as engine:
        trace = trace_of(dict(reversed(files.items())))
        first, *_ = engine.assemble(AssembleRequest(f"why does it fail?\n\n{trace}", 4_000)).components
    assert first.path == "lamps/d.py"


TOOLS = {
    "tools/executables.py": "".join(
        f'class ProvidedExecutables{name}:\n    """The executables that are provided by {name}."""\n\n'
        f"    def executables(self, provided):\n        return provided.executables\n\n\n"
        for name in ("Az", "Bin", "Cellar")
    ),
    "tools/install.py": "def install(tool):\n    if not tool.found:\n        raise Missing("
    'f"No executables are provided by {tool.name}")\n    return tool.found\n',
}


@pytest.mark.parametrize(
    "question",
    [
        "No executables are provided by az",
        "error: no executables are provided by `az`",
        'why does it say "no executables are provided by az"?',
    ],
)
def test_the_code_that_prints_a_message_leads(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path, TOOLS)) as engine:
        context = engine.assemble(AssembleRequest(question, 2000))
        assert context.components[0].path == "tools/install.py"


LAMPS = {
    "src/lamps/lamp.service.ts": (
        "".join(
            f"export function dim{at}(lamp: Lamp): number {{\n  return lamp.height * {at};\n}}\n\n"
            for at in range(40)
        )
        + "export class LampService {\n  switchOn(lamp: Lamp): void {\n    lamp.bulb.glow();\n  }\n}\n"
    ),
    "src/doors/door.service.ts": "export class DoorService {\n  open(door: Door): void {\n    door.hinge.turn();\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("frame", "shows"),
    [
        ("/app/dist/lamps/lamp.service.js:212:15", True),
        ("/app/build/lamp.service.js:12:15", True),
        ("/app/node_modules/lamps/dist/lamp.service.js:12:15", False),
    ],
)
def test_a_frame_of_compiled_code_leads_to_the_function_in_its_source(
    tmp_path: Path, frame: str, shows: bool
) -> None:
    with opened(write(tmp_path, LAMPS)) as engine:
        question = (
            f"it fails:\n\nTypeError: cannot read glow of undefined\n    at LampService.switchOn ({frame})\n"
        )
        context = engine.assemble(AssembleRequest(question))
        why = [one.why for one in context.components if "switchOn(lamp: Lamp)" in one.content]
        assert any("the question names" in each for each in why) is shows


def test_who_names_a_line_of_compiled_code_is_told_what_it_is_compiled_from(tmp_path: Path) -> None:
    with opened(write(tmp_path, LAMPS)) as engine:
        report = engine.assemble(AssembleRequest("what is in dist/lamps/lamp.service.js:212?")).report
        assert any(
            "`dist/lamps/lamp.service.js` is compiled from `src/lamps/lamp.service.ts`" in each
            for each in report.warnings
        )


POND = {
    "pond/grid.h": "void free_line(int row);\nvoid clear_lines(int first, int last);\n",
    "pond/grid.c": (
        "".join(
            f"void draw_{at}(int row)\n{{\n    paint(row, {at});\n    flush({at});\n}}\n\n"
            for at in range(60)
        )
        + "void free_line(int row)\n{\n    release(cells[row]);\n}\n"
    ),
    "pond/lines.c": (
        "".join(
            f"void note_{at}(int row)\n{{\n    print(row, {at});\n    flush({at});\n}}\n\n"
            for at in range(60)
        )
        + "void clear_lines(int first, int last)\n{\n    while (first < last)\n        free_line(first++);\n}\n"
    ),
    "pond/loop.c": "int main_loop(void)\n{\n    for (;;)\n        clear_lines(0, 9);\n}\n",
}


@pytest.mark.parametrize(
    "trace",
    [
        "3   pond   0x0000000104e1a2b4 free_line + 44\n4   pond   0x0000000104e1a301 clear_lines + 112\n"
        "5   pond   0x0000000104e1b000 main_loop + 8\n",
        "#4  0x0806b08c in free_line (row=3)\n#5  0x0806b0aa in clear_lines ()\n"
        "#6  0x0806b100 in main_loop () from /usr/bin/pond\n",
        "./pond(free_line+0x1f)[0x40a1b2]\n./pond(clear_lines+0x2a) [0x40a200]\n./pond(main_loop+0x8) [0x40a300]\n",
        "abort\nfree_line\nclear_lines\nmain_loop\n",
        "pond  abort\npond  free_line\npond  clear_lines\npond  main_loop\n",
    ],
    ids=["macOS", "gdb", "glibc", "names", "names of a program"],
)
def test_a_trace_that_tells_functions_alone_leads_to_these(tmp_path: Path, trace: str) -> None:
    with opened(write(tmp_path, POND)) as engine:
        context = engine.assemble(
            AssembleRequest(f"It crashes when it is cleared\n\n```\n{trace}```\n", 2000)
        )
    assert context.components[0].path == "pond/grid.c"
    assert "release(cells[row]);" in context.content
    assert "free_line(first++);" in context.content


def test_a_list_of_words_is_no_trace() -> None:
    assert not any(
        place.frame for place in places_in("Installed:\n\nnumpy\npandas\nscikit_learn\n\nrequests\n")
    )
    assert not any(
        place.frame for place in places_in("It needs\nfree_line\nclear_lines\nfrom us\nmain_loop\n")
    )


def test_a_frame_of_another_version_leads_to_the_function_that_it_names(tmp_path: Path) -> None:
    files = {"lamps/floor.py": "\n\n".join(map(step_of, (3, 4, 5)))}
    told = files["lamps/floor.py"].splitlines().index("def step_4(lamp):") + 1
    trace = (
        "Traceback (most recent call last):\n"
        f'  File "/srv/app/lamps/floor.py", line {told - 60}, in step_4\n    lamp.turn(4)\nValueError: no such lamp\n'
    )
    with opened(write(tmp_path, files)) as engine:
        context = engine.assemble(AssembleRequest(f"why does it fail?\n\n{trace}", 400))
    assert "return step_5(lamp)" in context.content
