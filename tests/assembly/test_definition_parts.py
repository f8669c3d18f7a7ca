"""A definition that was cut into several chunks is shown with the parts around a likely one."""

from __future__ import annotations

from pathlib import Path

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.definition_parts import (
    MAX_GAP_CHARS,
    MAX_TYPE_CHARS,
    PART_CHARS,
    add_members,
    add_parts,
    find_gaps,
)
from contextls.assembly.usefulness.worth import weigh_chunks

from ..memory.workspaces import opened, write
from .digest import TOPICS


def steps_of(name: str) -> str:
    steps = "".join(f"    basket_{number} = weave({number}, 'reed')\n" for number in range(240))
    return f"def {name}():\n{steps}    return basket_0\n\n\n"


def test_a_long_function_is_shown_with_the_parts_around_a_likely_one(tmp_path: Path) -> None:
    with opened(write(tmp_path, {"press.py": steps_of("fold") + steps_of("bind")})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        parts = [ref for ref in view.chunks_of("press.py") if view.row(ref).symbol == "fold"]
        first, second, third, *others = parts
        assert len(others) >= 2
        # Each next part counts half of the one before it, and three are taken on each side.
        assert add_parts({first: 0.8}, view, 0.1) == {
            first: 0.8,
            second: 0.4,
            third: 0.2,
            others[0]: 0.1,
        }
        # The function behind it is another one.
        assert add_parts({others[-1]: 0.6}, view, 0.3).keys() == {*parts[-4:]}
        # What is hardly likely draws nothing after it, and what is likely by itself stays so.
        assert add_parts({second: 0.14}, view, 0.1) == {second: 0.14}
        assert add_parts({first: 0.5, second: 0.6}, view, 0.1)[first] == 0.5


def test_of_a_long_function_that_is_hardly_likely_little_is_shown(tmp_path: Path) -> None:
    with opened(write(tmp_path, {"press.py": steps_of("fold")})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        first, *_ = view.chunks_of("press.py")
        assert len(add_parts({first: 0.5}, view, 0.1)) == 4
        hardly = add_parts({first: 0.3}, view, 0.1)
        assert sum(map(view.size, hardly)) <= PART_CHARS < sum(map(view.size, view.chunks_of("press.py")))


def test_a_row_of_a_table_of_messages_brings_no_other_rows(tmp_path: Path) -> None:
    rows = "".join(f'\t\tBasket{number}: "The basket number {number} is full",\n' for number in range(240))
    catalog = f"package i18n\n\nfunc English() *Texts {{\n\treturn &Texts{{\n{rows}\t}}\n}}\n"
    with opened(write(tmp_path, {"english.go": catalog})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        inside = view.chunks_of("english.go")[2]
        assert add_parts({inside: 0.8}, view, 0.1) == {inside: 0.8}


def test_an_overload_is_no_part_of_another(tmp_path: Path) -> None:
    steps = "".join(f"        merge(base.get{number}(), own::set{number});\n" for number in range(24))
    merged = "".join(
        f"    void merge({kind} base, {kind} own) {{\n{steps}    }}\n\n"
        for kind in ("Retry", "Cache", "Gate")
    )
    with opened(write(tmp_path, {"Settings.java": f"class Settings {{\n{merged}}}\n"})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        overloads = [
            ref for ref in view.chunks_of("Settings.java") if view.row(ref).symbol == "Settings.merge"
        ]
        assert len(overloads) >= 2
        assert add_parts({overloads[0]: 0.8}, view, 0.1) == {overloads[0]: 0.8}


def test_a_line_that_is_too_long_for_a_chunk_is_no_part_of_what_is_shown(tmp_path: Path) -> None:
    picture = "".join(
        f"M{number}.{number * 7 % 10}h{number * 3 % 50}v-{number * 5 % 50}z" for number in range(900)
    )
    steps = "".join(f"    basket_{number} = weave({number}, 'reed')\n" for number in range(60))
    logo = f"def draw_logo():\n{steps}    picture = '{picture}'\n{steps}    return picture, basket_0\n"
    with opened(write(tmp_path, {"logo.py": logo})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        parts = view.chunks_of("logo.py")
        assert sum(view.lines(ref).start_line == view.lines(ref).end_line for ref in parts) >= 2
        for shown in (parts[0], parts[-1]):
            assert not any("M20.0" in view.row(ref).text for ref in add_parts({shown: 0.8}, view, 0.1))


def test_a_short_type_that_leads_is_shown_with_its_members(tmp_path: Path) -> None:
    fields = "".join(
        f"    layer_{number} = {number}  # of wax, rubbed in and dried\n" for number in range(16)
    )
    steps = "".join(f"        rub({number}, self.layer_{number})\n" for number in range(16))
    members = "".join(f"    def {topic}(self):\n{steps}\n" for topic in TOPICS[:3])
    short = f"class Shine:\n{fields}\n{members}\ndef polish():\n    return Shine()\n"
    long = f"class Shine:\n{fields}\n{members}{members.replace('def ', 'def slow_')}"
    with opened(
        write(tmp_path, {"short.py": short, "long.py": long, "press.py": steps_of("fold")})
    ) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        head, *rest = view.chunks_of("short.py")
        inside = [ref for ref in rest if view.row(ref).symbol.startswith("Shine.")]
        assert len(inside) >= 2
        assert add_members({head: 0.8}, view, 0.1) == {head: 0.8} | dict.fromkeys(inside, 0.4)
        # A long one is no answer as a whole, nor is one that is hardly likely, or behind others.
        first, *others = view.chunks_of("long.py")
        assert sum(map(view.size, (first, *others))) > MAX_TYPE_CHARS
        better = dict.fromkeys(view.chunks_of("press.py")[:3], 0.9)
        for shown in ({first: 0.8}, {head: 0.14}, {**better, head: 0.8}):
            assert add_members(shown, view, 0.1) == shown


def test_little_code_between_two_pieces_does_not_part_them(tmp_path: Path) -> None:
    steps = "".join(f"    layer_{number} = rub({number}, 'wax')\n" for number in range(18))
    short = "".join(f"def polish_{topic}(count):\n{steps}    return layer_0\n\n\n" for topic in TOPICS)
    with opened(write(tmp_path, {"weave.py": steps_of("fold"), "shine.py": short})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        first, second, third, fourth, *_ = view.chunks_of("shine.py")
        assert find_gaps({first: 0.5, third: 0.2}, view, 0.1) == [second]
        assert find_gaps({first: 0.5, third: 0.2}, view, 0.3) == []
        assert find_gaps({first: 0.5, fourth: 0.5}, view, 0.1) == []
        head, long, rest, *_ = view.chunks_of("weave.py")
        assert view.size(long) > MAX_GAP_CHARS > view.size(second)
        assert find_gaps({head: 0.5, rest: 0.5}, view, 0.1) == []


def test_of_a_long_table_each_further_part_counts_half(tmp_path: Path) -> None:
    rows = "".join(
        f'    ("{topic} {number}", {number}, "reed"),\n' for number in range(30) for topic in TOPICS
    )
    with opened(write(tmp_path, {"table.py": f"TABLE = [\n{rows}]\n"})) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        parts = [ref for ref in view.chunks_of("table.py") if view.row(ref).symbol == "TABLE"]
        first, second, third = sorted(weigh_chunks(dict.fromkeys(parts[:3], 0.6), view, 0.01).values())[::-1]
    assert second <= first / 2
    assert third <= first / 4
