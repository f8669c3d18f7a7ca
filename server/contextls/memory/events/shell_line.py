"""A line of a shell as the simple commands that it runs."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from msgspec import Struct

from contextls.regex import compile_late

# A program that is passed to an interpreter may have any length; the command stands at the beginning.
MAX_CHARS = 4_000
_TOKEN = compile_late(
    r"""
    (?P<blank>[^\S\n]+|\\\n)
    | (?P<redirection>(?:&|\d{1,3})?[<>]{1,2}(?:&[\d-]|[^\S\n]*(?:"[^"]*"|'[^']*'|[^\s;&|()<>"']+))?)
    | (?P<operator>&&|\|\||\|&|[|;&\n])
    | (?P<word>(?:'[^']*'|"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|\$\([^()]*\)|`[^`]*`|(?!\\\n)[^\s;&|()<>'"`])+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED = compile_late(r"'([^']*)'|\"((?:[^\"\\]|\\.)*+)(?:\"|\\?\Z)", re.DOTALL)
_HEREDOC = compile_late(r"<<-?\s*['\"]?(\w{1,40})")
_PIPES = ("|", "|&")


class Step(Struct, frozen=True):
    """A simple command, without redirections and quotes. ``then`` is the operator behind it; empty at the end."""

    words: tuple[str, ...]
    then: str = ""

    @property
    def pipes(self) -> bool:
        """Whether what it prints goes to the next command."""
        return self.then in _PIPES


@functools.lru_cache(1024)
def steps_of(line: str) -> tuple[Step, ...]:
    """The simple commands of a line in their order; every text is one."""
    steps: list[Step] = []
    words: list[str] = []
    for found in _TOKEN.finditer(_without_heredocs(line[:MAX_CHARS])):
        if found.lastgroup == "word":
            words.append(_QUOTED.sub(r"\1\2", found[0]))
        elif found.lastgroup == "operator" and words:
            steps.append(Step(tuple(words), ";" if found[0] == "\n" else found[0]))
            words = []
    if words:
        steps.append(Step(tuple(words)))
    elif steps and not steps[-1].pipes and steps[-1].then != "&":
        steps[-1] = Step(steps[-1].words)
    return tuple(steps)


def _without_heredocs(line: str) -> str:
    """The line without the texts that it hands to its commands."""
    return "\n".join(_outside_heredocs(line)) if "<<" in line else line


def _outside_heredocs(line: str) -> Iterator[str]:
    end = None
    for each in line.split("\n"):
        if end is None:
            found = _HEREDOC.search(each)
            end = found[1] if found else None
            yield each
        elif each.strip() == end:
            end = None
