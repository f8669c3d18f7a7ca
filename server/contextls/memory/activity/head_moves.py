"""The moves of HEAD as what the user did: a rebase is one thing, however many commits git wrote again for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from msgspec import Struct

from contextls.regex import compile_late
from contextls.workspace.reflog import Move

CHECKOUT = compile_late(r"checkout: moving from (\S+) to (\S+)")
_COMMIT_NAME = compile_late(r"[0-9a-f]{40,64}")
_STEP = compile_late(r" \(([a-z]+)\)$")
_RETURNING = compile_late(r"(?:returning to )?(?:refs/heads/)?(\S+)")


class Rebase(Struct, frozen=True):
    """A rebase, also one that a pull made. ``onto`` and ``began`` are empty where the log does not tell."""

    pulled: bool = False
    onto: str = ""
    began: Move | None = None


class GitAction(Struct, frozen=True):
    """One thing that the user did: the ``move`` it ended with, the branch that was checked out then, a finished rebase."""

    move: Move
    branch: str | None
    rebase: Rebase | None = None


class _Role(Enum):
    """The part that a move has in a rebase."""

    NONE = auto()
    START = auto()
    STEP = auto()
    FINISH = auto()
    ABORT = auto()


def needs_earlier(moves: Sequence[Move], *, rebasing: bool) -> bool:
    """Whether the moves before ``moves`` must be known, as a rebase that began there goes on."""
    roles = (role for move in moves if (role := _role(move.message)) is not _Role.NONE)
    first = next(roles, None)
    return rebasing if first is None else first is not _Role.START


def read_actions(
    moves: Sequence[Move], earlier: Sequence[Move], branch: str | None, *, rebasing: bool
) -> Iterator[GitAction]:
    """The actions of the user in ``moves``, oldest first.

    ``earlier`` are moves before them, where they are needed. ``branch`` is what is checked out now, or will be when the
    rebase that goes on (``rebasing``) ends.
    """
    current = _rebase_after(earlier)
    # Where a rebase never ended, the moves after its last step are reported.
    held: list[GitAction] = []
    for move, here in zip(moves, _branches(moves, branch), strict=True):
        role = _role(move.message, current)
        if role is _Role.START:
            yield from held
            current = _begin(move)
        elif role is _Role.FINISH:
            yield GitAction(move, here, current or Rebase())
            current = None
        elif role is _Role.ABORT:
            current = None
        elif role is _Role.NONE and current is None:
            yield GitAction(move, here)
        elif role is _Role.NONE:
            held.append(GitAction(move, here))
            continue
        held = []
    if not rebasing:
        yield from held


def _rebase_after(moves: Sequence[Move]) -> Rebase | None:
    """The rebase that goes on after ``moves``."""
    current = None
    for move in moves:
        role = _role(move.message, current)
        if role is _Role.START:
            current = _begin(move)
        elif role in (_Role.FINISH, _Role.ABORT):
            current = None
    return current


def _branches(moves: Sequence[Move], now: str | None) -> list[str | None]:
    """The branch after each of ``moves``: a checkout tells which one it left, a rebase which one it went back to."""
    found: list[str | None] = []
    for move in reversed(moves):
        if _role(move.message) is _Role.FINISH and (back := _RETURNING.match(_words(move.message))):
            now = back[1]
        found.append(now)
        if left := CHECKOUT.match(move.message):
            now = None if _COMMIT_NAME.fullmatch(left[1]) else left[1]
    return found[::-1]


def _begin(move: Move) -> Rebase:
    onto = _words(move.message).removeprefix("checkout ").removeprefix("refs/heads/")
    onto = onto.removeprefix("refs/remotes/")
    onto = onto[:12] if _COMMIT_NAME.fullmatch(onto) else onto
    return Rebase(move.message.startswith("pull"), onto, move)


def _role(message: str, current: Rebase | None = None) -> _Role:
    """The part that a move has in a rebase: git notes "<command line> (<step>): <words>"."""
    action, _, words = message.partition(": ")
    command = action.partition(" ")[0]
    if command not in ("rebase", "pull"):
        return _Role.NONE
    if action == "rebase finished":  # before git 2.26
        return _Role.FINISH
    named = _STEP.search(action)
    if named:
        return {"start": _Role.START, "finish": _Role.FINISH, "abort": _Role.ABORT}.get(named[1], _Role.STEP)
    if command == "rebase":
        # `git rebase main topic` with nothing to do only changes to topic.
        return _Role.NONE if words.startswith("checkout ") else _Role.STEP
    # Before git 2.27 a pull named no steps.
    if words.startswith("checkout ") and _COMMIT_NAME.fullmatch(words.removeprefix("checkout ")):
        return _Role.START
    return _Role.STEP if current is not None and current.pulled else _Role.NONE


def _words(message: str) -> str:
    return message.partition(": ")[2]
