"""The commands of a plain shell script of a workspace: one line after another, without functions, loops and cases."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Callable, Sequence

from contextls.memory.events.programs import RUNNERS, program_of
from contextls.memory.events.shell_line import MAX_CHARS
from contextls.regex import compile_late
from contextls.text.word_set import word_set

_SHELLS = word_set("bash dash ksh sh zsh")
# Scripts that stand for a program of their own.
_WRAPPERS = word_set("configure gradlew mvnw")
_SHEBANG = compile_late(r"#!\s*\S*[/ ](?:ba|da|k|z)?sh\b")
_MORE_THAN_LINES = compile_late(r"(?m)^[ \t]*(?:(?:case|for|function|select|until|while)\b|[\w-]+[ \t]*\(\))")
# Into the folder of the script itself, or one above it.
_OWN_FOLDER = compile_late(
    r'"?\$\(dirname (?:-- )?"?\$(?:0|BASH_SOURCE|\{(?:0|BASH_SOURCE)(?:\[0\])?\})"?\)(?P<above>(?:/\.\.){0,4})"?'
)
_COMMENT = compile_late(r"(?m)^[ \t]*#.*$")


def find_shell_script(words: Sequence[str], folder: str, read: Callable[[str], str | None]) -> str | None:
    """The lines of the script that a simple command runs, with what it is given; ``None`` where it runs no plain one."""
    called = list(words)
    is_told = program_of(called[0]) in _SHELLS
    if is_told:
        called = called[1:]
        while called and called[0].startswith("-"):
            called = called[1:]
    if not called or called[0].startswith("/") or not (is_told or "/" in called[0]):
        return None
    if program_of(called[0]) in _WRAPPERS | RUNNERS:
        return None
    path = posixpath.normpath(posixpath.join(folder, called[0]))
    text = None if path.startswith("..") else read(path)
    if text is None or len(text) > MAX_CHARS or _MORE_THAN_LINES.search(text):
        return None
    if not (is_told or _SHEBANG.match(text) or called[0].endswith(".sh")):
        return None
    given = " ".join(map(shlex.quote, called[1:]))
    own = posixpath.dirname(called[0]) or "."
    lines = _OWN_FOLDER.sub(lambda found: shlex.quote(own + found["above"]), text)
    lines = _COMMENT.sub("", lines).replace("\\\n", " ")
    return lines.replace('"$@"', given).replace("$@", given).replace("$*", given)
