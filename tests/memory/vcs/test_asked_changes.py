"""Staged, unstaged and all changes, as git itself tells them, without running anything that a repository names."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.assembly.strategies import archetypes
from contextls.engine import Engine
from contextls.errors import InvalidRequestError
from contextls.model import AssembleRequest, Changes, Context, Filters, NewEvent, Section

from ...repositories import git
from ..workspaces import ONE_WORKER, write
from .changes import asked, edit

CODE = "class Till:\n    def open(self):\n        return 1\n\n\ndef count(coins):\n    return len(coins)\n"
FILES = {
    "till.py": CODE,
    "other.py": "VALUE = 1\n",
    "old_name.py": "".join(f"LINE_{number} = {number}\n" for number in range(12)),
    ".gitignore": "vault/\n",
}


def told(engine: Engine, scope: str) -> dict[str, str]:
    """The text of the hunks by file."""
    found: dict[str, str] = {}
    for hunk in asked(engine, scope).hunks:
        found[hunk.path] = found.get(hunk.path, "") + hunk.text
    return found


def test_the_three_scopes_tell_the_same_file_apart(shop: Engine) -> None:
    edit(shop, "till.py", "return 1", "return 2")
    git(shop.root, "add", "till.py")
    edit(shop, "till.py", "len(coins)", "sum(coins)")
    staged, unstaged, both = (told(shop, scope)["till.py"] for scope in Changes)
    assert "+        return 2" in staged
    assert "sum" not in staged
    assert "+    return sum(coins)" in unstaged
    assert "-        return 1" not in unstaged
    assert "+        return 2" in both
    assert "+    return sum(coins)" in both
    assert [hunk.symbol for hunk in asked(shop, Changes.STAGED).hunks] == ["Till.open"]


def test_files_that_were_only_touched_take_no_place_of_one_that_changed(shop: Engine) -> None:
    write(shop.root, {f"many/{number:03}.py": f"N = {number}\n" for number in range(90)})
    git(shop.root, "add", "-A")
    git(shop.root, "commit", "-qm", "Many")
    for file in (shop.root / "many").iterdir():
        file.touch()
    write(shop.root, {"till.py": CODE.replace("return 1", "return 2")})
    shop.index()
    for scope in (Changes.ALL, Changes.UNSTAGED, "main"):
        assert list(told(shop, scope)) == ["till.py"]
        assert asked(shop, scope).warnings == ()


def test_the_files_of_a_repository_within_are_no_changes(shop: Engine) -> None:
    write(shop.root, {"inner/deep/lib.py": CODE, "beside/new.py": "NEW = 1\n"})
    git(shop.root / "inner", "init", "-q")
    shop.index()
    shop.set_overlay("inner/deep/lib.py", CODE + "\nMORE = 1\n")
    assert list(told(shop, Changes.ALL)) == ["beside/new.py"]
    content = shop.assemble(AssembleRequest("review my changes", 800)).content
    assert "+NEW = 1" in content
    assert "+class Till" not in content


def test_what_a_branch_has_beside_another_begins_where_it_left(shop: Engine) -> None:
    root = shop.root
    git(root, "switch", "-qc", "sums")
    edit(shop, "till.py", "len(coins)", "sum(coins)")
    git(root, "mv", "old_name.py", "new_name.py")
    git(root, "rm", "-q", "other.py")
    git(root, "commit", "-qam", "Sum coins")
    git(root, "switch", "-q", "main")
    write(root, {"later.py": "LATER = 1\n"})
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Go on elsewhere")
    git(root, "tag", "v1")
    git(root, "switch", "-q", "sums")
    shop.index()
    edit(shop, "till.py", "return 1", "return 2")
    for base in ("main", "v1", "refs/heads/main", "HEAD~1"):
        found = told(shop, base)
        assert found.keys() == {"till.py", "new_name.py", "other.py"}
        assert "+    return sum(coins)" in found["till.py"]
        assert "+        return 2" in found["till.py"]
        assert found["new_name.py"] == "rename from old_name.py\nrename to new_name.py"
        assert found["other.py"].startswith("-VALUE = 1")
    assert told(shop, "sums").keys() == {"till.py"}


def test_without_changes_since_a_branch_a_warning_says_so(shop: Engine) -> None:
    assert asked(shop, "main").warnings == ("there are no changes since main",)


@pytest.mark.parametrize(
    "base", ["", "mian", "--output=/tmp/pwned", "main:till.py", "-", "..", "HEAD^{tree}", "a b"]
)
def test_a_base_that_is_no_commit_is_refused_by_name(shop: Engine, base: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        shop.assemble(AssembleRequest("review my branch", changes=base))
    assert refused.value.field == "changes"
    assert repr(base) in str(refused.value) or not base


def test_symbols_of_staged_text_are_those_of_its_own_lines(shop: Engine) -> None:
    edit(shop, "till.py", "len(coins)", "sum(coins)")
    git(shop.root, "add", "till.py")
    edit(shop, "till.py", "class Till", "# one\n# two\n# three\n# four\n# five\nclass Till")
    (hunk,) = asked(shop, Changes.STAGED).hunks
    assert (hunk.symbol, hunk.start_line) == ("count", 7)


def test_unsaved_text_is_unstaged(shop: Engine) -> None:
    shop.set_overlay("other.py", "VALUE = 2\n")
    assert told(shop, Changes.STAGED) == {}
    assert "+VALUE = 2" in told(shop, Changes.UNSTAGED)["other.py"]
    assert "+VALUE = 2" in told(shop, Changes.ALL)["other.py"]


def test_new_deleted_renamed_and_binary_files(shop: Engine) -> None:
    (shop.root / "other.py").unlink()
    (shop.root / "new.py").write_text("NEW = 1\n")
    (shop.root / "figure.xyz").write_bytes(b"\0\1\2")
    git(shop.root, "mv", "old_name.py", "new_name.py")
    edit(shop, "new_name.py", "LINE_3 = 3", "LINE_3 = 33")
    shop.index()
    assert told(shop, Changes.STAGED) == {"new_name.py": "rename from old_name.py\nrename to new_name.py"}
    unstaged = told(shop, Changes.UNSTAGED)
    assert unstaged["other.py"] == "-VALUE = 1"
    assert unstaged["new.py"] == "+NEW = 1"
    assert "+LINE_3 = 33" in unstaged["new_name.py"]
    git(shop.root, "add", "-A")
    staged = asked(shop, Changes.STAGED)
    assert {hunk.path for hunk in staged.hunks} == {"other.py", "new.py", "new_name.py", "figure.xyz"}
    renamed = next(hunk.text for hunk in staged.hunks if hunk.path == "new_name.py")
    assert renamed.startswith("rename from old_name.py\nrename to new_name.py\n")
    assert "+LINE_3 = 33" in renamed
    assert staged.warnings == ()
    assert told(shop, Changes.UNSTAGED) == {}
    os.utime(shop.root / "figure.xyz")
    assert asked(shop, Changes.UNSTAGED).warnings == ("there are no unstaged changes to show",)
    assert set(told(shop, Changes.ALL)) == {"other.py", "new.py", "new_name.py", "figure.xyz"}


def test_files_in_conflict_are_unstaged_and_named_for_what_is_staged(shop: Engine) -> None:
    git(shop.root, "checkout", "-qb", "side")
    edit(shop, "other.py", "1", "2")
    git(shop.root, "commit", "-qam", "Two")
    git(shop.root, "checkout", "-q", "main")
    edit(shop, "other.py", "1", "3")
    git(shop.root, "commit", "-qam", "Three")
    git(shop.root, "merge", "side", check=False)
    shop.index()
    staged = asked(shop, Changes.STAGED)
    assert staged.hunks == ()
    assert staged.warnings[0] == "in conflict and therefore not staged: other.py"
    for scope in (Changes.UNSTAGED, Changes.ALL):
        text = told(shop, scope)["other.py"]
        assert "+<<<<<<< HEAD" in text
        assert "+VALUE = 2" in text
        assert "-VALUE" not in text, "it is compared with our side"


def test_before_the_first_commit_everything_staged_is_new(tmp_path: Path) -> None:
    root = write(tmp_path / "unborn", {"a.py": "A = 1\n"})
    git(root, "init", "-q")
    git(root, "add", "-A")
    engine = Engine.open(root, ONE_WORKER)
    try:
        engine.index()
        assert told(engine, Changes.STAGED) == {"a.py": "+A = 1"}
        assert told(engine, Changes.UNSTAGED) == {}
        assert told(engine, Changes.ALL) == {"a.py": "+A = 1"}
    finally:
        engine.close()


def test_ignored_files_and_secrets_stay_out(shop: Engine) -> None:
    write(shop.root, {"vault/key.py": "the_hidden_word = 1\n", ".env": "the_hidden_word=1\n"})
    key = "AKIA" + "QWERTYUIOPASDFGH"
    (shop.root / "other.py").write_text(f"aws_access_key_id = '{key}'\n")
    git(shop.root, "add", "-f", "-A", "vault", ".env", "other.py")
    shop.index()
    for scope in (Changes.STAGED, Changes.ALL):
        found = asked(shop, scope)
        assert {hunk.path for hunk in found.hunks} == {"other.py"}
        assert key not in str(found)
        assert "the_hidden_word" not in str(found)
        assert "vault" not in str(found.warnings) + str(found.hunks)


def test_nothing_a_hostile_repository_names_is_run(shop: Engine, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    program = shop.root / "evil.sh"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {marker}\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    edit(shop, "other.py", "1", "7")
    git(shop.root, "add", "other.py")
    edit(shop, "till.py", "1", "8")
    (shop.root / ".gitattributes").write_text("* diff=evil filter=evil text=auto\n")
    for key in (
        "core.fsmonitor", "core.pager", "diff.external", "diff.evil.command", "diff.evil.textconv",
        "filter.evil.clean", "filter.evil.smudge", "filter.evil.process",
    ):  # fmt: skip
        git(shop.root, "config", key, str(program))
    shop.index()
    marker.unlink(missing_ok=True)
    assert set(told(shop, Changes.STAGED)) == {"other.py"}
    assert "till.py" in told(shop, Changes.UNSTAGED)
    assert {"other.py", "till.py"} <= set(told(shop, Changes.ALL))
    assert not marker.exists(), marker.read_text()
    git(shop.root, "status", check=False)
    assert marker.exists(), "the trap must be armed"


lines = st.lists(st.sampled_from(["a", "b", "c", "def f():", "    d"]), max_size=8)


@given(head=lines, index=lines, disk=lines)
@settings(max_examples=6)
def test_every_scope_adds_and_removes_what_git_says(
    head: list[str], index: list[str], disk: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        git(root, "init", "-q")
        file = root / "f.py"
        write(root, {"f.py": "".join(f"{line}\n" for line in head), "stays.py": "S = 1\n"})
        git(root, "add", "-A")
        git(root, "commit", "-qm", "Start")
        file.write_text("".join(f"{line}\n" for line in index))
        git(root, "add", "-A")
        file.write_text("".join(f"{line}\n" for line in disk))
        engine = Engine.open(root, ONE_WORKER)
        try:
            engine.index()
            for scope, how in (
                (Changes.STAGED, ("--cached",)),
                (Changes.UNSTAGED, ()),
                (Changes.ALL, ("HEAD",)),
            ):
                fields = git(root, "diff", "--numstat", *how).split()
                hunks = asked(engine, scope).hunks
                net = sum(hunk.added - hunk.removed for hunk in hunks)
                assert bool(hunks) == bool(fields)
                assert net == (int(fields[0]) - int(fields[1]) if fields else 0)
        finally:
            engine.close()


# -- in a prompt


def review(engine: Engine, scope: Changes | None, **fields: object) -> Context:
    request = AssembleRequest("review this change", 2000, archetype="review", changes=scope, **fields)  # type: ignore[arg-type]
    return engine.assemble(request)


def test_the_changes_lead_the_prompt_and_get_most_of_its_budget(shop: Engine) -> None:
    for number in range(5):
        shop.record(NewEvent("shell_exec", {"command": f"make {number}", "exitCode": 1}))
    edit(shop, "till.py", "return 1", "return 2")
    git(shop.root, "add", "-A")
    context = review(shop, Changes.STAGED)
    first = next(each for each in context.components if each.type is Section.RECENT)
    assert first.source.startswith("till.py:")
    assert first.relevance_score == 1.0
    assert first.why == "staged change"
    assert "`Till.open` staged (+1 −1)" in first.content
    asked = "Review this diff: 1 staged change in `till.py`"
    assert context.content.startswith(f"{asked}\n\n## Recent Activity\n\n### `till.py:")
    assert context.strategy.shares[Section.RECENT] == 60 == max(context.strategy.shares.values())
    assert sum(context.strategy.shares.values()) == 100
    assert context.report.warnings == ()


def test_without_changes_a_warning_says_so_and_the_rest_answers(shop: Engine, tmp_path: Path) -> None:
    edit(shop, "till.py", "return 1", "return 2")
    context = review(shop, Changes.STAGED)
    assert context.report.warnings == ("there are no staged changes to show",)
    assert context.components
    assert context.strategy.shares == archetypes()["review"].shares
    engine = Engine.open(write(tmp_path / "plain", {"a.py": "A = 1\n"}), ONE_WORKER)
    engine.index()
    (warning,) = review(engine, Changes.ALL).report.warnings
    assert "in no git repository" in warning
    engine.close()


def test_what_is_staged_between_two_questions_is_seen(shop: Engine) -> None:
    edit(shop, "till.py", "return 1", "return 2")
    assert "return 2" in review(shop, Changes.UNSTAGED).content
    git(shop.root, "add", "-A")
    assert review(shop, Changes.UNSTAGED).report.warnings == ("there are no unstaged changes to show",)
    assert "return 2" in review(shop, Changes.STAGED).content


def test_filters_hold_for_changes_too(shop: Engine) -> None:
    edit(shop, "till.py", "return 1", "return 2")
    edit(shop, "other.py", "1", "9")
    context = review(shop, Changes.ALL, filters=Filters(exclude=("till.py",)))
    assert "return 2" not in context.content
    assert "VALUE = 9" in context.content
    shares = {"recent": 10, "semantic": 60, "entity": 10, "relation": 10, "pattern": 10}
    own = review(shop, Changes.ALL, strategy_overrides={"shares": shares})
    assert own.strategy.shares[Section.RECENT] == 10


def test_a_prompt_says_what_was_renamed_and_what_is_gone(shop: Engine) -> None:
    write(shop.root, {"long.py": "".join(f"COIN_{number} = {number}\n" for number in range(90))})
    git(shop.root, "add", "-A")
    git(shop.root, "commit", "-qm", "Count coins by hand")
    git(shop.root, "switch", "-qc", "tidy")
    git(shop.root, "mv", "old_name.py", "new_name.py")
    git(shop.root, "rm", "-q", "long.py", "other.py")
    git(shop.root, "commit", "-qm", "Tidy up")
    shop.index()
    prompt = shop.assemble(AssembleRequest("review my branch", changes="main"))
    assert "### `new_name.py:1-1` since main, renamed from `old_name.py` (+0 −0)" in prompt.content
    assert "### `other.py` since main, deleted (+0 −1)\n```diff\n-VALUE = 1\n```" in prompt.content
    assert "### `long.py` since main, deleted (+0 −90)" in prompt.content
    assert "-COIN_19 = 19\n… 70 more lines" in prompt.content
    assert "COIN_20" not in prompt.content
    titles = [each.title for each in prompt.components]
    assert "new_name.py:1-1 since main, renamed from old_name.py (+0 −0)" in titles


def test_what_is_gone_is_said_of_uncommitted_changes_too(shop: Engine) -> None:
    (shop.root / "other.py").unlink()
    shop.update_files(["other.py"])
    prompt = shop.assemble(AssembleRequest("review my changes"))
    assert "### `other.py` uncommitted, deleted (+0 −1)" in prompt.content
