"""Code that stands in several files (versions side by side, vendored files, forks) is shown once, with where else it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.assembly.pieces.bodies import CodeSpan, Copy, ShownBefore
from contextls.assembly.pieces.candidate import Candidate, Scores, span_id
from contextls.assembly.pieces.preface_parts import NO_PREFACE
from contextls.assembly.pieces.sent import SentMessages
from contextls.assembly.shapes.arrange import arrange
from contextls.assembly.shapes.copies import RESEMBLANCE, fold_copies, join_copies
from contextls.assembly.shapes.markdown import Markdown
from contextls.assembly.shapes.shape import PromptShape
from contextls.assembly.shapes.structured import Structured
from contextls.assembly.shapes.tagged import Tagged
from contextls.engine import Engine
from contextls.model import AssembleRequest, Context, EditorPosition, Filters, Section
from contextls.text.tokens import get_tokenizer

from ..memory.workspaces import opened, write

TOKENS = get_tokenizer("cl100k_base")
LEDGER = '''"""The ledger of an account."""


def post_entry(ledger, entry):
    """Post an entry to the ledger, unless its period is closed."""
    if entry.period in ledger.closed:
        raise ClosedPeriodError(entry.period)
    ledger.entries.append(entry)
    ledger.balance += entry.amount
    ledger.changed = True
    ledger.newest = max(ledger.newest, entry.date)
    ledger.by_account[entry.account].append(entry)
    ledger.audit.write("posted", entry)
    for listener in ledger.listeners:
        listener.posted(entry)
    return entry
'''
OTHER = LEDGER.replace('"posted", entry', '"posted", entry, ledger.user')
OVERLOADS = "".join(
    f"""def widen_{kind}(values):
    \"\"\"Widen values.\"\"\"
    found = []
    for value in values:
        found.append({kind}(value))
        found.sort()
        found.reverse()
        found.extend(found[:1])
        found.pop()
    return found


"""
    for kind in ("int", "float", "str")
)
FILES = {
    "release/2.0/ledger.py": LEDGER,
    "release/2.1/ledger.py": LEDGER.replace("    ", "\t"),
    "release/3.0/ledger.py": OTHER,
    "release/2.0/report.py": "def print_report(out):\n    out.write('report')\n    return out\n",
    "tools/widen.py": OVERLOADS,
}
QUESTION = "how is an entry posted to the ledger, and what if its period is closed?"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("releases"), FILES)) as engine:
        yield engine


def posts(context: Context) -> list[str]:
    """The files whose code of the function is shown."""
    return [one.path or "" for one in context.components if "ledger.balance += entry.amount" in one.content]


def test_of_versions_side_by_side_one_is_shown_and_says_where_the_others_are(engine: Engine) -> None:
    context = engine.assemble(AssembleRequest(QUESTION))
    assert len(posts(context)) == 1
    heading = next(line for line in context.content.splitlines() if "also in" in line)
    assert all(f"release/{version}/ledger.py" in heading for version in ("2.0", "2.1", "3.0"))
    assert "but for 1 line" in heading
    told = [one for one in context.report.omitted if one.reason == "duplicate" and "ledger.py" in one.source]
    assert len(told) == 2


@pytest.mark.parametrize("version", ["2.0", "2.1", "3.0"])
def test_the_file_that_a_question_names_is_the_one_that_is_shown(engine: Engine, version: str) -> None:
    path = f"release/{version}/ledger.py"
    assert path in posts(engine.assemble(AssembleRequest(f"in {path}, when is an entry refused?")))


def test_the_page_of_now_is_shown_and_not_that_of_an_old_release(tmp_path: Path) -> None:
    page = "# Parcels\n\nA parcel is weighed before it is sent, and sent before it is paid.\n"
    folder = "website/versioned_docs/version-"
    files = {f"{folder}{version}/parcels.md": page for version in ("1.0", "2.0")} | {
        "website/docs/parcels.md": page
    }
    with opened(write(tmp_path, {**files, "depot.py": "def open_depot():\n    return 1\n"})) as engine:
        context = engine.assemble(AssembleRequest("when is a parcel weighed?"))
    assert "website/docs/parcels.md" in [one.path for one in context.components]


def test_files_that_differ_are_both_shown_where_both_are_named(engine: Engine) -> None:
    query = "why does release/3.0/ledger.py write more to the audit than release/2.0/ledger.py when an entry is posted?"
    assert {"release/2.0/ledger.py", "release/3.0/ledger.py"} <= set(
        posts(engine.assemble(AssembleRequest(query)))
    )


def test_the_file_at_the_cursor_is_shown_and_not_its_copy(engine: Engine) -> None:
    position = EditorPosition("release/2.1/ledger.py", 6)
    context = engine.assemble(AssembleRequest(QUESTION, position=position))
    assert "release/2.1/ledger.py" in [one.path for one in context.components]


def test_a_copy_that_was_excluded_is_not_named(engine: Engine) -> None:
    hidden = "release/2.1/ledger.py"
    context = engine.assemble(AssembleRequest(QUESTION, filters=Filters(exclude=(hidden,))))
    assert len(posts(context)) == 1
    assert hidden not in context.content


def test_pieces_of_one_file_that_resemble_each_other_are_all_shown(engine: Engine) -> None:
    content = engine.assemble(AssembleRequest("how are values widened, for each kind of value?")).content
    assert all(f"def widen_{kind}" in content for kind in ("int", "float", "str"))
    assert "also in" not in content


def span(path: str, text: str, start: int = 1) -> Candidate:
    end = start + len(text.splitlines()) - 1
    code = CodeSpan(path, "python", "", start, end, text)
    return Candidate(Section.SEMANTIC, span_id(path, start, end), code, Scores(0.5), paths=(path,))


def write_folded(shape: PromptShape) -> str:
    kept, _ = fold_copies([span("a.py", LEDGER), span("b/a.py", OTHER), span("c.py", LEDGER, start=5)])
    return shape.render(kept)


def test_every_form_of_a_prompt_says_where_the_copies_are() -> None:
    end = len(LEDGER.splitlines())
    places = (f"b/a.py:1-{end}", "but for 1 line", f"c.py:5-{end + 4}")
    for shape in (Markdown(TOKENS), Structured(TOKENS), Tagged(TOKENS, NO_PREFACE, 4000)):
        written = write_folded(shape)
        assert all(place in written for place in places), written


def test_a_later_turn_knows_what_was_shown_for_several_files() -> None:
    for shape in (Markdown(TOKENS), Structured(TOKENS), Tagged(TOKENS, NO_PREFACE, 4000)):
        sent = SentMessages([(1, write_folded(shape))])
        recalled = sent.recall(span("a.py", LEDGER), shape.write)
        assert recalled is not None
        assert isinstance(recalled.body, ShownBefore)


def test_copies_that_go_on_with_a_piece_are_one_copy() -> None:
    first, second = Copy("b.py", 1, 10, 1), Copy("b.py", 11, 20, 2)
    assert join_copies([first], [second, Copy("c.py", 1, 3)]) == (Copy("b.py", 1, 20, 3),)
    assert join_copies([first], [Copy("b.py", 13, 20)]) == ()


def test_a_file_with_the_same_licence_is_no_copy() -> None:
    licence = "".join(f"# line {number} of the licence\n" for number in range(14))
    pieces = [
        span("forge_url.py", licence, 1),
        span("forge_url.py", "def parse_url(url):\n    return re.match(FORGE_URL, url)\n", 15),
        span("forge_data.py", licence, 1),
    ]
    kept, _ = fold_copies(pieces)
    (shown,) = arrange(kept)
    assert isinstance(shown.body, CodeSpan)
    assert "FORGE_URL" in shown.body.text
    assert shown.body.copies == ()


LINES = st.lists(st.sampled_from([f"line_{number}" for number in range(12)]), min_size=1, max_size=14)
PIECES = st.lists(st.tuples(st.sampled_from(["a/x.py", "b/x.py", "c/y.py", "d/x.py"]), LINES), max_size=12)


@given(pieces=PIECES, asked=st.sets(st.sampled_from(["a/x.py", "c/y.py"])))
def test_every_piece_is_shown_or_told_of_at_one_that_says_nearly_the_same(
    pieces: list[tuple[str, list[str]]], asked: set[str]
) -> None:
    offered = [span(path, "\n".join(lines) + "\n", 100 * at + 1) for at, (path, lines) in enumerate(pieces)]
    kept, folded = fold_copies(offered, asked)
    assert sorted(one.id for one in (*kept, *folded)) == sorted(one.id for one in offered)
    told: dict[str, CodeSpan] = {}
    for one in kept:
        assert isinstance(one.body, CodeSpan)
        assert {copy.path for copy in one.body.copies} <= set(one.paths)
        told |= {span_id(copy.path, copy.start_line, copy.end_line): one.body for copy in one.body.copies}
    assert set(told) == {one.id for one in folded}
    for one in folded:
        assert isinstance(one.body, CodeSpan)
        shown = told[one.id]
        assert one.body.path not in asked
        assert shown.path != one.body.path
        mine, other = set(one.body.text.split()), set(shown.text.split())
        assert len(mine & other) >= RESEMBLANCE * len(mine | other)


PARTS = {
    f"parcel/{what}.py": f"from parcel.{where} import {where}_parcel\n\n\ndef {what}_parcel(parcel, depot):\n"
    f'    """{said}"""\n    parcel.{what} = depot.find_{where}(parcel)\n    return {where}_parcel(parcel, depot)\n'
    for what, where, said in (
        ("weigh", "route", "Weigh a parcel at the depot before it gets a route."),
        ("route", "label", "Choose the route of a parcel from depot to depot."),
        ("label", "track", "Print the label with the route of a parcel."),
        ("track", "weigh", "Say at which depot a parcel was last seen on its route."),
    )
}


def test_versions_side_by_side_leave_room_for_what_one_version_would_show(tmp_path: Path) -> None:
    query = "how does a parcel find its route from depot to depot, and who weighs it before?"
    shown = []
    for versions in (1, 40):
        files = {f"v{n}/{path}": text for n in range(versions) for path, text in PARTS.items()}
        with opened(
            write(tmp_path / str(versions), {**files, "depot.py": "def open_depot():\n    return 1\n"})
        ) as engine:
            context = engine.assemble(AssembleRequest(query))
        code = [one for one in context.components if one.type is Section.SEMANTIC]
        shown.append(sorted((one.path or "").partition("/")[2] for one in code))
    assert shown[0] == shown[1]
    assert len(shown[0]) >= 3
