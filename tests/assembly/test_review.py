"""A question about changes names no code: the changes say whose neighbours, users and tests matter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contextls.assembly.memory_snapshot import take_snapshot
from contextls.assembly.targets.cursor_context import Angle, find_cursor_context
from contextls.engine import Engine
from contextls.model import (
    AssembleRequest,
    Changes,
    Context,
    EditorPosition,
    Filters,
    NewEvent,
    Section,
    Target,
)

from ..memory.workspaces import opened, write
from ..repositories import git

REVIEW = "Review my staged changes."
FILLER = "".join(
    f"def review_staged_changes_{n}(mine):\n    return [mine * {n} for _ in range({n})]\n\n\n"
    for n in range(40)
)
BANK = {
    "bank/fees.py": "def rate():\n    return 7\n\n\ndef fee_of(amount):\n    return amount // 100\n",
    "bank/limits.py": "def limit_of(age):\n    return 500 if age < 18 else 5000\n",
    "bank/terminal.py": (
        "from bank.fees import fee_of\n\n\ndef pay_out(account, notes):\n"
        "    account.balance -= sum(notes) + fee_of(sum(notes))\n"
    ),
    "bank/changes.py": FILLER,
    "tests/test_fees.py": "from bank.fees import fee_of\n\n\ndef test_fee():\n    assert fee_of(200) == 2\n",
    "tests/test_limits.py": "from bank.limits import limit_of\n\n\ndef test_limit():\n    assert limit_of(17) == 500\n",
}


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Engine]:
    root = write(tmp_path / "bank", BANK)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Start")
    with opened(root) as engine:
        yield engine


def edit(engine: Engine, path: str, old: str, new: str) -> None:
    file = engine.root / path
    file.write_text(file.read_text().replace(old, new))
    git(engine.root, "add", path)
    engine.update_files([path])


def review(
    engine: Engine, query: str = REVIEW, budget: int = 600, changes: Changes | None = Changes.STAGED
) -> Context:
    return engine.assemble(AssembleRequest(query, budget, archetype="review", changes=changes))


def files(context: Context) -> list[str]:
    """The files of the code beside the changes, best first."""
    paths = [each.source.rpartition(":")[0] for each in context.components if each.type is Section.SEMANTIC]
    return list(dict.fromkeys(paths))


def whys(context: Context, path: str) -> str:
    return "; ".join(each.why for each in context.components if each.source.startswith(f"{path}:"))


def test_what_was_changed_comes_with_its_users_and_its_tests(bank: Engine) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    context = review(bank)
    assert set(files(context)[:3]) == {"bank/fees.py", "bank/terminal.py", "tests/test_fees.py"}
    assert "uses `fee_of`" in whys(context, "bank/terminal.py")
    assert "test of `fee_of`" in whys(context, "tests/test_fees.py")


def test_without_changes_a_review_says_so_instead_of_searching_for_its_words(bank: Engine) -> None:
    context = review(bank, changes=None)
    assert "no uncommitted change answers this" in context.content
    assert [each.source for each in context.components if each.type is Section.SEMANTIC] == ["nothing"]
    assert files(review(bank, "review staged changes 7 of mine", changes=None))[0] == "bank/changes.py"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ("main", "There are no changes to show since main."),
        ("staged", "There are no staged changes to show."),
        ("unstaged", "There are no unstaged changes to show."),
        ("all", "There are no uncommitted changes to show."),
    ],
)
def test_where_none_of_the_changes_asked_for_are_there_a_sentence_says_so(
    bank: Engine, changes: str, sentence: str
) -> None:
    git(bank.root, "checkout", "-q", "-b", "work")
    bank.record(NewEvent("shell_exec", {"command": "make pay", "exitCode": 1, "stdout": "no rule"}))
    request = AssembleRequest("review this branch", archetype="review", changes=changes)
    assert [each.body for each in bank.assemble(request).components] == [sentence]


def test_beside_it_stands_what_the_question_alone_finds(bank: Engine) -> None:
    git(bank.root, "checkout", "-q", "-b", "work")
    told, *found = bank.assemble(AssembleRequest("how is `limit_of` computed?", changes="main")).components
    assert told.body == "There are no changes to show since main."
    assert found[0].path == "bank/limits.py"
    request = AssembleRequest("what is this repository about?", changes="main")
    told, *found = bank.assemble(request).components
    assert told.body == "There are no changes to show since main."
    assert found[0].source == "map"


def test_changes_of_excluded_files_alone_are_none(bank: Engine) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    bank.working_set.exclude(Target("bank/fees.py"))
    assert [each.body for each in review(bank).components] == ["There are no staged changes to show."]


def test_changes_outside_of_the_paths_asked_for_are_none(bank: Engine) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    edit(bank, "bank/limits.py", "500", "600")
    within = Filters(paths=("tests/", "!tests/data/"))
    (told,) = bank.assemble(AssembleRequest("review my changes", changes="all", filters=within)).components
    assert told.body == "There are no uncommitted changes to show in tests/."
    within = Filters(paths=("bank/limits.py",))
    found = bank.assemble(AssembleRequest("review my changes", changes="all", filters=within))
    assert [one.source for one in found.components] == ["bank/limits.py:2-2"]
    assert [(one.source, one.reason) for one in found.report.omitted] == [("bank/fees.py:6-6", "excluded")]


@pytest.mark.parametrize("query", ["review my changes", "check my changes for mistakes"])
def test_a_plain_review_means_the_uncommitted_changes(bank: Engine, query: str) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    assert set(files(review(bank, query, changes=None))[:3]) == {
        "bank/fees.py",
        "bank/terminal.py",
        "tests/test_fees.py",
    }


def test_every_change_is_shown_before_the_code_around_it(bank: Engine) -> None:
    write(
        bank.root, {"bank/rules.py": "".join(f"def rule_{n}(x):\n    return x * {n}\n\n\n" for n in range(9))}
    )
    git(bank.root, "add", "-A")
    git(bank.root, "commit", "-qm", "Rules")
    edit(bank, "bank/rules.py", "return x", "return 2 + x")
    content = bank.assemble(AssembleRequest("review my changes", 1_500)).content
    assert all(f"+    return 2 + x * {n}\n" in content for n in range(9))


def ask_about_new_code(bank: Engine, query: str) -> Context:
    write(bank.root, {"bank/toll.py": "def toll_of(axles):\n    return 3 * axles\n"})
    bank.update_files(["bank/toll.py"])
    context = bank.assemble(AssembleRequest(query, 1_500))
    assert context.content.count("return 3 * axles") == 1
    return context


def test_code_that_stands_whole_in_a_diff_is_not_shown_twice(bank: Engine) -> None:
    context = ask_about_new_code(bank, "review my changes")
    assert "+    return 3 * axles" in context.content
    assert ("bank/toll.py:1-2", "duplicate") in [(one.source, one.reason) for one in context.report.omitted]


def test_new_code_is_no_change_to_who_asks_what_it_does(bank: Engine) -> None:
    assert "\n    return 3 * axles" in ask_about_new_code(bank, "how is the toll computed?").content


def test_a_question_that_names_code_is_searched_for_as_well(bank: Engine) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    context = review(bank, "Review my staged changes: do they respect `limit_of`?", 900)
    assert {"bank/limits.py", "bank/fees.py", "tests/test_fees.py"} <= set(files(context))


def test_the_head_of_a_file_that_only_imports_a_name_comes_after_the_code_that_calls_it(bank: Engine) -> None:
    write(
        bank.root,
        {
            "bank/a_desk.py": "from bank.fees import fee_of\n\nOPEN = {'fee': fee_of}\n\n\n"
            + FILLER
            + "def charge(amount):\n    return amount + fee_of(amount)\n",
        },
    )
    bank.index()
    taken = take_snapshot(bank._memories, None)
    place = EditorPosition("bank/fees.py", 6, 6)
    near = find_cursor_context(taken.snapshot, taken.graph, place, Angle("here", users=True, tests=False))
    view = taken.snapshot.view
    users = {view.row(ref).text: piece.worth for ref, piece in near.items() if "uses" in piece.why}
    worth = {word: max(users[text] for text in users if word in text) for word in ("def charge", "OPEN")}
    assert worth["def charge"] > worth["OPEN"]


def test_who_builds_an_object_uses_its_type_not_the_name_of_its_builder(bank: Engine) -> None:
    write(
        bank.root,
        {
            "bank/account.py": "class Account:\n    def __init__(self, limit):\n        self.limit = limit\n",
            "bank/opening.py": "from bank.account import Account\n\n\ndef open_one():\n    return Account(500)\n",
            "bank/vault.py": "class Vault:\n    def __init__(self):\n        super().__init__()\n",
        },
    )
    git(bank.root, "add", "-A")
    git(bank.root, "commit", "-qm", "Open accounts")
    bank.index()
    edit(bank, "bank/account.py", "self.limit = limit", "self.limit = limit + 1")
    context = review(bank, budget=900)
    assert "uses `Account`" in whys(context, "bank/opening.py")
    assert "uses" not in whys(context, "bank/vault.py")


def test_a_word_of_prose_is_no_use_of_what_has_that_name_elsewhere(bank: Engine) -> None:
    write(bank.root, {"bank/words.py": "class Text:\n    def long(self):\n        return 'long'\n"})
    git(bank.root, "add", "-A")
    git(bank.root, "commit", "-qm", "Add words")
    bank.index()
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50  # as it was for a long time")
    assert "defines" not in whys(review(bank, budget=900), "bank/words.py")


def test_what_is_staged_is_found_where_its_symbol_stands_now(bank: Engine) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    file = bank.root / "bank/fees.py"
    file.write_text("import this\n" * 200 + file.read_text())
    bank.update_files(["bank/fees.py"])
    assert {"bank/terminal.py", "tests/test_fees.py"} <= set(files(review(bank, budget=900)))


def test_a_deleted_file_and_a_new_one_are_reviewed_without_complaint(bank: Engine) -> None:
    (bank.root / "bank/limits.py").unlink()
    write(
        bank.root,
        {"bank/interest.py": "from bank.fees import rate\n\n\ndef interest(n):\n    return n * rate()\n"},
    )
    git(bank.root, "add", "-A")
    bank.update_files(["bank/limits.py", "bank/interest.py"])
    context = review(bank)
    assert not context.report.warnings
    assert "bank/fees.py" in files(context)
    assert context.content.count("return n * rate()") == 1


def test_the_symbols_with_the_most_changed_lines_matter_most(bank: Engine) -> None:
    edit(bank, "bank/limits.py", "500 if", "400 if")
    edit(bank, "bank/fees.py", "    return amount // 100", "    amount += 1\n    return amount // 90")
    assert files(review(bank, budget=900))[0] == "bank/fees.py"


def test_an_excluded_file_says_nothing_about_what_surrounds_it(bank: Engine) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    bank.working_set.exclude(Target("bank/fees.py"))
    context = review(bank, budget=900)
    assert not any("fee" in each.why or "bank/fees.py" in each.source for each in context.components)


def test_a_file_that_always_changed_along_is_told_when_it_was_left_out(bank: Engine) -> None:
    for number in range(5):
        edit(bank, "bank/fees.py", "return amount", f"# {number}\n    return amount")
        edit(bank, "bank/limits.py", "return 500", f"# {number}\n    return 500")
        git(bank.root, "commit", "-qm", f"Change {number}")
    bank.read_history()
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    patterns = [each for each in review(bank, budget=1500).components if each.type is Section.PATTERN]
    assert any("bank/limits.py" in each.content for each in patterns)


def test_a_failure_and_the_changes_asked_about_are_shown_together(bank: Engine) -> None:
    edit(bank, "bank/fees.py", "amount // 100", "amount // 50")
    stdout = (
        "tests/test_limits.py:5: AssertionError\nFAILED tests/test_limits.py::test_limit - assert 5 == 500\n"
    )
    bank.record(NewEvent("shell_exec", {"command": "pytest", "exitCode": 1, "stdout": stdout}))
    found = set(files(review(bank, "fix the failing test", 1200)))
    assert {"bank/limits.py", "tests/test_limits.py", "bank/fees.py", "tests/test_fees.py"} <= found
