"""The text of a file before and after each of its commits; a renamed file is followed to its former name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from contextls.memory.vcs.clean_files import MAX_BYTES, text_of
from contextls.memory.vcs.line_history import LineChange, Revision, follow_lines
from contextls.memory.vcs.newest_commits import read_newest
from contextls.memory.vcs.view import CommitInfo, CommitView
from contextls.text.notebook import text_of_file
from contextls.workspace.git_log import read_commits
from contextls.workspace.git_tree import find_blobs, read_contents
from contextls.workspace.read import Unreadable, read_source

# Most files have fewer commits.
MAX_COMMITS = 150


def read_line_changes(
    root: Path, path: str, first: int, last: int, known: CommitView, unsaved: str | None
) -> Iterator[LineChange]:
    """The commits that changed lines ``first`` to ``last`` of a file as it is now, newest first."""
    text = unsaved
    if text is None:
        source = read_source(root / path, within=root)
        text = "" if isinstance(source, Unreadable) else source.text
    revisions = read_revisions(root, path, list_commits(root, path, known))
    return follow_lines(text, first, last, revisions)


def list_commits(root: Path, path: str, known: CommitView) -> tuple[CommitInfo, ...]:
    """The newest commits of a file, newest first: those that are ``known``, and what was committed since."""
    newer = read_newest(root, MAX_COMMITS, within=path.__eq__, seen=known.head or None)
    infos = [CommitInfo(each.sha, each.subject, each.author, each.time * 1000) for each in newer]
    return (*infos, *known.recent(path, MAX_COMMITS - len(infos)))


def read_revisions(root: Path, path: str, commits: Sequence[CommitInfo]) -> Iterator[Revision]:
    """The revisions of a file by ``commits``, newest first; they end where git does not know one."""
    texts = _read_texts(root, path, commits)
    for number, commit in enumerate(commits, 1):
        after, before = texts.get(commit.sha), texts.get(_parent(commit))
        if after is None:
            return
        if before is not None:
            yield Revision(commit, before, after)
            continue
        came_from = _came_from(root, commit, path)
        former = _read_texts(root, came_from, [commit]) if came_from else {}
        yield Revision(commit, former.get(_parent(commit), ""), after)
        if former:
            yield from read_revisions(root, came_from, commits[number:])
        return


def _read_texts(root: Path, path: str, commits: Sequence[CommitInfo]) -> dict[str, str]:
    """The texts of a file after and before ``commits``, by the names of both."""
    names = [name for commit in commits for name in (commit.sha, _parent(commit))]
    blobs = find_blobs(root, [(name, path) for name in names])
    contents = read_contents(root, blobs.values(), MAX_BYTES)
    texts = {blob: text for blob, raw in contents.items() if (text := text_of(raw)) is not None}
    return {name: text_of_file(path, texts[blob]) for (name, _), blob in blobs.items() if blob in texts}


def _parent(commit: CommitInfo) -> str:
    return f"{commit.sha}^"


def _came_from(root: Path, commit: CommitInfo, path: str) -> str:
    """The name that a file had before ``commit`` renamed it; "" where it did not."""
    renames = [pair for each in read_commits(root, 1, tip=commit.sha) for pair in each.renames]
    return next((old for old, new in renames if new == path), "")
