"""Code in languages without a grammar is found by its names, as any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

R = {
    "R/margin.R": "#' Cut a margin.\ncut_margin <- function(width) {\n  width - 2\n}\n",
    "R/lamp.R": "source('R/margin.R')\n\nset_lamp <- function(lamp) {\n  cut_margin(lamp$width)\n}\n",
    "R/plain.R": "# cut_margin(1) was here\nset_plain <- function(lamp) {\n  lamp\n}\n",
}
SOLIDITY = {
    "contracts/Margin.sol": "library Margin {\n    function cutMargin(uint256 width) internal returns (uint256) {\n"
    "        return width - 2;\n    }\n}\n",
    "contracts/Lamp.sol": 'import {Margin} from "./Margin.sol";\n\ncontract Lamp {\n'
    "    function set(uint256 width) public {\n        size = Margin.cutMargin(width);\n    }\n}\n",
    "contracts/Plain.sol": "contract Plain {\n    // cutMargin(1) was here\n    function set(uint256 width) public {\n"
    "        size = width;\n    }\n}\n",
}
LISP = {
    "press-margin.el": ";; Margins.\n\n(defun press-cut-margin (width)\n  (- width 2))\n",
    "press-lamp.el": "(require 'press-margin)\n\n(defun press-set-lamp (lamp)\n  (press-cut-margin (car lamp)))\n",
    "press-plain.el": ";; (press-cut-margin 1) was here\n\n(defun press-set-plain (lamp)\n  lamp)\n",
}
VERILOG = {
    "rtl/margin.sv": "module margin_cut (input clk);\nreg x;\nendmodule\n",
    "rtl/lamp.sv": "module lamp (input clk);\n  margin_cut u_cut (\n    .clk (clk)\n  );\nendmodule\n",
    "rtl/plain.sv": "// margin_cut was here\nmodule plain (input clk);\nendmodule\n",
}


@pytest.mark.parametrize(
    ("files", "name", "definition", "caller", "other"),
    [
        (R, "cut_margin", "R/margin.R", "R/lamp.R", "R/plain.R"),
        (SOLIDITY, "cutMargin", "contracts/Margin.sol", "contracts/Lamp.sol", "contracts/Plain.sol"),
        (LISP, "press-cut-margin", "press-margin.el", "press-lamp.el", "press-plain.el"),
        (VERILOG, "margin_cut", "rtl/margin.sv", "rtl/lamp.sv", "rtl/plain.sv"),
    ],
)
def test_a_definition_and_its_callers_are_found(
    tmp_path: Path, files: dict[str, str], name: str, definition: str, caller: str, other: str
) -> None:
    with opened(write(tmp_path, files)) as engine:
        defined = engine.assemble(AssembleRequest(query=f"where is {name} defined?")).content
        used = engine.assemble(AssembleRequest(query=f"who calls {name}?")).content
    assert definition in defined
    assert caller not in defined
    assert definition in used
    assert caller in used
    assert other not in used


def test_a_word_with_dashes_is_a_name_where_it_is_defined(tmp_path: Path) -> None:
    with opened(write(tmp_path, LISP)) as engine:
        read = take_snapshot(engine._memories, 0).content.read_query
        assert read("does press-cut-margin keep a read-only lamp?").identifiers == ("press-cut-margin",)
        assert read("who calls press-cut-margin?").identifiers == ("press-cut-margin",)
        assert read("press-cut-margin").is_symbol
        assert not read("read-only").is_symbol
