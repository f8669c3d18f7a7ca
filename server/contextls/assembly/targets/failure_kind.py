"""The kind of failure that a question means where several are open: of tests, of a linter, of a type checker."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contextls.memory.events.failures import FailedRun
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_LINTERS = word_set(
    "biome black clippy eslint flake8 golangci-lint oxlint prettier pylint rubocop ruff shellcheck standard stylelint"
)
_TYPE_CHECKERS = word_set("flow mypy pyre pyright pytype svelte-check tsc ty vue-tsc")


def _programs_of(failure: FailedRun) -> set[str]:
    return {each.program for each in failure.commands}


def _is_of_tests(failure: FailedRun) -> bool:
    return any(each.runs_tests for each in failure.commands) or any(
        event.content.get("test") for event in failure.events
    )


_KINDS: tuple[tuple[str, Callable[[FailedRun], bool]], ...] = (
    (r"(?i)\b(?:tests?|specs?|suite)\b", _is_of_tests),
    (r"(?i)\blint(?:s|er|ers|ing)?\b", lambda failure: bool(_programs_of(failure) & _LINTERS)),
    (
        r"(?i)\btype(?:s|check|checker|checking)?\b",
        lambda failure: bool(_programs_of(failure) & _TYPE_CHECKERS),
    ),
)
_PATTERNS = tuple((compile_late(pattern), is_of) for pattern, is_of in _KINDS)


def put_meant_first(failures: Sequence[FailedRun], asked: str) -> tuple[FailedRun, ...]:
    """The ``failures``, those first that are of the kind that a question names, if there are any."""
    meant = [is_of for pattern, is_of in _PATTERNS if pattern.search(asked)]
    return tuple(sorted(failures, key=lambda failure: not any(is_of(failure) for is_of in meant)))
