"""The commands that sessions of nox run, read out of ``noxfile.py``; nothing of it is run.

Words of Python are looked for and the text is not parsed: a parser can be made to end its process by what it reads.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from contextls.regex import compile_late

FILE = "noxfile.py"
MAX_SESSIONS, MAX_LINES, MAX_CHARS = 50, 16, 100_000
_DEFINITION = compile_late(r"^(?=@|def )", re.MULTILINE)
_SESSION = compile_late(r"@(?:\w{1,60}\.)?session\b")
_NAME = compile_late(r"""\bname=["'](?P<name>[^"'\n]{1,60})["']""")
_FUNCTION = compile_late(r"def (?P<name>\w{1,60})\(\s{0,20}(?P<session>\w{1,60})")
_RUN = compile_late(r"\b(?P<on>\w{1,60})\.run(?:_always)?\(")
_LISTED = compile_late(r"^nox\.options\.sessions ?= ?", re.MULTILINE)
_TOKEN = compile_late(
    r"""#[^\n]*|(?P<made>\b[rb]?f[rb]?(?:"(?:[^"\\\n]|\\.){0,200}"|'(?:[^'\\\n]|\\.){0,200}'))"""
    r"""|"(?P<double>(?:[^"\\\n]|\\.){0,200})"|'(?P<single>(?:[^'\\\n]|\\.){0,200})'"""
    r"""|(?P<given>\.posargs\b)|(?P<opens>[(\[{])|(?P<closes>[)\]}])|(?P<mark>[,=\n])"""
)
# Options that choose sessions by what is not read here, or name another file.
_OTHERWISE = frozenset(("-k", "--keywords", "-t", "--tags", "-f", "--noxfile", "-l", "--list"))
_CHOOSING = frozenset(("-s", "-e", "--session", "--sessions"))


class _Session(Struct, frozen=True):
    """A session: how it is called, the text of its function, and how that names what runs commands."""

    name: str
    is_default: bool
    text: str
    variable: str

    def is_called(self, word: str) -> bool:
        """Whether a word names it, perhaps with a version of Python or parameters."""
        return word == self.name or word.startswith((f"{self.name}-", f"{self.name}("))


def find_session_commands(given: Sequence[str], read: Callable[[str], str | None]) -> list[str]:
    """The command lines that ``nox`` runs when it is given these words; empty where that cannot be said."""
    words, rest = list(given), list[str]()
    if "--" in words:
        words, rest = words[: words.index("--")], words[words.index("--") + 1 :]
    text = read(FILE)
    if text is None or len(text) > MAX_CHARS or any(word.partition("=")[0] in _OTHERWISE for word in words):
        return []
    chosen = list(_chosen_in(words))
    lines = (
        line for session in islice(_choose(text, chosen), MAX_SESSIONS) for line in _lines_of(session, rest)
    )
    return list(islice(dict.fromkeys(lines), MAX_LINES))


def _chosen_in(words: Sequence[str]) -> Iterator[str]:
    """The sessions that are chosen: what stands after the option, up to the next one."""
    choosing = False
    for word in words:
        if word.startswith("-"):
            option, _, value = word.partition("=")
            choosing = option in _CHOOSING
            if choosing and value:
                yield value
        elif choosing:
            yield word


def _choose(text: str, chosen: Sequence[str]) -> Iterator[_Session]:
    """The sessions of a file that are chosen; without a choice, those that it lists, or all that are not left out."""
    sessions = list(_sessions_in(text))
    listed = _LISTED.search(text)
    if not chosen and listed:
        chosen = next(_arguments(text[listed.end() :], ends_with_line=True), [])
    for session in sessions:
        if any(map(session.is_called, chosen)) if chosen or listed else session.is_default:
            yield session


def _sessions_in(text: str) -> Iterator[_Session]:
    decorators = ""
    for piece in _DEFINITION.split(text):
        if piece.startswith("@"):
            decorators += piece
            continue
        function = _FUNCTION.match(piece)
        if function and _SESSION.search(decorators):
            named = _NAME.search(decorators)
            name = named["name"] if named else function["name"]
            yield _Session(name, "default=False" not in decorators, piece, function["session"])
        decorators = ""


def _lines_of(session: _Session, rest: Sequence[str]) -> Iterator[str]:
    for call in islice(_RUN.finditer(session.text), MAX_LINES):
        if call["on"] == session.variable:
            arguments = _arguments(session.text[call.end() : call.end() + 1_000], rest)
            words = [word for argument in arguments for word in argument]
            if words:
                yield shlex.join(words)


def _arguments(text: str, rest: Sequence[str] = (), *, ends_with_line: bool = False) -> Iterator[list[str]]:
    """The texts in each argument of a call whose brackets ``text`` is in; ``rest`` for what is passed on.

    What is passed on may have words for when there is nothing: ``*(session.posargs or ["tests"])``. Of a list that is
    set to a name and ``ends_with_line``, all is one argument.
    """
    depth, words, passes_on, skipped = 0, list[str](), False, False
    for token in _TOKEN.finditer(text):
        string = token["double"] if token["double"] is not None else token["single"]
        if token["opens"] or token["closes"]:
            depth += 1 if token["opens"] else -1
        passes_on = passes_on or bool(token["given"])
        # A keyword's value, and a text that is made when it runs.
        skipped = skipped or bool(token["made"]) or (token["mark"] == "=" and depth == 0)
        if string is not None:
            words.append(string)
        ends = token["mark"] == ("\n" if ends_with_line else ",") and depth == 0
        if ends or depth < 0:
            yield [] if skipped else list(rest) or words if passes_on else words
            words, passes_on, skipped = [], False, False
        if depth < 0 or (ends and ends_with_line):
            return
