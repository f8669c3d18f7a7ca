"""What the history view promises, held against plain counting."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.vcs.tables import MASS_COMMIT, StoredCommit, build_tables
from contextls.memory.vcs.view import CommitView

NAMES = {number: f"f{number:02}.py" for number in range(40)}
FILES = st.integers(0, 6)
SETS = st.frozensets(FILES, max_size=5) | st.just(frozenset(range(MASS_COMMIT + 2)))
COMMITS = st.lists(
    st.tuples(SETS, st.integers(0, 2_000_000_000), st.sampled_from(["Ann", "Bob", ""])), max_size=12
)


def stored(commits: list[tuple[frozenset[int], int, str]]) -> list[StoredCommit]:
    return [
        StoredCommit(f"{number:040x}", time, author, f"Subject {number} ü", sorted(files))
        for number, (files, time, author) in enumerate(commits)
    ]


def view_of(commits: list[StoredCommit], hidden: frozenset[str] = frozenset()) -> CommitView:
    return CommitView(
        build_tables(commits, {number: name for number, name in NAMES.items() if name not in hidden})
    )


@given(COMMITS, FILES)
def test_support_and_applications_always_equal_plain_counting(
    commits: list[tuple[frozenset[int], int, str]], asked: int
) -> None:
    view = view_of(stored(commits))
    counted = [files for files, _, _ in commits if asked in files and len(files) <= MASS_COMMIT]
    together = Counter(NAMES[other] for files in counted for other in files if other != asked)
    found = view.co_changes(NAMES[asked], 100)
    assert {item.path: item.support for item in found} == together
    assert all(item.applications == len(counted) for item in found)
    assert all(0 <= item.confidence <= 1 for item in found)
    assert [item.confidence for item in found] == sorted((item.confidence for item in found), reverse=True)
    assert view.co_changes(NAMES[asked], 2) == found[:2]


@given(COMMITS, st.frozensets(FILES, max_size=3))
def test_predictions_never_name_what_was_asked_about(
    commits: list[tuple[frozenset[int], int, str]], asked: frozenset[int]
) -> None:
    view = view_of(stored(commits))
    paths = [NAMES[number] for number in asked]
    assert {item.path for item in view.predict(paths, 100)}.isdisjoint(paths)


@given(COMMITS, st.frozensets(FILES, max_size=4), FILES)
def test_a_hidden_file_never_comes_out_however_it_was_hidden(
    commits: list[tuple[frozenset[int], int, str]], hidden: frozenset[int], asked: int
) -> None:
    names = frozenset(NAMES[number] for number in hidden)
    from_the_start = view_of(stored(commits), names)
    later = view_of(stored(commits)).limit_to(lambda path: path not in names)
    path = NAMES[asked]
    assert later.paths == from_the_start.paths
    assert later.co_changes(path, 100) == from_the_start.co_changes(path, 100)
    assert later.co_changes(path, 1) == from_the_start.co_changes(path, 1)
    assert later.recent(path) == from_the_start.recent(path)
    assert later.churn(path) == from_the_start.churn(path)
    assert names.isdisjoint(later.paths)
    assert names.isdisjoint(item.path for item in later.co_changes(path, 100))


@given(COMMITS, FILES)
def test_churn_and_shares_always_stay_in_their_range(
    commits: list[tuple[frozenset[int], int, str]], asked: int
) -> None:
    view = view_of(stored(commits))
    shares = view.authors(NAMES[asked])
    touched = any(asked in files for files, _, _ in commits)
    assert (0 < sum(share for _, share in shares) < 1.01) == touched
    assert all(0 <= view.churn(path) <= 1 for path in view.paths)
    assert not view.paths or max(map(view.churn, view.paths)) == 1


def test_a_commit_dated_in_the_far_future_does_not_make_all_others_old() -> None:
    commits = [(frozenset({0, 1}), 1_700_000_000 + day * 86_400, "Ann") for day in range(50, 0, -1)]
    forged = [(frozenset({2}), 250_000_000_000, "Mallory"), *commits]
    before, after = view_of(stored(commits)), view_of(stored(forged))
    assert after.co_changes("f00.py")[0].confidence > 0.9 * before.co_changes("f00.py")[0].confidence


@given(st.lists(st.tuples(FILES, FILES), max_size=8))
def test_every_commit_of_a_file_is_always_found_under_its_last_name(moves: list[tuple[int, int]]) -> None:
    """A file is made, then files are renamed one after the other (onto free names only)."""
    history = [StoredCommit(f"{0:040x}", 0, "Ann", "Make", [0])]
    names, touches = {0: 0}, {0: 1}  # name -> file, file -> commits
    for number, (old, new) in enumerate(moves, 1):
        if old in names and new not in names:
            names[new] = names.pop(old)
            touched, renames = new, [(old, new)]
        else:
            touched, renames = old, []
            if old not in names:
                names[old] = len(touches)
                touches[names[old]] = 0
        touches[names[touched]] += 1
        history.insert(0, StoredCommit(f"{number:040x}", number, "Ann", "Go on", [touched], renames))
    view = CommitView(build_tables(history, {name: NAMES[name] for name in names}))
    assert {path: len(view.recent(path, 100)) for path in view.paths} == {
        NAMES[name]: touches[file] for name, file in names.items()
    }
