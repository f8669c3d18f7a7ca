"""Of a function in C and C++ its body is shown before what declares it in a header."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.prototypes import only_declares
from contextls.assembly.usefulness.worth import weigh_chunks
from contextls.assembly.wording.purpose import Purpose
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

DECLARED = """class Press
{
public:
    // Folds the sheet.
    virtual int fold(int sheet) const = 0;
    void cut(const Sheet &sheet, int times = 2);
    bool isFolded(int sheet) const noexcept override;
    Press() = default;
};
"""
FIELDS = "struct Sheet\n{\n    int width;\n    int height;\n    int folds;\n    int colour;\n};\n"
INLINE = "inline int fold(int sheet)\n{\n    int half = sheet / 2;\n    note(half);\n    return half + rest(sheet);\n}\n"


@pytest.mark.parametrize(
    ("path", "text", "declares"),
    [
        ("press/press.h", DECLARED, True),
        ("press/press.hpp", "int fold(int);\n/* (a; b) */\nint cut(int);\nint sort(int);\n", True),
        ("press/press.cpp", DECLARED, False),
        ("press/sheet.h", FIELDS, False),
        ("press/inline.h", INLINE, False),
        ("press/one.h", "int fold(int sheet);\n", False),
    ],
)
def test_a_list_of_prototypes_is_told(tmp_path: Path, path: str, text: str, declares: bool) -> None:
    with opened(write(tmp_path, {path: text})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        assert any(only_declares(ref, view) for ref in view.chunks_of(path)) is declares


def test_a_function_is_shown_where_a_header_that_declares_it_is_not(tmp_path: Path) -> None:
    names = ("speed", "sheet", "colour", "margin", "weight", "letter", "border", "corner")
    files = {
        "press/limits.h": "".join(
            f"int {name}_limit(int press);\nvoid set_{name}_limit(int limit);\n" for name in names
        ),
        **{
            f"press/{name}.c": f"int {name}_limit(int press)\n{{\n    return presses[press].{name} * 2;\n}}\n\n"
            f"void set_{name}_limit(int limit)\n{{\n    store(limit);\n}}\n"
            for name in names
        },
    }
    with opened(write(tmp_path, files)) as engine:
        paths = [
            one.path
            for one in engine.assemble(
                AssembleRequest("how is the limit of the speed of a press stored?")
            ).components
        ]
    assert paths[0] == "press/speed.c"
    assert "press/limits.h" not in paths[:3]


POND = {
    "pond/pond.h": "".join(
        f"void {name}_pond(int litres);\n" for name in ("fill", "drain", "clean", "cover")
    ),
    "pond/fill.c": "void fill_pond(int litres)\n{\n    while (litres-- > 0)\n        pour(1);\n}\n",
    "pond/keeper.c": "void morning(void)\n{\n    fill_pond(40);\n}\n",
}


@pytest.mark.parametrize(
    ("question", "shows_header"),
    [
        ("who calls fill_pond?", False),
        ("where is fill_pond defined?", False),
        ("what breaks if fill_pond gets another argument?", True),
        ("rename fill_pond to pour_pond", True),
    ],
)
def test_only_who_changes_a_function_gets_what_declares_it(
    tmp_path: Path, question: str, *, shows_header: bool
) -> None:
    with opened(write(tmp_path, POND)) as engine:
        paths = {one.path for one in engine.assemble(AssembleRequest(question)).components}
    assert "pond/fill.c" in paths
    assert ("pond/pond.h" in paths) is shows_header


def test_who_changes_nothing_learns_half_as_much_from_prototypes(tmp_path: Path) -> None:
    with opened(write(tmp_path, {"press/press.h": DECLARED})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        chances = {ref: 0.4 for ref in view.chunks_of("press/press.h") if only_declares(ref, view)}
        changed, read = (
            sum(weigh_chunks(chances, view, 0.01, purpose=Purpose(changes=changes)).values())
            for changes in (True, False)
        )
    assert read == pytest.approx(changed / 2, rel=0.01)
