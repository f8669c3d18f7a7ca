"""The types that implement an interface or extend a class, and the members that override theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest, Section

from ..memory.workspaces import opened, write

# By the name of a file: a type, two based on it, one of those in steps, and one that only takes it as a parameter.
KOTLIN = {
    "Press.kt": "interface Press {\n    fun fold(sheet: String): Int\n}\n",
    "Steel.kt": '@Deprecated("too (heavy")\nabstract class Steel(\n    private val width: Int,\n    done: () -> Unit = {},\n'
    ") : Machine(width), Press {\n    override fun fold(sheet: String) = width\n}\n",
    "Brass.kt": "class Brass : Steel(2) {\n    override fun fold(sheet: String) = 3\n}\n",
    "Shop.kt": "class Shop(private val press: Press)\n\nclass Sign<T : Press>\n\nclass Bench : List<Press>()\n",
}
PYTHON = {
    "press.py": "class Press:\n    def fold(self, sheet):\n        return 0\n",
    "steel.py": "import press\n\n\nclass Steel(\n    Machine[int],\n    press.Press,\n    metaclass=Forge,\n):\n"
    "    def fold(self, sheet):\n        return 2\n",
    "brass.py": "class Brass(Steel):\n    def fold(self, sheet):\n        return 3\n",
    "shop.py": "class Shop(Room):\n    def __init__(self, press: Press):\n        self.press = press\n",
}
RUST = {
    "press.rs": "pub trait Press {\n    fn fold(&self, sheet: &str) -> usize;\n}\n",
    "steel.rs": "pub struct Steel<T>(T);\n\nimpl<T: Clone> Press for Steel<T> {\n"
    "    fn fold(&self, sheet: &str) -> usize {\n        2\n    }\n}\n",
    "brass.rs": "pub struct Brass;\n\nimpl press::Press for Brass {\n"
    "    fn fold(&self, sheet: &str) -> usize {\n        3\n    }\n}\n",
    "shop.rs": "pub struct Shop {\n    press: Box<dyn Press>,\n}\n\nimpl Shop {\n    fn new(press: Press) -> Self {\n"
    "        Self { press }\n    }\n}\n",
}
TYPESCRIPT = {
    "press.ts": "export interface Press {\n  fold(sheet: string): number;\n}\n",
    "steel.ts": "export abstract class Steel<T extends Room>\n  extends Machine<T>\n  implements Press, Closeable {\n"
    "  fold(sheet: string) {\n    return 2;\n  }\n}\n",
    "brass.ts": "export class Brass extends Steel<Room> {\n  fold(sheet: string) {\n    return 3;\n  }\n}\n",
    "shop.ts": "export class Shop<T extends Press> {\n  constructor(private press: Press) {}\n}\n",
}
CSHARP = {
    "Press.cs": "public interface Press\n{\n    int Fold(string sheet);\n}\n",
    "Steel.cs": "public abstract class Steel<T> : Machine<T>,\n    Press where T : Room\n{\n"
    "    public virtual int Fold(string sheet) => 2;\n}\n",
    "Brass.cs": "public record Brass(int Width) : Steel<Room>\n{\n    public override int Fold(string sheet) => 3;\n}\n",
    "Shop.cs": "public record Shop(Press Press) : Room;\n",
}
PASCAL = {
    "press.pas": "unit press;\n\ninterface\n\ntype\n  Press = interface\n"
    "    function Fold(Sheet: string): Integer;\n  end;\n",
    "steel.pas": "unit steel;\n\ninterface\n\nuses press;\n\ntype\n  Steel = class(Machine, Press)\n"
    "    function Fold(Sheet: string): Integer;\n  end;\n",
    "brass.pas": "unit brass;\n\ninterface\n\nuses steel;\n\ntype\n  Brass = class(Steel)\n"
    "    function Fold(Sheet: string): Integer;\n  end;\n",
    "shop.pas": "unit shop;\n\ninterface\n\nuses press;\n\ntype\n  Shop = class(Room)\n    FPress: Press;\n  end;\n",
}
VB = {
    "Press.vb": "Public Interface Press\n    Function Fold(sheet As String) As Integer\nEnd Interface\n",
    "Steel.vb": "Public Class Steel\n    Inherits Machine\n    Implements Press\n\n"
    "    Function Fold(sheet As String) As Integer\n        Return 2\n    End Function\nEnd Class\n",
    "Brass.vb": "Public Class Brass\n    Inherits Steel\nEnd Class\n",
    "Shop.vb": "Public Class Shop\n    Private press As Press\nEnd Class\n",
}
# Nothing says that a type of Go implements an interface but its methods.
GO = {
    "press/press.go": "package press\n\n// Press folds.\ntype Press interface {\n\t// Fold folds.\n"
    "\tFold(sheet string) int\n\tClose() error\n}\n",
    "steel/steel.go": "package steel\n\ntype Steel struct{ width int }\n\n"
    "func (s *Steel) Fold(sheet string) int { return 2 }\n\nfunc (s *Steel) Close() error { return nil }\n",
    "brass/brass.go": "package brass\n\ntype Brass int\n\n"
    "func (b Brass) Fold(sheet string) int { return 3 }\n\nfunc (b Brass) Close() error { return nil }\n",
    "shop/shop.go": "package shop\n\ntype Shop struct{ press press.Press }\n\n"
    "func (s *Shop) Close() error { return nil }\n",
}
RUBY = {
    "press.rb": "module Press\n  def fold(sheet)\n    0\n  end\nend\n",
    "steel.rb": "class Steel < Machine\n  include Press, Heavy\n\n  def fold(sheet)\n    2\n  end\nend\n",
    "brass.rb": "module Shop\n  class Brass\n    prepend Tools::Press\n\n"
    "    def fold(sheet)\n      3\n    end\n  end\nend\n",
    "shop.rb": "class Shop\n  # Press is what folds.\n  def press\n    Press.default\n  end\nend\n",
}
ELIXIR = {
    "press.ex": "defmodule Press do\n  @callback fold(String.t()) :: integer\nend\n",
    "steel.ex": "defmodule Steel do\n  @behaviour Press\n\n  def fold(_sheet), do: 2\nend\n",
    "brass.ex": "defmodule Brass do\n  use Press\n\n  def fold(_sheet), do: 3\nend\n",
    "shop.ex": "defmodule Shop do\n  def fold(sheet), do: Press.fold(sheet)\nend\n",
}
PHP = {
    "press.php": "<?php\ntrait Press {\n    function fold($sheet) {\n        return 0;\n    }\n}\n",
    "steel.php": "<?php\nclass Steel extends Machine {\n    use Heavy, Press;\n\n    function fold($sheet) {\n"
    "        return 2;\n    }\n}\n",
    "brass.php": "<?php\nclass Brass {\n    use Press;\n\n    function fold($sheet) {\n        return 3;\n    }\n}\n",
    "shop.php": "<?php\nuse Press;\n\nclass Shop {\n    function open(Press $press) {\n        return $press;\n    }\n}\n",
}
OBJECTIVE_C = {
    "Press.h": "// Folds.\n\n@protocol Press <NSObject>\n- (NSInteger)fold:(NSString *)sheet;\n@end\n",
    "Steel.h": '#import "Press.h"\n\n@interface Steel : Machine <Heavy, Press>\n@end\n',
    "Brass.m": '#import "Brass.h"\n\n@interface Brass () <Press>\n@end\n\n@implementation Brass\n'
    "- (NSInteger)fold:(NSString *)sheet {\n    return 3;\n}\n@end\n",
    "Shop.m": '#import "Press.h"\n\n@implementation Shop\n- (void)open:(id<Press>)press {\n    [press fold:nil];\n}\n@end\n',
}


def shown(engine: Engine, question: str) -> set[str]:
    found = engine.assemble(AssembleRequest(question))
    return {one.path or "" for one in found.components if one.type is Section.SEMANTIC}


@pytest.mark.parametrize(
    "files",
    [KOTLIN, PYTHON, RUST, TYPESCRIPT, CSHARP, VB, GO, RUBY, ELIXIR, PHP, OBJECTIVE_C],
    ids=lambda files: min(files),
)
@pytest.mark.parametrize(
    "question",
    [
        "which classes implement Press?",
        "who extends Press?",
        "subclasses of Press",
        "list all implementations of the Press interface",
    ],
)
def test_who_asks_for_what_implements_a_type_gets_that_and_nothing_else(
    tmp_path: Path, files: dict[str, str], question: str
) -> None:
    *subtypes, _ = files
    with opened(write(tmp_path, files)) as engine:
        assert shown(engine, question) == set(subtypes)


@pytest.mark.parametrize("files", [KOTLIN, PYTHON, RUST, TYPESCRIPT, PASCAL], ids=lambda files: min(files))
@pytest.mark.parametrize(
    "question",
    [
        "what breaks if Press.fold gets a second parameter?",
        "rename Press.fold",
        "which classes override Press.fold?",
    ],
)
def test_a_change_of_a_member_concerns_all_that_define_it_anew(
    tmp_path: Path, files: dict[str, str], question: str
) -> None:
    *subtypes, _ = files
    with opened(write(tmp_path, files)) as engine:
        assert shown(engine, question) >= set(subtypes)


def test_who_calls_a_member_does_not_ask_who_defines_it_anew(tmp_path: Path) -> None:
    user = {"folder.py": "import press\n\n\ndef run():\n    return press.Press().fold('a')\n"}
    with opened(write(tmp_path, {**PYTHON, **user})) as engine:
        assert shown(engine, "who calls Press.fold?") == {"press.py", "folder.py"}


def test_a_type_that_nothing_implements_brings_its_definition(tmp_path: Path) -> None:
    with opened(write(tmp_path, {"press.py": PYTHON["press.py"], "shop.py": PYTHON["shop.py"]})) as engine:
        assert "press.py" in shown(engine, "which classes extend Press?")


def test_a_protocol_that_is_named_in_full_is_implemented_by_what_is_defined_for_other_types(
    tmp_path: Path,
) -> None:
    files = {
        "lib/shop.ex": "defmodule Shop do\n  def name, do: :shop\nend\n",
        "lib/shop/press.ex": "defprotocol Shop.Press do\n  def fold(press, sheet)\nend\n",
        "lib/shop/steel.ex": "defmodule Shop.Steel do\n  defstruct [:width]\nend\n\n"
        "defimpl Shop.Press, for: Shop.Steel do\n  def fold(_press, _sheet), do: 2\nend\n",
        "lib/shop/hall.ex": "defmodule Shop.Hall do\n  def open(press), do: Shop.Press.fold(press, :sheet)\nend\n",
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("what implements Shop.Press?")).components
    code = [one for one in found if one.type is Section.SEMANTIC]
    assert {one.path for one in code} == {"lib/shop/press.ex", "lib/shop/steel.ex"}
    assert any("defimpl Shop.Press, for: Shop.Steel" in one.content for one in code)
