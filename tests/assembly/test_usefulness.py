"""What is of use for a question enters its prompt, also what only the code leads to; what is not stays out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.analogue import weigh_analogue
from contextls.assembly.usefulness.definition_parts import GAP_CHARS, add_parts, find_gaps
from contextls.assembly.usefulness.model import UsefulnessModel
from contextls.assembly.usefulness.name_users import weigh_named
from contextls.assembly.usefulness.worth import weigh_chunks
from contextls.engine import Engine
from contextls.memory.index.priors import FileKind
from contextls.model import AssembleRequest, Context

from ..memory.workspaces import opened, write

TOPICS = ("invoice", "parcel", "garden", "ticket", "boiler", "mirror", "carpet", "violin", "anchor", "pepper")
FILES = {
    "mail/digest.py": """from mail.slots import pick


def send_digest(reader, letters):
    \"\"\"Send the weekly digest to a reader.\"\"\"
    when = pick(reader)
    return [(when, letter) for letter in letters]
""",
    "mail/slots.py": """def pick(person):
    \"\"\"The first free hour for it to be sent.\"\"\"
    return min(hour for hour in range(24) if hour not in person.busy)
""",
    **{
        f"things/{topic}.py": f"def polish_{topic}(count):\n    return [count * {number} for _ in range(count)]\n"
        for number, topic in enumerate(TOPICS)
    },
}
QUESTION = "how is the weekly digest sent to a reader?"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("mail"), FILES)) as engine:
        yield engine


def paths(context: Context) -> list[str]:
    return [one.path or "" for one in context.components]


def test_what_the_answer_calls_comes_along_though_its_words_say_little(
    workspace: Engine,
) -> None:
    found = {one.path: one.why for one in workspace.assemble(AssembleRequest(QUESTION)).components}
    assert "which is called there" in found["mail/slots.py"]


def test_what_is_not_likely_to_be_of_use_stays_out_however_much_room_there_is(workspace: Engine) -> None:
    context = workspace.assemble(AssembleRequest(QUESTION, max_tokens=16_000))
    assert paths(context)[0] == "mail/digest.py"
    assert not [path for path in paths(context) if path.startswith("things/")]
    assert context.token_count < 1_000


LICENCE = """You may redistribute this under the conditions below. They hold for every reader of this notice.

You must send a reader a copy of this notice, and keep it in each digest of the work, weekly or not.
"""


def test_a_licence_is_shown_to_who_asks_for_it_and_to_nobody_else(tmp_path: Path) -> None:
    with opened(write(tmp_path, {**FILES, "LICENSE-APACHE": LICENCE})) as engine:
        assert "LICENSE-APACHE" not in paths(engine.assemble(AssembleRequest(QUESTION)))
        for question in ("may I redistribute a digest?", "which license is this under?", "LICENSE-APACHE"):
            assert "LICENSE-APACHE" in paths(engine.assemble(AssembleRequest(question))), question


CHANGES = """# Changelog

## 2.1

- The weekly digest is sent to a reader at a free hour.
- Removed `send_digest_now`: a reader is never disturbed.
"""


@pytest.mark.parametrize(
    ("question", "is_shown"),
    [
        (QUESTION, False),
        ("how do I send the weekly digest to a reader at once?", False),
        ("in which version was the weekly digest of a reader added?", True),
        ("why was sending a digest to a reader removed?", True),
        ("where did send_digest_now go?", True),
        ("CHANGELOG.md", True),
    ],
)
def test_a_changelog_is_shown_to_who_asks_what_changed(tmp_path: Path, question: str, is_shown: bool) -> None:
    with opened(write(tmp_path, {**FILES, "CHANGELOG.md": CHANGES})) as engine:
        assert ("CHANGELOG.md" in paths(engine.assemble(AssembleRequest(question)))) is is_shown


def test_what_a_file_imports_counts_little_beside_code(tmp_path: Path) -> None:
    names = ("reader", "send_digest", "sent_letters", "weekly", *(f"polish_{topic}" for topic in TOPICS))
    front = "".join(f"from mail.{name} import {name}\n" for name in names)
    run = "".join(f"    count = {topic} + {number}\n" for number, topic in enumerate(TOPICS * 5))
    with opened(write(tmp_path, {**FILES, "front.py": f"{front}\n\ndef run(count):\n{run}"})) as engine:
        found = {one.path: one for one in engine.assemble(AssembleRequest(QUESTION)).components}
    assert found["front.py"].relevance_score < found["mail/slots.py"].relevance_score / 2


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
        assert view.size(long) > GAP_CHARS > view.size(second)
        assert find_gaps({head: 0.5, rest: 0.5}, view, 0.1) == []


def test_tests_examples_and_changelogs_are_worth_half_where_nobody_asks_for_them(tmp_path: Path) -> None:
    text = "how a sheet is folded along the seam\n"
    files = {"fold.py": f"# {text}", "tests/test_fold.py": f"# {text}", "CHANGELOG.md": text}
    with opened(write(tmp_path, files)) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        refs = {path: view.chunks_of(path)[0] for path in files}
        alone = {
            path: weigh_chunks({ref: 0.4}, view, 0.01, {FileKind.SOURCE})[ref] for path, ref in refs.items()
        }
        asked = weigh_chunks({refs["tests/test_fold.py"]: 0.4}, view, 0.01, {FileKind.SOURCE, FileKind.TEST})
    assert alone["tests/test_fold.py"] == pytest.approx(alone["fold.py"] / 2, rel=0.01)
    assert alone["CHANGELOG.md"] == pytest.approx(alone["fold.py"] / 2, rel=0.01)
    assert asked[refs["tests/test_fold.py"]] == pytest.approx(alone["fold.py"], rel=0.01)


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


CALLERS = {
    "press/frame.py": "def cut_margin(width):\n    return width - 2\n",
    **{
        f"press/{topic}.py": "from press.frame import cut_margin\n\n\n"
        f"def set_{topic}(lamp):\n    return cut_margin(lamp.{topic}) * lamp.height\n"
        for topic in TOPICS[:4]
    },
    "tests/test_frame.py": "from press.frame import cut_margin\n\n\n"
    "def test_the_margin_is_cut():\n    assert cut_margin(7) == 5\n",
}


def weigh_names_of(engine: Engine, question: str) -> dict[str, float]:
    moment = take_snapshot(engine._memories, 0)
    ranking = moment.content.ranking(moment.snapshot, moment.content.read_query(question))
    spelled = {ref: name for ref, (_, name) in ranking.defined.items()}
    found = weigh_named(spelled, ranking, moment.snapshot, moment.graph)
    return {moment.snapshot.view.path(ref): value for ref, value in found.items()}


@pytest.mark.parametrize(
    "question",
    [
        "cut_margin should take keyword arguments only. which callers break?",
        "who calls cut_margin?",
        "I want to rename cut_margin",
        "what would break if cut_margin() returned a float",
        "where is press.frame.cut_margin used?",
    ],
)
def test_who_asks_for_the_users_of_a_name_gets_its_definition_then_code_then_tests(
    tmp_path: Path, question: str
) -> None:
    with opened(write(tmp_path, CALLERS)) as engine:
        found = weigh_names_of(engine, question)
    assert set(found) == set(CALLERS)
    callers = {found[f"press/{topic}.py"] for topic in TOPICS[:4]}
    assert found["press/frame.py"] > max(callers) >= min(callers) > found["tests/test_frame.py"] > 0


MENTIONED = {
    "press/marks.py": 'FOLD_MARK = "~"\n\n\nclass PaperSize:\n    width = 210\n',
    "press/lines.py": "def split(text):\n    return text.split(marks.FOLD_MARK)\n",
    "press/sheets.py": "def lay(size: PaperSize) -> list[str]:\n    return [size.name]\n",
    "press/ink.py": "def mix(fold, mark, paper, size):\n    return fold + mark + paper + size\n",
}


@pytest.mark.parametrize(
    ("question", "user"),
    [
        ("what else breaks if I change FOLD_MARK?", "press/lines.py"),
        ("who uses PaperSize?", "press/sheets.py"),
    ],
)
def test_a_constant_or_a_type_is_used_without_being_called(tmp_path: Path, question: str, user: str) -> None:
    with opened(write(tmp_path, MENTIONED)) as engine:
        assert set(weigh_names_of(engine, question)) == {"press/marks.py", user}


@pytest.mark.parametrize("name", ["FOLD_MARK", "SEAM_MARK", "EDGE_MARK"])
def test_a_piece_that_defines_much_is_called_after_what_was_asked_for(tmp_path: Path, name: str) -> None:
    marks = 'FOLD_MARK = "~"\nSEAM_MARK = "-"\nEDGE_MARK = "#"\n'
    with opened(write(tmp_path, {**MENTIONED, "press/marks.py": marks})) as engine:
        first = engine.assemble(AssembleRequest(f"what is {name} for?")).components[0]
    assert (first.path, first.symbol) == ("press/marks.py", name)
    assert first.content.startswith(f"### `press/marks.py:1-3` `{name}`")


@pytest.mark.parametrize(
    ("question", "leads"),
    [
        ("which digest does a reader get who may POST letters?", False),
        ("which weekly digest does a reader get with LEVEL=INFO?", False),
        ("does info() send a digest to a reader?", True),
        ("is the weekly digest of a reader kept in the LRU?", True),
    ],
)
def test_a_word_in_capitals_is_the_name_of_a_type_and_not_of_a_function(
    tmp_path: Path, question: str, leads: bool
) -> None:
    client = "class Lru:\n    kept = {}\n\n\ndef post(body):\n    print(body)\n\n\ndef info(key):\n    print(key)\n"
    with opened(write(tmp_path, {**FILES, "things/client.py": client})) as engine:
        assert (paths(engine.assemble(AssembleRequest(question)))[0] == "things/client.py") is leads


def test_of_many_names_in_a_question_none_is_taken_for_what_is_used(tmp_path: Path) -> None:
    question = "FOLD_MARK and PaperSize and cut_margin are off, what else breaks?"
    with opened(write(tmp_path, MENTIONED)) as engine:
        assert set(weigh_names_of(engine, question)) == {"press/marks.py"}


def test_who_asks_when_a_name_came_gets_what_changelogs_say_of_it(tmp_path: Path) -> None:
    sections = (
        f"## 1.{number}\n\n"
        + "".join(f"- Introduced another way to fix a {topic}, version {number}.\n" for topic in TOPICS * 3)
        + ("- A sheet has `cut_margin` on each side.\n" if number == 7 else "")
        for number in range(12)
    )
    changelog = "# Changelog\n\n" + "\n".join(sections)
    with opened(write(tmp_path, {**CALLERS, "CHANGELOG.md": changelog})) as engine:
        asked = engine.assemble(AssembleRequest("when was cut_margin introduced, and fixed since?"))
        unasked = engine.assemble(AssembleRequest("who calls cut_margin?"))
    assert "A sheet has `cut_margin`" in asked.content
    assert "A sheet has `cut_margin`" not in unasked.content


@pytest.mark.parametrize("question", ["how does cut_margin work?", "cut_margin is off by one"])
def test_who_asks_about_a_name_itself_gets_its_definition(tmp_path: Path, question: str) -> None:
    with opened(write(tmp_path, CALLERS)) as engine:
        assert set(weigh_names_of(engine, question)) == {"press/frame.py"}
        assert paths(engine.assemble(AssembleRequest(question)))[0] == "press/frame.py"


def test_words_that_are_the_name_of_several_things_bring_none_of_them(tmp_path: Path) -> None:
    polish = "".join(f"    def {topic}(self, count):\n        return [count] * count\n\n" for topic in TOPICS)
    members = f"    SOURCE_PROPERTY = register()\n    GEAR = register()\n\n{polish}"
    files = {f"painting/{topic}.py": f"class {topic.title()}:\n{members}" for topic in TOPICS}
    for number in range(12):
        files[f"binding/update{number}.py"] = (
            f"def update_target_{number}(binding, target):\n"
            '    """What makes a binding update its target: the source property changes."""\n'
            f"    return binding.update(target, {number})\n"
        )
    question = "what makes a binding update its target when the source property changes?"
    with opened(write(tmp_path / "window", files)) as engine:
        log = f"{question}\n\n[error] GEAR 404\n"
        for asked, is_named in ((question, False), (log, False), ("what is Violin.SOURCE_PROPERTY?", True)):
            shown = engine.assemble(AssembleRequest(asked)).components
            named = [one.path for one in shown if one.why.startswith(("named in", "defines"))]
            assert named == (["painting/violin.py"] if is_named else [])


def test_translations_do_not_make_the_words_of_the_code_common(tmp_path: Path) -> None:
    texts = {f"locale/{name}.po": 'msgid "weekly digest"\nmsgstr "x"\n' * 300 for name in TOPICS}
    with opened(write(tmp_path, {**FILES, **texts})) as engine:
        context = engine.assemble(AssembleRequest("polish the weekly digest", max_tokens=300))
    assert paths(context)[0] == "mail/digest.py"


def test_a_question_that_nothing_answers_gets_the_nearest_few(workspace: Engine) -> None:
    context = workspace.assemble(AssembleRequest("polish the submarine of the orchestra", max_tokens=16_000))
    assert len(context.components) <= len(TOPICS)
    assert context.token_count < 1_000


@settings(max_examples=20)
@given(
    query=st.text(max_size=80)
    | st.sampled_from([QUESTION, "pick", "polish_garden", "mail/slots.py:2", "digest"])
)
def test_chances_are_chances_and_the_best_come_first(workspace: Engine, query: str) -> None:
    moment = take_snapshot(workspace._memories, 0)
    ranking = moment.content.ranking(moment.snapshot, moment.content.read_query(query))
    chances = list(UsefulnessModel().judge(ranking, moment.snapshot, moment.graph).chances.values())
    assert all(0 <= chance <= 1 for chance in chances)
    assert chances == sorted(chances, reverse=True)


def test_the_answer_is_the_same_however_the_index_came_about(tmp_path: Path) -> None:
    with opened(write(tmp_path / "once", FILES)) as engine:
        at_once = engine.assemble(AssembleRequest(QUESTION))
    with opened(write(tmp_path / "steps", {"things/anchor.py": FILES["things/anchor.py"]})) as engine:
        for path, text in FILES.items():
            write(engine.root, {path: f"# draft\n{text}"})
            engine.update_files([path])
            write(engine.root, {path: text})
            engine.update_files([path])
        step_by_step = engine.assemble(AssembleRequest(QUESTION))
    assert step_by_step.content == at_once.content
    assert [one.relevance_score for one in step_by_step.components] == [
        one.relevance_score for one in at_once.components
    ]


@pytest.mark.parametrize(
    "question", ["when does the weekly digest in redis expire?", "where is the Kafka consumer of the digest?"]
)
def test_what_is_not_here_is_said_in_a_sentence(workspace: Engine, question: str) -> None:
    context = workspace.assemble(AssembleRequest(question, max_tokens=16_000))
    (told,) = context.components
    assert told.content.startswith("Nothing in this workspace mentions `")
    assert "`mail/digest.py:" in told.content, "the nearest is named"
    assert context.token_count <= 200


@pytest.mark.parametrize(
    "question",
    [
        "where is the digest sent?",
        "add a digest that is kept in redis",
        "we want to publish letters over kafka",
        "where does `send_digest` talk to redis?",
        "when is mail/slots.py asked by redis?",
        "how is the weekly digest sent to a reader with redis?",
    ],
)
def test_nothing_is_withheld_where_something_answers(workspace: Engine, question: str) -> None:
    context = workspace.assemble(AssembleRequest(question))
    assert any(path.startswith("mail/") for path in paths(context))


def test_a_word_nobody_knows_is_told_as_it_was_asked(workspace: Engine) -> None:
    content = workspace.assemble(AssembleRequest("where is asdkjh qwoeiu zmxncb?")).content
    assert "`asdkjh`, `qwoeiu` or `zmxncb`" in content


SHELLS = {
    "completion/fish.go": "package completion\n\nfunc GenFish(out Writer) error {\n\treturn write(out, fishScript)\n}\n",
    "completion/bash.go": "package completion\n\nfunc GenBash(out Writer) error {\n\treturn write(out, bashScript)\n}\n",
    "install/paths.go": (
        "package install\n\nvar targets = map[string]string{\n"
        '\t"bash": "/etc/bash_completion.d",\n\t"fish": "~/.config/fish/completions",\n}\n'
    ),
    "install/paths_test.go": 'package install\n\nfunc TestFish(t *T) {\n\tequal(t, targets["fish"], home)\n}\n',
    "docs/history.md": "# History\n\nThe pond was filled with fish in spring.\n",
    **{f"things/{topic}.go": f"package things\n\nfunc Polish{topic.title()}() {{}}\n" for topic in TOPICS},
}


@pytest.fixture(scope="module")
def shells(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("shells"), SHELLS)) as engine:
        yield engine


@pytest.mark.parametrize(
    "question",
    [
        "add a script for nushell, the same way fish is done",
        "support nushell next to fish, what has to be touched?",
        "generate one for nushell like we have for fish",
        "I want a script writer for nushell, similar to the fish writer",
        "nushell, modelled on the one for fish: what is to be added?",
    ],
)
def test_every_place_of_what_a_question_takes_as_its_model_is_shown(shells: Engine, question: str) -> None:
    found = {one.path: one.relevance_score for one in shells.assemble(AssembleRequest(question)).components}
    assert {"completion/fish.go", "install/paths.go", "install/paths_test.go"} <= found.keys()
    assert found["install/paths_test.go"] < found["install/paths.go"]


@pytest.mark.parametrize(
    "question",
    [
        "I would like fish",
        "what does it look like, fish?",
        "fish",
        "which way is best?",
        "if two shells match, like fish and bash, where is it decided which one wins?",
        "add a page for shells like /shells/fish",
    ],
)
def test_a_question_without_a_model_has_none(shells: Engine, question: str) -> None:
    memories = take_snapshot(shells._memories, 0)
    ranking = memories.content.ranking(memories.snapshot, memories.content.read_query(question))
    assert weigh_analogue(ranking, memories.snapshot) == {}


def test_a_model_that_is_written_as_code_is_looked_for_as_code(shells: Engine) -> None:
    memories = take_snapshot(shells._memories, 0)
    query = memories.content.read_query("add nushell to it, just like `fish`")
    found = weigh_analogue(memories.content.ranking(memories.snapshot, query), memories.snapshot)
    assert {memories.snapshot.view.path(ref) for ref in found} == {
        "install/paths.go",
        "install/paths_test.go",
    }


HELPED = {
    **FILES,
    "tests/fixtures.py": """def borrow_postbox():
    \"\"\"One that is emptied behind each case.\"\"\"
    return []
""",
    **{
        f"tests/test_digest_{when}.py": f"""from tests.fixtures import borrow_postbox


def test_the_digest_is_sent_{when}():
    box = borrow_postbox()
    assert send_digest(box, "{when}")
"""
        for when in ("daily", "weekly", "monthly", "never")
    },
}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("which tests cover how a digest is sent?", True),
        ("I want to add another end-to-end test of how the digest is sent", True),
        ("how is the digest sent?", False),
    ],
)
def test_who_asks_for_tests_gets_the_helpers_that_these_call(
    tmp_path: Path, question: str, wanted: bool
) -> None:
    with opened(write(tmp_path, HELPED)) as engine:
        shown = engine.assemble(AssembleRequest(question)).content
    assert ("def borrow_postbox" in shown) is wanted


def test_a_model_that_is_everywhere_says_nothing(tmp_path: Path) -> None:
    files = {f"pond/fish_{number}.py": f"def feed_fish_{number}():\n    pass\n" for number in range(50)}
    with opened(write(tmp_path, files)) as engine:
        memories = take_snapshot(engine._memories, 0)
        ranking = memories.content.ranking(
            memories.snapshot, memories.content.read_query("add frogs like fish")
        )
        assert weigh_analogue(ranking, memories.snapshot) == {}


INLINE_TESTS = {
    "src/range.rs": (
        "/// A range of lines, as the user writes it.\n"
        "pub fn parse_range(text: &str) -> Option<Range> {\n    let (first, last) = text.split_once(':')?;\n"
        "    Some(Range::new(first.parse().ok()?, last.parse().ok()?))\n}\n\n"
        "pub fn holds(range: &Range, line: usize) -> bool {\n    range.first <= line && line <= range.last\n}\n\n"
        "#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
        + "".join(
            f"    #[test]\n    fn a_range_of_lines_is_parsed_{number}() {{\n"
            f'        let range = parse_range("{number}:{number + 1}").unwrap();\n'
            "        assert!(holds(&range, range.first));\n        assert!(!holds(&range, range.last + 1));\n    }\n\n"
            for number in range(12)
        )
        + "}\n"
    ),
    **{
        f"things/{topic}.rs": f"pub fn polish_{topic}(count: usize) -> usize {{\n    count\n}}\n"
        for topic in TOPICS
    },
}


@pytest.fixture(scope="module")
def ranges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("ranges"), INLINE_TESTS)) as engine:
        yield engine


def test_tests_among_source_stay_behind_it(ranges: Engine) -> None:
    found = ranges.search("how is a range of lines parsed?").hits
    assert (found[0].kind, found[0].symbol) == ("function", "parse_range")
    (first, *_) = ranges.assemble(AssembleRequest("how is a range of lines parsed?")).components
    assert "pub fn parse_range" in first.content


def test_tests_among_source_are_shown_to_who_asks_for_tests(ranges: Engine) -> None:
    found = ranges.search("which tests check that a range of lines is parsed?").hits
    assert (found[0].kind, found[0].path) == ("test", "src/range.rs")


LOG = (
    "[error] User not found: the reader of letter 7 was deleted\n"
    '  File "{folder}/mail/digest.py", line 3, in send_digest\n'
    "    letters = collect(reader, week)\n"
    "LookupError: User not found\n"
)


def test_a_file_of_which_code_is_shown_is_not_named_as_well(
    tmp_path: Path,
) -> None:
    with opened(write(tmp_path, FILES)) as engine:
        context = engine.assemble(AssembleRequest(LOG.format(folder=tmp_path)))
    assert "mail/digest.py" in paths(context)
    assert not [one for one in context.components if one.type == "entity"]
