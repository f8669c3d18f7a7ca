"""A report of a bug: the prompt shows a piece of each file that it may be about, and not many of the likeliest alone."""

from __future__ import annotations

from pathlib import Path

from contextls.engine import Engine
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write

FILLER = "".join(f"def unrelated_{at}(lamp):\n    return lamp.dim({at})\n\n\n" for at in range(40))
STEPS = ("order", "customer", "money", "update", "page", "refund", "goods", "years")
FILES = {
    "shop/refund.py": "".join(
        f'def refund_{step}({step}):\n    """Refund the {step} of damaged goods."""\n'
        + "".join(f"    {step}.refund(goods, damaged={at})\n" for at in range(30))
        + "\n\n"
        for step in STEPS
    ),
} | {
    f"shop/{part}.py": f"{FILLER}def end_{part}(when):\n    return {part}s.remove(when)\n"
    for part in ("ledger", "parcel", "invoice", "courier")
}
REPORT = (
    "Goods that are damaged cannot be refunded since the update of yesterday.\n\n"
    "I open the page of the order, as I have done every day for years, and choose the refund for the customer. "
    "Then nothing happens for a while. I looked around a little: the ledger is not closed, the parcel is not closed either, "
    "the invoice is still open and the courier was never told. "
    "It worked in the release before. Please tell me where I should look, we have many customers who wait for their money.\n"
)


def files_of(engine: Engine, question: str, budget: int = 4000) -> list[str]:
    pieces = engine.assemble(AssembleRequest(question, budget)).components
    return list(dict.fromkeys(piece.path for piece in pieces if piece.path))


def test_each_file_that_a_report_may_be_about_is_shown(tmp_path: Path) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        shown = files_of(engine, REPORT, 2400)
        assert shown[0] == "shop/refund.py"
        assert set(shown) == set(FILES)


def test_a_trace_says_where_it_was(tmp_path: Path) -> None:
    trace = 'Traceback:\n  File "/srv/shop/ledger.py", line 162, in end_ledger\nValueError: damaged\n'
    with opened(write(tmp_path, FILES)) as engine:
        assert files_of(engine, f"{REPORT}\n{trace}")[0] == "shop/ledger.py"


def test_what_printed_the_message_of_a_report_is_the_piece_of_its_file(tmp_path: Path) -> None:
    closing = 'def seal_parcel(box):\n    raise Stuck("the parcel is sealed and stays shut: " + box.name)\n'
    files = {**FILES, "shop/parcel.py": f"{FILES['shop/refund.py']}{FILLER}{closing}"}
    log = "```\n[09:16:03 INF] refund of 3 goods the parcel is sealed and stays shut: green box\n```\n"
    with opened(write(tmp_path, files)) as engine:
        assert "raise Stuck(" in engine.assemble(AssembleRequest(f"{REPORT}\n{log}", 600)).content


def test_a_report_asks_for_no_relations(tmp_path: Path) -> None:
    report = f"{REPORT}\nPlease list the related package: shop/refund.py\n"
    with opened(write(tmp_path, FILES | {"shop/app.py": "import shop.refund\n"})) as engine:
        assert "## Relationships" not in engine.assemble(AssembleRequest(report)).content
        asked = engine.assemble(AssembleRequest("which files are related to shop/refund.py?"))
        assert "## Relationships" in asked.content
