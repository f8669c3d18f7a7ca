"""The changes that a question names: what is staged, what is not, both, or all since a branch, a tag or a commit."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.model import Changes
from contextls.workspace.git_branch import fork_point


class ChangeScope(Struct, frozen=True):
    """A choice of changes, ``which`` of them since the commit ``since``; ``words`` stand before or after "changes"."""

    which: Changes
    since: str = "HEAD"
    words: str = "uncommitted"


def read_scope(root: Path, asked: str) -> ChangeScope:
    """Read what is ``asked``: one of ``Changes``, or all that is new since HEAD left a branch, a tag or a commit.

    Raises ``InvalidRequestError`` where the repository of ``root`` has none of that name.
    """
    if asked in tuple(Changes):
        return ChangeScope(Changes(asked), words=describe_changes(asked))
    since = fork_point(root, asked)
    if since is None:
        known = ", ".join(Changes)
        raise InvalidRequestError(
            "changes", f"{known}, or a branch, a tag or a commit of this repository", asked
        )
    return ChangeScope(Changes.ALL, since, describe_changes(asked))


def describe_changes(asked: str) -> str:
    """The state of changes in words: uncommitted, staged, unstaged, since main."""
    if asked == Changes.ALL:
        return "uncommitted"
    return asked if asked in tuple(Changes) else f"since {asked}"
