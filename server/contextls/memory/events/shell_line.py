"""A line of a shell as the simple commands that it runs."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.word_set import word_set

# A program that is passed to an interpreter may have any length; the command stands at the beginning.
MAX_CHARS = 4_000
_TOKEN = compile_late(
    r"""
    (?P<blank>[^\S\n]+|\\\n)
    | (?P<redirection>(?:&|\d{1,3})?[<>]{1,2}(?:&[\d-]|[^\S\n]*(?:"[^"]*"|'[^']*'|[^\s;&|()<>"']+))?)
    | (?P<operator>&&|\|\||\|&|[|;&\n])
    | (?P<word>(?:'[^']*'|"(?>(?:[^"\\]|\\.)*)(?:"|\\?\Z)|\$\([^()]*\)|`[^`]*`|(?!\\\n)[^\s;&|()<>'"`])+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED = compile_late(r"'([^']*)'|\"((?>(?:[^\"\\]|\\.)*))(?:\"|\\?\Z)", re.DOTALL)
_HEREDOC = compile_late(r"<<-?\s*['\"]?(\w{1,40})")
_PIPES = ("|", "|&")
# A shell that is given a line runs what stands in it; a line may hold another one so.
_SHELLS = word_set("ash bash dash fish ksh sh zsh")
_LINE_OPTION = compile_late(r"-[a-z]{0,8}c")
_BEFORE_SHELL = compile_late(r"command|env|exec|nice|nohup|sudo|time|timeout|-.*|\w+=.*|[\d.]+[smhd]?")
_MAX_DEPTH = 3


class Step(Struct, frozen=True):
    """A simple command, without redirections and quotes. ``then`` is the operator after it; empty at the end."""

    words: tuple[str, ...]
    then: str = ""

    @property
    def pipes(self) -> bool:
        """Whether what it prints goes to the next command."""
        return self.then in _PIPES


@functools.lru_cache(1024)
def steps_of(line: str) -> tuple[Step, ...]:
    """The simple commands of a line in their order, down into a line that a shell is given; every text is one."""
    return tuple(_read_steps(line[:MAX_CHARS], 0))


def _read_steps(line: str, depth: int) -> list[Step]:
    steps: list[Step] = []
    words: list[str] = []
    for found in _TOKEN.finditer(_without_heredocs(line)):
        if found.lastgroup == "word":
            words.append(_QUOTED.sub(r"\1\2", found[0]))
        elif found.lastgroup == "operator" and words:
            steps.append(Step(tuple(words), ";" if found[0] == "\n" else found[0]))
            words = []
    if words:
        steps.append(Step(tuple(words)))
    elif steps and not steps[-1].pipes and steps[-1].then != "&":
        steps[-1] = Step(steps[-1].words)
    return [inner for step in steps for inner in _handed_to_shell(step, depth)]


def _handed_to_shell(step: Step, depth: int) -> list[Step]:
    """The steps of the line that a step hands to a shell; else itself."""
    words = step.words
    at = next((place for place, word in enumerate(words) if not _BEFORE_SHELL.fullmatch(word)), len(words))
    if depth < _MAX_DEPTH and words[at : at + 1] and words[at].rpartition("/")[2] in _SHELLS:
        for place, word in enumerate(words[at + 1 : -1], at + 1):
            if _LINE_OPTION.fullmatch(word):
                inner = _read_steps(words[place + 1].replace('\\"', '"'), depth + 1)
                return [*inner[:-1], Step(inner[-1].words, step.then)] if inner else [step]
            if not word.startswith("-"):
                break  # a script
    return [step]


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
