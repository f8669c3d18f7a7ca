"""Facts of old turns, quoted from them by rules: no model is asked, and no word is new.

Each fact names its turn. What a rule does not see is lost from the summary, never from the conversation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from contextls.memory.activity.failures import failures_in
from contextls.memory.conversations.grouping import Turn
from contextls.model import Author, ChatNode, ToolCall
from contextls.regex import compile_late
from contextls.text.kept_ends import keep_beginning
from contextls.text.own_words import find_own_words
from contextls.text.word_set import word_set

MAX_LINE_CHARS = 240
# The beginning and the end of a longer text are read.
_SEARCHED = 20_000


class FactKind(IntEnum):
    """The kinds of facts, in the order in which a summary lists them."""

    REQUEST = 0
    DECISION = 1
    FILE = 2
    COMMAND = 3
    ERROR = 4
    QUESTION = 5


class Fact(Struct, frozen=True):
    """One line of a summary, and the numbers of the turns that say so."""

    kind: FactKind
    text: str
    turns: tuple[int, ...]


_SENTENCE = compile_late(r"[^.!?\n]{2,600}(?:[.!?](?=[\s\"')\]]|$)|\.(?=\S)[^.!?\n]{0,400})*[.!?]*")
_FENCE = compile_late(r"[ \t]{0,3}(`{3,}|~{3,})[ \t]*(\w*)")
_SHELLS = frozenset(("sh", "shell", "bash", "zsh", "console", "fish"))
# Words by which people settle something, and those by which models say what they settled on.
_SETTLED_BY_PEOPLE = compile_late(
    r"\b(?:let'?s|we(?:'ll| will| should| must)|from now on|always|never|must(?:n't)?|do(?:n't| not)|instead of|rather than|"
    r"prefer|agreed|decided?|go with|stick (?:to|with)|keep|make sure|no longer)\b",
    re.IGNORECASE,
)
_SETTLED_BY_MODELS = compile_late(
    r"\b(?:decided|decision|chose|chosen|i(?:'ll| will) (?:use|keep|go with|not)|we(?:'ll| will) (?:use|keep|go with|not)|"
    r"instead of|rather than|agreed|settled on|from now on|the fix is|root cause)\b",
    re.IGNORECASE,
)
_OPEN = compile_late(
    r"\b(?:TODO|FIXME|open question|not (?:yet )?(?:sure|clear|decided)|unclear|still need|left to do)\b",
    re.I,
)
_PATH = compile_late(r"(?<![\w/.:@-])(?:[\w.@-]+/)*[\w.@-]*\w\.[A-Za-z][A-Za-z0-9]{0,5}(?![\w/(-])")
_NO_FILE = compile_late(r"^(?:e\.g|i\.e|etc|vs)\b|^\d|^www\.|\.(?:com|org|net|io|dev)$", re.I)
_EXIT = compile_late(r"(?:exit(?:ed)?(?: with)?(?: code| status)?|returned)[ :=]+(\d{1,3})\b", re.IGNORECASE)
_ERROR_LINE = compile_late(
    r"^(?:E\s+)?((?:[\w.]*(?:Error|Exception|Panic)|error(?:\[\w+\])?|fatal|panic)\b: ?.+)$", re.MULTILINE
)
_PATH_KEYS = ("file_path", "path", "filename", "file", "notebook_path", "filePath")
_COMMAND_KEYS = ("command", "cmd")
_EDITS = compile_late(r"edit|write|create|patch|replace|insert|delete|move|rename", re.IGNORECASE)
_MENTIONED = ": mentioned"
_WORD = compile_late(r"[^\W\d_]{4,40}")


def find_facts(turns: Sequence[Turn], after: Turn | None = None) -> list[Fact]:
    """The facts of turns, each once with all its turns, in the order of their first mention.

    ``after`` is the turn after them, which may answer the last question. Of what people said, only their own words are
    read.
    """
    turns = [_in_own_words(turn) for turn in turns]
    after = None if after is None else _in_own_words(after)
    found: dict[tuple[FactKind, str], list[int]] = {}
    for position, turn in enumerate(turns):
        following = turns[position + 1] if position + 1 < len(turns) else after
        for kind, text in (*_find_statements(turn), *_find_tool_use(turn), *_open_questions(turn, following)):
            numbers = found.setdefault((kind, _shorten(text)), [])
            if turn.number not in numbers:
                numbers.append(turn.number)
    return [
        Fact(kind, text, tuple(numbers))
        for (kind, text), numbers in _drop_touched_files(found).items()
        if text
    ]


def _in_own_words(turn: Turn) -> Turn:
    nodes = tuple(
        replace(node, content=find_own_words(node.content)) if node.author is Author.HUMAN else node
        for node in turn.nodes
    )
    return replace(turn, nodes=nodes)


def _find_statements(turn: Turn) -> Iterator[tuple[FactKind, str]]:
    """Requests and decisions, and errors that people pasted."""
    asked = next((node for node in turn.nodes if node.author is Author.HUMAN), None)
    if asked is not None:
        request = next(iter(_sentences(_prose_and_shell(asked.content)[0])), asked.content)
        # What settles something is told as a decision.
        if request.endswith("?") or not _SETTLED_BY_PEOPLE.search(request):
            yield FactKind.REQUEST, request
    for node in turn.nodes:
        if node.author is Author.TOOL:
            continue
        settled = _SETTLED_BY_PEOPLE if node.author is Author.HUMAN else _SETTLED_BY_MODELS
        text, _ = _prose_and_shell(node.content)
        for sentence in _sentences(text):
            if settled.search(sentence) and not sentence.endswith("?"):
                yield FactKind.DECISION, sentence
        if node.author is Author.HUMAN:
            yield from ((FactKind.ERROR, found[1]) for found in _ERROR_LINE.finditer(_ends(node.content)))
        yield from ((FactKind.FILE, path + _MENTIONED) for path in _find_paths(text))


def _find_tool_use(turn: Turn) -> Iterator[tuple[FactKind, str]]:
    """Files that tools touched, commands and how they ended, and the errors that their results tell of."""
    results = {node.tool_call_id: node for node in turn.nodes if node.author is Author.TOOL}
    for node in turn.nodes:
        for call in node.tool_calls:
            arguments = _arguments(call)
            result = results.get(call.id)
            path = _first(arguments, _PATH_KEYS)
            if path:
                yield FactKind.FILE, f"{path}: {'edited' if _EDITS.search(call.name) else 'read'}"
            command = _first(arguments, _COMMAND_KEYS)
            if command:
                yield FactKind.COMMAND, f"`{_one_line(command)}`: {describe_end(result)}"
        if node.author is Author.MODEL:
            for line in _prose_and_shell(node.content)[1]:
                if line.strip() and not line.lstrip().startswith("#"):
                    yield FactKind.COMMAND, f"`{_one_line(line.removeprefix('$ '))}`: proposed"
        if node.author is Author.TOOL:
            yield from ((FactKind.ERROR, text) for text in _errors(node.content))


def describe_end(result: ChatNode | None) -> str:
    """The end of a command, as far as its result says so."""
    if result is None:
        return "no result"
    ends = _ends(result.content)
    code = _EXIT.search(ends)
    failures = len(failures_in(ends, lambda path: path))
    failed = bool(result.metadata.get("failed")) or (code is not None and int(code[1]) != 0) or failures > 0
    if not failed:
        return "succeeded" if code is not None or result.metadata.get("failed") is False else "ran"
    told = [f"exit code {int(code[1])}"] if code is not None and int(code[1]) else []
    if failures:
        told.append(f"{failures} {'failure' if failures == 1 else 'failures'}")
    return "failed" + (f" ({', '.join(told)})" if told else "")


def _errors(text: str) -> Iterator[str]:
    ends = _ends(text)
    failures = failures_in(ends, lambda path: path)
    for failure in failures:
        place = f"{failure.path}:{failure.line}: " if failure.path and failure.line else ""
        yield f"{place}{f'{failure.test}: ' if failure.test else ''}{_one_line(failure.message)}"
    if not failures:
        yield from (found[1] for found in _ERROR_LINE.finditer(ends))


def _open_questions(turn: Turn, following: Turn | None) -> Iterator[tuple[FactKind, str]]:
    """Questions without an answer, and what was said to be left open."""
    said = [node for node in turn.nodes if node.author is not Author.TOOL]
    if said and said[-1].author is Author.HUMAN:
        asked = [
            sentence
            for sentence in _sentences(_prose_and_shell(said[-1].content)[0])
            if sentence.endswith("?")
        ]
        yield from ((FactKind.QUESTION, sentence) for sentence in asked[-1:])
    for node in said:
        if node.author is Author.MODEL:
            sentences = list(_sentences(_prose_and_shell(node.content)[0]))
            yield from ((FactKind.QUESTION, each) for each in sentences if _OPEN.search(each))
            last = sentences[-1] if sentences else ""
            if last.endswith("?") and not _answers(following, last):
                yield FactKind.QUESTION, last


def _answers(turn: Turn | None, question: str) -> bool:
    """Whether what people said next takes up a word of the question, or is a short answer."""
    if turn is None:
        return False
    reply = turn.nodes[0].content
    words = {word.lower() for word in _WORD.findall(question)}
    return len(reply) <= 40 or not words.isdisjoint(word.lower() for word in _WORD.findall(reply))


def _drop_touched_files(
    found: Mapping[tuple[FactKind, str], Sequence[int]],
) -> Mapping[tuple[FactKind, str], Sequence[int]]:
    """Drop the mentions of files that a tool touched, which are facts already."""
    touched = {
        text.rpartition(": ")[0]
        for kind, text in found
        if kind is FactKind.FILE and not text.endswith(_MENTIONED)
    }
    return {
        (kind, text): numbers
        for (kind, text), numbers in found.items()
        if not (kind is FactKind.FILE and text.endswith(_MENTIONED) and text[: -len(_MENTIONED)] in touched)
    }


def _sentences(text: str) -> Iterator[str]:
    for found in _SENTENCE.finditer(text):
        sentence = found[0].strip(" \t-*>#")
        if len(sentence) > 2:
            yield sentence


def _find_paths(text: str) -> Iterator[str]:
    yield from (found[0] for found in _PATH.finditer(text) if _looks_like_file(found[0]))


def _looks_like_file(name: str) -> bool:
    if _NO_FILE.search(name):
        return False
    stem, _, ending = name.rpartition(".")
    # `a.b.c` is a name in code, `main.c` a file.
    return "/" in name or (ending.lower() in _ENDINGS and (len(ending) > 1 or "." not in stem))


def _prose_and_shell(text: str) -> tuple[str, list[str]]:
    """A message without its code, and the lines of its shell code."""
    prose: list[str] = []
    shell: list[str] = []
    fence, language = "", ""
    for line in _ends(text).splitlines():
        found = _FENCE.match(line)
        if found is not None and not fence:
            fence, language = found[1], found[2].lower()
        elif found is not None and found[1].startswith(fence):
            fence = ""
        elif not fence:
            prose.append(line)
        elif language in _SHELLS:
            shell.append(line)
    return "\n".join(prose), shell


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _SEARCHED else f"{text[:_SEARCHED]}\n{text[-_SEARCHED:]}"


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    try:
        given = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _first(arguments: Mapping[str, Any], keys: Sequence[str]) -> str:
    given = (arguments.get(key) for key in keys)
    return next((value for value in given if isinstance(value, str) and value.strip()), "")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shorten(text: str) -> str:
    return keep_beginning(_one_line(text), MAX_LINE_CHARS)


# Names without a folder are taken for files only with these endings: `node.id` and `e.g` are none.
_ENDINGS = word_set(
    "c cc cfg conf cpp cs css csv dart env ex exs go gradle h hpp hs html ini ipynb java js json jsx kt lock lua md mjs "
    "ml php pl proto ps1 py pyi r rb rs rst scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml zig"
)
