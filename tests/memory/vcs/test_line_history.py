"""The commits that changed some lines, followed back through what stands around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.vcs.line_history import LineChange, Revision, follow_lines
from contextls.memory.vcs.view import CommitInfo

FIRST = "import os\n\ndef total(cart):\n    return sum(cart)\n"
BESIDE = "import os\nimport sys\n\ndef total(cart):\n    return sum(cart)\n\ndef tax():\n    return 0.2\n"
INSIDE = BESIDE.replace("return sum(cart)", "return sum(cart) * (1 + tax())")
TEXTS = st.lists(st.sampled_from("abcd"), max_size=8).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


def history_of(*texts: str, first: int, last: int, now: str = "") -> list[LineChange]:
    """The changes of lines of the last of ``texts``, each made by a commit called by its number."""
    steps = list(zip(("", *texts), texts, strict=False))
    revisions = [
        Revision(CommitInfo(f"{number}", f"commit {number}", "Ada", number), before, after)
        for number, (before, after) in enumerate(steps)
    ]
    return list(follow_lines(now or texts[-1], first, last, reversed(revisions)))


def test_only_commits_that_changed_the_lines_are_told_until_they_came() -> None:
    changes = history_of(FIRST, BESIDE, INSIDE, first=4, last=5)
    assert [each.commit.sha for each in changes] == ["2", "0"]
    assert changes[0].text.splitlines()[1:4] == [
        " def total(cart):",
        "-    return sum(cart)",
        "+    return sum(cart) * (1 + tax())",
    ]
    assert (changes[1].added, changes[1].removed) == (2, 0)
    assert "+import os" not in changes[1].text


def test_lines_that_came_later_have_no_older_commits() -> None:
    assert [each.commit.sha for each in history_of(FIRST, BESIDE, INSIDE, first=7, last=8)] == ["1"]


def test_what_is_not_committed_moves_the_lines_and_is_no_commit() -> None:
    edited = "# Carts.\n\n" + INSIDE.replace("1 + tax()", "1.2")
    changes = history_of(FIRST, BESIDE, INSIDE, first=6, last=7, now=edited)
    assert [each.commit.sha for each in changes] == ["2", "0"]


def test_a_commit_that_was_picked_onto_another_branch_is_told_once() -> None:
    commit = CommitInfo("a", "Add a tax", "Ada", 1)
    picked = CommitInfo("b", "Add a tax", "Ada", 2)
    revisions = [Revision(picked, BESIDE, INSIDE), Revision(commit, BESIDE, INSIDE)]
    assert [each.commit.sha for each in follow_lines(INSIDE, 4, 5, revisions)] == ["b"]


def test_no_secret_of_an_older_text_is_shown() -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7h8"
    before = f'def login():\n    return connect("{token}")\n'
    after = 'def login():\n    return connect(environ["TOKEN"])\n'
    changes = history_of(before, after, first=1, last=2)
    assert [each.commit.sha for each in changes] == ["1", "0"]
    assert all(token not in each.text for each in changes)


@given(st.lists(TEXTS, min_size=1, max_size=6), st.integers(1, 8), st.integers(0, 8))
def test_every_history_is_followed_to_an_end(texts: list[str], first: int, more: int) -> None:
    changes = history_of(*texts, first=first, last=first + more)
    assert [int(each.commit.sha) for each in changes] == sorted(
        (int(each.commit.sha) for each in changes), reverse=True
    )
    assert all(each.added or each.removed for each in changes)
    if first <= texts[-1].count("\n"):
        assert changes, "the lines came with some commit"
