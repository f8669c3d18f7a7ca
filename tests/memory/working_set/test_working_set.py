"""The working set's file: changed in place, never trusted, never lost."""

from __future__ import annotations

import itertools
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from contextls.errors import ContextlsError, InvalidRequestError, StoreError
from contextls.memory.working_set import disk, followed
from contextls.memory.working_set.disk import MAX_BYTES, NAME
from contextls.memory.working_set.entries import Manifest, read_manifest
from contextls.memory.working_set.exclusions import Exclusions
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.person_changes import PersonChanges
from contextls.memory.working_set.problems import MAX_TOLD
from contextls.model import Role, Target, TruncateStrategy, WorkingSetView
from contextls.workspace import stamps

PATHS = ("a.py", "docs/guide.md", "docs", "src/deep/ünï çode.py", "src/no", "null", "1.0", "- odd #name.py")
FILES = [path for path in PATHS if path != "docs"]
WRITTEN = """# What we work on this week.
protocol: CONTEXT-ASSEMBLY/0.1
budget:
  max_tokens: 28000   # of the model
  effective: 24000

files:
  # the guide first
  - path: "docs/guide.md"
    priority: 1.0 # always
    role: "system"
    truncate_strategy: "never"
    owner: ann

  # then the code
  - path: a.py
    max_lines: 500
    why: |
      because
      of this

exclude:
    - src/no   # nobody wants it
metadata:
  last_updated: "2025-12-30T12:30:00Z"
  assembled_by: model
  team: core
# the end
"""


class Shop:
    """A folder with files and a working set in it."""

    def __init__(self, root: Path, text: str | None = None) -> None:
        self.root = root
        for path in FILES:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(f"text of {path}\n", encoding="utf-8")
        self.state = root.parent / "state"
        self.state.mkdir(exist_ok=True)
        self.file = root / ".context" / "working-set.yml"
        if text is not None:
            self.write(text)
        self.memory = self.open()

    def open(self) -> WorkingSet:
        return WorkingSet(self.root.resolve(), self.state, lambda *_: None, dict, 1_000_000)

    @property
    def person(self) -> PersonChanges:
        return PersonChanges(self.memory)

    def write(self, text: str | bytes) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def pin(self, path: str, **fields: object) -> WorkingSetView:
        return self.person.pin(self.memory.target(path), **fields)  # type: ignore[arg-type]


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "shop")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("many")


def names(view: WorkingSetView) -> list[str]:
    return [each.path for each in view.files]


def test_nothing_is_written_before_something_is_pinned(shop: Shop) -> None:
    view = shop.memory.view()
    assert (view.files, view.excluded, view.warnings) == ((), (), ())
    shop.person.unpin(shop.memory.target("a.py"))
    shop.person.include(shop.memory.target("a.py"))
    assert not shop.file.parent.exists()
    shop.pin("a.py", priority=0.5)
    assert yaml.safe_load(shop.file.read_text()) == {
        "protocol": "CONTEXT-ASSEMBLY/0.1",
        "files": [{"path": "a.py", "priority": 0.5}],
    }


def test_what_people_wrote_is_read_with_its_fields(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN)
    guide, code = shop.memory.view().files
    assert (guide.path, guide.priority, guide.role) == ("docs/guide.md", 1.0, Role.SYSTEM)
    assert guide.truncate_strategy is TruncateStrategy.NEVER
    assert (code.path, code.priority, code.max_lines, code.problem) == ("a.py", 0.8, 500, None)
    assert [each.path for each in shop.memory.view().excluded] == ["src/no"]


def test_a_change_touches_only_its_lines(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN.replace("metadata", "# metadata gone\nother"))
    before = shop.file.read_text()
    shop.pin("a.py", priority=0.25, max_lines=7)
    changed = before.replace("max_lines: 500", "max_lines: 7").replace(
        "      of this\n", "      of this\n    priority: 0.25\n"
    )
    assert shop.file.read_text() == changed
    shop.person.unpin(shop.memory.target("docs/guide.md"))
    start, end = changed.index('  - path: "docs'), changed.index("owner: ann") + len("owner: ann\n")
    assert shop.file.read_text() == changed[:start] + changed[end:]
    assert "# the guide first" in shop.file.read_text()


def test_the_metadata_that_is_there_is_kept_up_to_date(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN)
    shop.pin("src/deep/ünï çode.py")
    metadata = yaml.safe_load(shop.file.read_text())["metadata"]
    assert metadata["last_updated"] > "2026"
    assert (metadata["assembled_by"], metadata["team"]) == ("user", "core")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment",
        "---\n",
        "{}",
        "files: []",
        "files:\nexclude:\n",
        "files: null # none\nexclude: ~\n",
        "{files: [a.py, {path: docs}], exclude: [src/no]}",
        "files: [a.py, # one\n  docs/guide.md]\nexclude: [src/no,]\n",
        "files:\n- a.py\n- path: docs/\nexclude:\n- src/no",
        "files:\n  -\n    path: a.py\n    x: {y: 1}\n",
        "  files:\n  - path: a.py # one\n\n    # two\n    x: >\n      folded\n\n  # three\n",
        "files:\r\n  - path: a.py\r\n    priority: .5\r\n",
        "\ufefffiles:\n  - a.py\n",
        "files:\n  - a.py\n...\n",
        WRITTEN,
    ],
)
def test_every_way_of_writing_can_be_changed(tmp_path: Path, text: str) -> None:
    shop = Shop(tmp_path / "shop", text)
    memory = shop.memory
    assert memory.view().warnings == ()
    for path in ("a.py", "null", "docs"):
        view = shop.person.pin(memory.target(path), priority=0.7, role=Role.USER)
        assert next(each for each in view.files if each.path == path).priority == 0.7
    view = shop.person.exclude(memory.target("a.py"))
    assert "a.py" not in names(view)
    assert "a.py" in [each.path for each in view.excluded]
    view = shop.person.pin(memory.target("docs/guide.md"), max_lines=3)
    view = shop.person.include(memory.target("a.py"))
    for each in view.files:
        view = shop.person.unpin(memory.target(each.path))
    for one in view.excluded:
        view = shop.person.include(memory.target(one.path))
    assert (view.files, view.excluded) == ((), ())
    assert shop.open().view() == view
    if "\r\n" in text:
        assert shop.file.read_bytes().count(b"\n") == shop.file.read_bytes().count(b"\r\n")
    assert shop.file.read_text().startswith("\ufeff") == text.startswith("\ufeff")


Step = tuple[str, str, float]
steps = st.lists(
    st.tuples(
        st.sampled_from(("pin", "unpin", "exclude", "include")),
        st.sampled_from(PATHS),
        st.sampled_from((0.0, 0.05, 0.5, 1.0)),
    ),
    max_size=12,
)
comments = st.lists(
    st.sampled_from(("# plain", "# with: colon", "#- dash", "# - path: x")), min_size=3, max_size=3
)


@given(steps=steps, comments=comments, flow=st.booleans())
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_sequence_of_changes_reads_as_it_was_meant_and_keeps_what_was_written(
    folder: Path, steps: list[Step], comments: list[str], flow: bool
) -> None:
    first, second, third = comments
    listed = "files: [{path: a.py, owner: ann}]" if flow else "files:\n  - path: a.py\n    owner: ann"
    with tempfile.TemporaryDirectory(dir=folder) as place:
        text = f"{first} 1\n{listed}\n{second} 2\nunknown: {{x: [1, 2]}} {third} 3\nexclude:\n  - docs\n{third} 4\n"
        shop = Shop(Path(place) / "shop", text)
        pinned: dict[str, float] = {"a.py": 0.8}
        excluded = {"docs"}
        for action, path, priority in steps:
            target = shop.memory.target(path)
            if action == "pin":
                shop.person.pin(target, priority=priority)
                pinned[path] = priority
                excluded.discard(path)
            elif action == "exclude":
                shop.person.exclude(target)
                pinned.pop(path, None)
                excluded.add(path)
            elif action == "unpin":
                shop.person.unpin(target)
                pinned.pop(path, None)
            else:
                shop.person.include(target)
                excluded.discard(path)
            view = shop.memory.view()
            assert {each.path: each.priority for each in view.files} == pinned
            assert {each.path for each in view.excluded} == excluded
            assert shop.open().view() == view
        left = shop.file.read_text()
        for number, comment in enumerate((first, second, third, third), start=1):
            assert f"{comment} {number}" in left
        assert yaml.safe_load(left)["unknown"] == {"x": [1, 2]}
        kept = [item for item in yaml.safe_load(left)["files"] or () if item.get("owner") == "ann"]
        assert bool(kept) == ("a.py" in pinned and not _was_taken_out("a.py", steps))


def _was_taken_out(path: str, steps: list[Step]) -> bool:
    return any(each == path and action in ("unpin", "exclude") for action, each, _ in steps)


BOMB = "a: &a [x,x]\n" + "".join(f"{n}: &{n} [*{m},*{m}]\n" for m, n in itertools.pairwise("abcdefghij"))
PIECES = (
    *(
        "files:\n",
        "exclude:\n",
        "  - ",
        "path: ",
        "/etc/passwd",
        "../",
        "outside\n",
        "[",
        "{",
        "}",
        "]",
        "#",
        "\n",
    ),
    *(
        "link.py\n",
        "out/secret.txt\n",
        "priority: .inf\n",
        "priority: 1e999\n",
        "max_lines: -1\n",
        "*a",
        "&a ",
    ),
    *(
        "!!python/object/apply:os.system [x]\n",
        "'",
        '"',
        "|\n",
        "\t",
        "a.py\n",
        "role: []\n",
        "? ",
        ": ",
        ", ",
    ),
)
hostile = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
)


def refusal(shop: Shop, path: str) -> str:
    """What a pin is refused with; empty when it is not."""
    try:
        shop.pin(path)
    except StoreError as error:
        return str(error)
    return ""


@given(content=hostile)
@example(content=BOMB)
@example(content="".join(f"k{n}: 1\n" for n in range(20_000)))
@example(content="? [a]\n: 1\n")
@example(content="[" * 100_000)
@example(content="files: " + "{a: " * 50)
@example(content="files:\n" + "  - a.py\n" * 3_000)
@example(content="x: " + "y" * (MAX_BYTES + 1))
@example(content="files:\n  - path: !!python/object/apply:os.system ['touch hacked']\n")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_hostile_file_never_raises_and_never_leads_outside(folder: Path, content: str | bytes) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        shop = Shop(Path(place) / "shop")
        outside = Path(place) / "outside"
        outside.mkdir()
        (outside / "secret.txt").write_text("OUTSIDE")
        (shop.root / "link.py").symlink_to(outside / "secret.txt")
        (shop.root / "out").symlink_to(outside)
        raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        shop.write(raw)
        view = shop.memory.view()
        for each in view.files:
            if each.problem is None and not each.folder:
                assert "OUTSIDE" not in shop.memory.places.text(each.path)
                assert (shop.root / each.path).resolve().is_relative_to(shop.root.resolve())
        shop.memory.exclusions().hides("a.py")
        if error := refusal(shop, "a.py"):
            assert "line" in error
            assert shop.file.read_bytes() == raw
        else:
            assert "a.py" in names(shop.memory.view())
        assert not (shop.root / "hacked").exists()


@pytest.mark.parametrize(
    ("text", "line"),
    [("files:\n  - path: a\n - b\n", 3), ("files: 5\n", 1), ("- a\n", 1), ("files:\nfiles:\n", 2), (BOMB, 1)],
)
def test_a_broken_file_is_told_and_not_overwritten(tmp_path: Path, text: str, line: int) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN)
    assert len(shop.memory.view().files) == 2
    shop.write(text)
    view = shop.memory.view()
    assert len(view.files) == 2, "what was last understood still counts"
    assert f"line {line}" in view.warnings[0]
    with pytest.raises(StoreError, match=rf"line {line}.*mend it"):
        shop.pin("a.py")
    assert shop.file.read_text() == text
    shop.write("files: [a.py]\n")
    assert (names(shop.memory.view()), shop.memory.view().warnings) == (["a.py"], ())


def test_links_and_pipes_in_place_of_the_file_are_not_followed(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop")
    elsewhere = tmp_path / "elsewhere.yml"
    elsewhere.write_text("files: [a.py]\n")
    shop.file.parent.mkdir()
    shop.file.symlink_to(elsewhere)
    assert shop.memory.view().files == ()
    with pytest.raises(StoreError):
        shop.pin("a.py")
    shop.file.unlink()
    os.mkfifo(shop.file)
    assert shop.memory.view().warnings
    shop.file.unlink()
    shop.file.parent.rmdir()
    shop.file.parent.symlink_to(tmp_path)
    (tmp_path / "working-set.yml").write_text("files: [a.py]\n")
    assert shop.memory.view().files == ()
    assert elsewhere.read_text() == "files: [a.py]\n"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("../outside.py", "lies outside"),
        ("/etc/passwd", "lies outside"),
        ("C:\\Windows\\win.ini", "lies outside"),
        ("docs/../../x", "lies outside"),
        ("", "names nothing"),
        (".", "the workspace itself"),
        ("a\nb", "is no path"),
        ("gone.py", "no such file"),
        ("link.py", "leads outside"),
        ("inner.py", "leads to a.py"),
        ("a.py#missing", "not indexed"),
    ],
)
def test_what_cannot_be_pinned_is_an_error_that_says_why(shop: Shop, path: str, problem: str) -> None:
    (shop.root / "link.py").symlink_to("/etc/passwd")
    (shop.root / "inner.py").symlink_to("a.py")
    with pytest.raises(InvalidRequestError, match=problem):
        shop.pin(path)
    assert not shop.file.exists()


def test_a_wrong_field_by_hand_is_a_problem_of_its_entry(tmp_path: Path) -> None:
    text = "files:\n  - {path: a.py, priority: high}\n  - {path: docs, role: boss, max_lines: 0}\n  - {path: 'null'}\n"
    problems = {each.path: each.problem for each in Shop(tmp_path / "shop", text).memory.view().files}
    assert problems["null"] is None
    assert problems["a.py"] == "priority: expected a number from 0 to 1"
    assert "role: expected one of system" in str(problems["docs"])
    assert "max_lines" in str(problems["docs"])


def test_a_change_by_another_process_is_seen_at_once(shop: Shop) -> None:
    other = shop.open()
    for number in range(5):
        PersonChanges(other).pin(other.target("a.py"), priority=number / 10)
        assert shop.memory.view().files[0].priority == number / 10
        assert shop.memory.version() == other.version()


def test_changes_side_by_side_are_all_kept(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop")
    for number in range(24):
        (shop.root / f"f{number}.py").write_text("")
    memories = [shop.open() for _ in range(4)]
    failed: list[Exception] = []

    def pin(number: int) -> None:
        memory = memories[number % 4]
        try:
            PersonChanges(memory).pin(memory.target(f"f{number}.py"))
        except ContextlsError as error:
            failed.append(error)

    threads = [threading.Thread(target=pin, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert sorted(names(shop.memory.view())) == sorted(f"f{number}.py" for number in range(24))
    assert [each.name for each in shop.file.parent.iterdir()] == ["working-set.yml"]


@pytest.fixture
def read_only(shop: Shop) -> Shop:
    shop.pin("a.py")
    shop.file.parent.rename(shop.root / "kept")
    shop.file.parent.write_text("a file where the folder was\n")
    return shop


def test_a_place_that_cannot_be_written_is_a_clear_message(read_only: Shop) -> None:
    with pytest.raises(StoreError, match="cannot write"):
        read_only.pin("docs")


def test_broken_pins_are_looked_into_once_however_often_somebody_asks(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop")
    paths = [f"f{number:03}.py" for number in range(200)]
    for path in paths:
        (shop.root / path).write_text("ignored\n")
    asked: list[str] = []

    def refuses(path: str, _: bool) -> str:
        asked.append(path)
        return "gitignore"

    memory = WorkingSet(shop.root.resolve(), shop.state, refuses, dict, 1_000_000)
    shop.write("files:\n" + "".join(f"  - {path}\n" for path in paths))
    assert {each.problem for each in memory.list_pinned({})} == {"ignored by .gitignore"}
    assert len(asked) == len(paths)
    for _ in range(5):
        asked.clear()
        assert {each.problem for each in memory.list_pinned({})} == {"ignored by .gitignore"}
        assert asked == paths[:MAX_TOLD], "what is told is true at any time"
    (shop.root / paths[150]).write_text("changed\n")
    asked.clear()
    memory.list_pinned({})
    assert asked == [*paths[:MAX_TOLD], paths[150]]
    shop.write("files:\n" + "".join(f"  - {path}\n" for path in paths[:20]))
    asked.clear()
    assert len(memory.list_pinned({})) == len(asked) == 20


def test_a_file_that_appears_or_goes_counts_or_not_at_the_next_question(tmp_path: Path) -> None:
    paths = [f"f{number:03}.py" for number in range(30)]
    shop = Shop(tmp_path / "shop", "files:\n" + "".join(f"  - {path}\n" for path in paths))
    assert all(each.problem == "no such file" for each in shop.memory.list_pinned({}))
    (shop.root / paths[25]).write_text("here\n")
    assert [each.entry.target.path for each in shop.memory.list_pinned({}) if not each.problem] == [paths[25]]
    assert shop.memory.text(paths[25]).lines == ("here",)
    (shop.root / paths[25]).write_text("anew\n")
    assert shop.memory.text(paths[25]).lines == ("anew",)
    shop.memory.set_overlay(paths[26], "unsaved\n")
    assert shop.memory.text(paths[26]).lines == ("unsaved",)
    (shop.root / paths[25]).unlink()
    assert [each.entry.target.path for each in shop.memory.list_pinned({}) if not each.problem] == [paths[26]]
    assert shop.memory.text(paths[25]).problem == "no such file"


def test_lines_that_unsaved_text_has_no_more_are_missing(tmp_path: Path) -> None:
    manifest = "files:\n  - a.py:3\n"
    shop = Shop(tmp_path / "shop", manifest)
    shop.memory.set_overlay("a.py", "1\n2\n3\n")
    assert [each.problem for each in shop.memory.list_pinned({})] == [None]
    shop.memory.set_overlay("a.py", "1\n2\n")
    assert [each.problem for each in shop.memory.list_pinned({})] == ["its file has only 2 lines"]
    (checked,) = shop.memory.check({NAME: manifest}, indexed=True)
    assert [(each.code, each.message) for each in checked.faults] == [
        ("missing", "a.py:3-3: its file has only 2 lines")
    ]


def test_a_text_that_was_read_is_not_told_once_its_file_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "UNSURE_NS", -1)  # what was read is remembered at once
    shop = Shop(tmp_path / "shop")
    reasons: dict[str, str] = {}
    memory = WorkingSet(shop.root.resolve(), shop.state, lambda path, _: reasons.get(path), dict, 1_000_000)
    assert memory.text("a.py").lines == ("text of a.py",)
    reasons["a.py"] = "gitignore"
    assert (memory.text("a.py").lines, memory.text("a.py").problem) == ((), "ignored by .gitignore")


broken_lines = st.sampled_from(
    (
        "  - gone.py{n}\n",
        "  - ../out{n}\n",
        "  - {{x: {n}}}\n",
        "  - {{path: b{n}, priority: high}}\n",
        "  - ''\n",
    )
)


@given(lines=st.lists(broken_lines, max_size=60), void=st.integers(0, 40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_number_of_problems_is_told_in_a_few_lines_that_name_the_first_and_count_the_others(
    folder: Path, lines: list[str], void: int
) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        files = "".join(line.format(n=number) for number, line in enumerate(lines))
        out = "".join(f"  - ../excluded{number}\n" for number in range(void))
        shop = Shop(Path(place) / "shop", f"files:\n{files}  - a.py\nexclude:\n{out}")
        view = shop.memory.view()
        problems = shop.memory.problems({})
        assert list(view.warnings[:MAX_TOLD]) == problems[:MAX_TOLD]
        assert len(view.warnings) <= MAX_TOLD + 1
        if len(problems) > MAX_TOLD:
            assert view.warnings[-1].startswith(f"and {len(problems) - MAX_TOLD} more ")
        assert [each.problem for each in view.files if each.path == "a.py"] == [None]


def in_place_of_the_file(shop: Shop, what: str) -> None:
    shop.file.unlink()
    if what == "a folder":
        shop.file.mkdir()
    elif what == "a pipe":
        os.mkfifo(shop.file)
    elif what == "a link out of the workspace":
        (shop.root.parent / "elsewhere.yml").write_text("files: [docs/guide.md]\n")
        shop.file.symlink_to(shop.root.parent / "elsewhere.yml")
    else:
        shop.write(HOSTILE[what])


HOSTILE: dict[str, str | bytes] = {
    "five megabytes": "files:\n" + "  - path: gone/file.py\n" * 200_000,
    "references that multiply": BOMB,
    "deep brackets": "files: " + "[" * 100_000,
    "deep lists": "files:\n" + "- " * 2_000 + "a.py\n",
    "deep fields": "files:\n" + "".join(" " * depth + "a:\n" for depth in range(600)),
    "nothing but values": "x: [" + "1," * 100_000 + "]\n",
    "long lines that end badly": "files:\n" + "  - gone/file.py\n" * 10_000 + " ]\n",
    "bytes that are no text": "files: [\udcff]\n".encode("utf-8", "surrogateescape"),
}


@pytest.mark.parametrize("what", ["a folder", "a pipe", "a link out of the workspace", *HOSTILE])
def test_whatever_is_in_place_of_the_file_is_one_warning_and_what_was_pinned_still_counts(
    tmp_path: Path, what: str
) -> None:
    shop = Shop(tmp_path / "shop", "files: [a.py]\nexclude: [src]\n")
    assert names(shop.memory.view()) == ["a.py"]
    in_place_of_the_file(shop, what)
    view = shop.memory.view()
    assert names(view) == ["a.py"]
    assert shop.memory.exclusions().hides("src/no")
    (warning,) = view.warnings
    assert warning.startswith(".context/working-set.yml, line ")
    assert len(warning) < 300


def test_a_file_that_is_broken_is_parsed_once_however_often_somebody_asks(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def counted(text: str, is_there: Callable[[str], bool], name: str) -> Manifest:
        parsed.append(text)
        return read_manifest(text, is_there, name)

    monkeypatch.setattr(followed, "read_manifest", counted)
    for text in ("files: [a.py\n", "files: [a.py]\n", "files: [a.py\n"):
        parsed.clear()
        shop.write(text)
        for _ in range(3):
            shop.memory.view()
            shop.memory.exclusions()
            shop.memory.version()
        assert parsed == [text]


def test_ten_thousand_entries_are_one_warning(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", "files:\n" + "".join(f"  - f{number}.py\n" for number in range(10_000)))
    view = shop.memory.view()
    assert len(view.files) == 1_000
    assert view.warnings == (
        ".context/working-set.yml, line 1002: files: only the first 1,000 of 10,000 entries are read",
    )


def test_what_is_excluded_stays_so_while_somebody_empties_the_file_and_fills_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_WRITING_SECONDS", 30.0)  # a busy machine may let the writer wait for long
    texts = ["exclude:\n  - a.py\nfiles:\n" + f"  - {letter}.py\n" * 900 for letter in "bc"]
    shop = Shop(tmp_path / "shop", texts[0])
    done = threading.Event()

    def write() -> None:
        for turn in range(150):
            shop.write(texts[turn % 2])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = 0
    while not done.is_set() or not seen:
        assert shop.memory.exclusions().hides("a.py")
        seen += 1
    writer.join()


def test_a_file_that_stays_empty_pins_and_excludes_nothing(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", "files: [a.py]\nexclude: [src]\n")
    assert names(shop.memory.view()) == ["a.py"]
    shop.write("")
    view = shop.memory.view()
    assert (view.files, view.excluded, view.warnings) == ((), (), ())


paths_of_folders = st.lists(st.sampled_from(("a", "b", "a.b", "ab")), min_size=1, max_size=4).map("/".join)


@given(
    out=st.lists(paths_of_folders, max_size=4),
    symbols=st.lists(st.sampled_from(("C", "C.m", "C.m.x", "Cm")), max_size=3),
    path=paths_of_folders,
    name=st.sampled_from(("C", "C.m", "C.m.x", "C.mm", "Cm", "Cm.y", "x")),
)
def test_what_lies_in_an_excluded_folder_or_symbol_is_always_excluded_and_nothing_beside_it(
    out: list[str], symbols: list[str], path: str, name: str
) -> None:
    exclusions = Exclusions.of([*(Target(each) for each in out), *(Target("s.py", each) for each in symbols)])
    hidden = any(path == each or path.startswith(f"{each}/") for each in out)
    assert exclusions.hides(path) == hidden
    inside = any(name == each or name.startswith(f"{each}.") for each in symbols)
    assert exclusions.hides_symbol("s.py", name) == inside
