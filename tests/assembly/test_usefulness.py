"""What is of use for a question enters its prompt, also what only the code leads to; what is not stays out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.usefulness.model import UsefulnessModel
from contextls.assembly.usefulness.worth import weigh_chunks
from contextls.assembly.wording.purpose import Purpose, read_purpose
from contextls.assembly.wording.signals import detect_intent
from contextls.engine import Engine
from contextls.memory.index.priors import FileKind
from contextls.model import AssembleRequest

from ..memory.workspaces import opened, write
from .digest import FILES, TOPICS, paths

QUESTION = "how is the weekly digest sent to a reader?"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("mail"), FILES)) as engine:
        yield engine


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


def test_what_only_ends_a_page_is_not_shown_for_the_name_of_its_folder(tmp_path: Path) -> None:
    form = "".join(f'    <label for="field-{number}">Field {number}</label>\n' for number in range(60))
    pages = {
        f"templates/account/{topic}.html": f'<div class="row">\n<form method="post">\n{form}</form>\n</div>\n'
        for topic in TOPICS
    }
    with opened(write(tmp_path, pages)) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        ends = {
            ref for path in pages for ref in view.chunks_of(path) if view.row(ref).text.strip() == "</div>"
        }
        refs = [ref for path in pages for ref in view.chunks_of(path)]
        assert ends
        assert weigh_chunks(dict.fromkeys(refs, 0.9), view, 0.1).keys() == set(refs) - ends
        found = engine.assemble(AssembleRequest("what happens when an account is closed?"))
    assert not [one for one in found.components if one.content.strip() == "</div>"]


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


def test_tests_examples_and_changelogs_are_worth_half_where_nobody_asks_for_them(tmp_path: Path) -> None:
    text = "how a sheet is folded along the seam\n"
    files = {"fold.py": f"# {text}", "tests/test_fold.py": f"# {text}", "CHANGELOG.md": text}
    with opened(write(tmp_path, files)) as engine:
        view = take_snapshot(engine._memories, 0).snapshot.view
        refs = {path: view.chunks_of(path)[0] for path in files}
        alone = {
            path: weigh_chunks({ref: 0.4}, view, 0.01, {FileKind.SOURCE})[ref] for path, ref in refs.items()
        }
        test = {refs["tests/test_fold.py"]: 0.4}
        asked = weigh_chunks(test, view, 0.01, {FileKind.SOURCE, FileKind.TEST})
        looked_up = weigh_chunks(test, view, 0.01, {FileKind.SOURCE}, Purpose(builds=False))
    assert alone["tests/test_fold.py"] == pytest.approx(alone["fold.py"] / 2, rel=0.01)
    assert alone["CHANGELOG.md"] == pytest.approx(alone["fold.py"] / 2, rel=0.01)
    assert asked[refs["tests/test_fold.py"]] == pytest.approx(alone["fold.py"], rel=0.01)
    assert looked_up[refs["tests/test_fold.py"]] == pytest.approx(0.3 * alone["fold.py"], rel=0.01)


@pytest.mark.parametrize(
    ("question", "builds"),
    [
        ("where is a sheet folded along the seam?", False),
        ("a sheet that is folded along the seam comes out torn", False),
        ("add a sheet that is folded along the seam", True),
        ("we want a sheet that is folded along the seam", True),
        ("a sheet folded along the seam, the same way as a letter", True),
    ],
)
def test_who_wants_something_new_is_told(question: str, builds: bool) -> None:
    assert read_purpose(question, detect_intent(question)).builds is builds


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


def test_tests_that_are_called_after_a_name_are_shown_before_others(tmp_path: Path) -> None:
    case = "func Test{name}(t *testing.T) {{\n\tgroup := load(t, `{text}`)\n\trequire.NotNil(t, group)\n\tgroup.run()\n}}\n"
    cases = {f"rules/{topic}_test.go": f"package rules\n\n{case}" for topic in TOPICS}
    text = "a test of the group: keep firing, keep_firing_for of an alert"
    files = {path: code.format(name=f"Alert{at}", text=text) for at, (path, code) in enumerate(cases.items())}
    plain = case.format(name="PendingAndKeepFiringFor", text="pending")
    files["rules/pending_test.go"] = f"package rules\n\n{plain}"
    with opened(write(tmp_path, files)) as engine:
        context = engine.assemble(AssembleRequest("which tests cover keep_firing_for of an alert?", 700))
    assert "func TestPendingAndKeepFiringFor" in context.content


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
