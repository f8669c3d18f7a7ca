"""Keys of commands and errors: what stays of them when only the habit counts."""

from __future__ import annotations

from contextls.memory.events.programs import only_looks, strip_assignments
from contextls.regex import compile_late
from contextls.text.word_set import word_set

# A longer command line is a script of its own, hardly typed twice.
MAX_COMMAND_CHARS = 200


_TOOLS = word_set(
    "git npm npx pnpm yarn cargo go docker kubectl make just task poetry uv pip pdm hatch tox nox mvn gradle dotnet bundle "
    "rake mix stack cabal swift zig bazel deno bun python python3 node ruff composer php"
)
_PLAIN_WORD = compile_late(r"[A-Za-z][\w:-]*")
_VARYING = compile_late(
    r"0x[0-9a-fA-F]+|\b[0-9a-f]{8,}\b|(?<![A-Za-z_])\d+(?:\.\d+)*|'[^'\n]{0,80}'|\"[^\"\n]{0,80}\"|(?<=\s)/\S+"
)
_WORD = compile_late(r"[A-Za-z_][A-Za-z0-9_]{2,}")
SIGNATURE_CHARS = 160


def habit_command(command: object) -> str | None:
    """The command line with its blanks made even; ``None`` when it only looks at things or is too long to be a habit."""
    line = " ".join(str(command).replace("\0", " ").split())
    if not line or len(line) > MAX_COMMAND_CHARS:
        return None
    words = strip_assignments(line.split(" "))
    return None if not words or only_looks(words) else line


def head(command: str) -> str:
    """The program and its subcommand: ``git commit``, ``npm test``, ``pytest``."""
    words = strip_assignments(command.split(" ")) or [command]
    first = words[0].rpartition("/")[2]
    if first in {"python", "python3"} and len(words) > 2 and words[1] == "-m":
        return f"{first} -m {words[2]}"
    if first in _TOOLS and len(words) > 1 and _PLAIN_WORD.fullmatch(words[1]):
        return f"{first} {words[1]}"
    return first


def signature(message: object) -> str:
    """An error's first line without what differs from run to run: numbers, quoted values, absolute paths."""
    lines = str(message).replace("\0", " ").strip().splitlines()
    line = _VARYING.sub("…", " " + " ".join(lines[0].split()) if lines else "")
    return line.strip()[:SIGNATURE_CHARS]


def words_of(text: str) -> frozenset[str]:
    """The words of a text in lower case, three letters or more."""
    return frozenset(word.lower() for word in _WORD.findall(text))


def alike(one: str, other: str) -> float:
    """The similarity of two signatures: the share of their words that both have, in 0..1."""
    first, second = words_of(one), words_of(other)
    return len(first & second) / len(first | second) if first and second else float(one == other)


def quote_command(text: str) -> str:
    """``text`` between backticks, on one line."""
    return "`" + " ".join(text.split()).replace("`", "'") + "`"
