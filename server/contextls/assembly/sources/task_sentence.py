"""The first line of a prompt: what is asked, as a person would write it above what they paste."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import dedent

from contextls.assembly.admission.exclusion import ExclusionFilter
from contextls.assembly.pieces.bodies import TaskSentence
from contextls.assembly.question import Question
from contextls.assembly.targets.work_question import Work
from contextls.assembly.wording.pasted_text import names_failure, split_message
from contextls.memory.events.failures import FailedRun
from contextls.memory.index.query.long_queries import read_report
from contextls.memory.index.query.report_lines import LineKind
from contextls.memory.index.query.traces import is_installed
from contextls.memory.vcs.change_scope import describe_changes
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Changes, EventType
from contextls.regex import compile_late
from contextls.text.fence import inline, one_line
from contextls.text.gate import clean

MAX_CHARS = 400
# What was pasted stays as it is up to this; of more, the line that tells what went wrong.
MAX_QUOTED_LINES, MAX_QUOTED_CHARS = 12, 1_000
# The sentence takes at most a tenth of the budget, but always has room for a short question.
SHARE, MIN_TOKENS = 10, 16
MAX_LISTED_PATHS = 3
_REPAIR = compile_late(
    r"\b(fix|repair|solve|mend|correct|debug|make\b.*\b(pass|work|run|green))\b", re.IGNORECASE
)
_WRONG = compile_late(r"error|exception|fail|fatal|panic|critical|warn|refused|denied|timeout", re.IGNORECASE)
_SENTENCE_END = compile_late(r"(?<=[.!?])\s+")


def write_task(question: Question, exclusion: ExclusionFilter) -> TaskSentence:
    """The sentence for ``question``, naming the failure or the changes that it means without saying which."""
    request, work = question.request, question.work
    if request.task:
        return read_task(request.task)
    if work.alone and work.kind is Work.FAILURE and _REPAIR.search(request.query):
        name = _name_failure(question.target.failure, exclusion)
        if name:
            return TaskSentence(f"Fix this failure: {name}")
    if work.alone and work.kind is Work.REVIEW and not (request.filters.paths or request.filters.exclude):
        hunks = [hunk for hunk in question.changes or question.target.hunks if not exclusion.hides(hunk.path)]
        if hunks:
            return TaskSentence(f"Review this diff: {_count_changes(hunks, request.changes)}")
    return read_task(request.query)


def read_task(text: str) -> TaskSentence:
    """The typed lines of ``text`` as a sentence; pasted lines stay as they are where they are few, else one is quoted."""
    lines = clean(text).expandtabs(4).strip("\n").splitlines()
    lines = lines[next((number for number, line in enumerate(lines) if line.strip()), 0) :]
    message = split_message(lines)
    typed, pasted, below = message.typed, message.pasted, message.typed_below
    if not typed:
        typed, below = below, []
    sentence, last_sentence = (_shorten(" ".join(map(one_line, each)), MAX_CHARS) for each in (typed, below))
    if not pasted:
        is_failure = len(typed) == 1 and names_failure(sentence)
        return TaskSentence(f"Fix this failure: {sentence}" if is_failure else sentence)
    body = dedent("\n".join(map(str.rstrip, pasted))).strip("\n")
    if len(pasted) <= MAX_QUOTED_LINES and len(body) <= MAX_QUOTED_CHARS:
        return TaskSentence(sentence or _introduce(pasted[0], body), body, last_sentence)
    excerpt = _quote_failure(body)
    words = f"{sentence or _introduce(pasted[0], excerpt)} {excerpt} {last_sentence}"
    return TaskSentence(_shorten(words.strip(), MAX_CHARS))


def cut_sentence(
    body: TaskSentence, max_tokens: int, measure: Callable[[TaskSentence], int]
) -> TaskSentence | None:
    """Shorten ``body`` to fit: the pasted text to one line, then to nothing, then the sentence to its first words.

    ``None`` where not even one word fits.
    """
    if measure(body) <= max_tokens:
        return body
    if body.quoted:
        text = f"{body.sentence} {_quote_failure(body.quoted)} {body.below}"
        brief = TaskSentence(_shorten(text.rstrip(), MAX_CHARS))
        if _WRONG.search(brief.sentence) and measure(brief) <= max_tokens:
            return brief
    words = f"{body.sentence} {body.below}".split()
    bare = TaskSentence(" ".join(words))
    while words and measure(bare) > max_tokens:
        words.pop()
        bare = TaskSentence(" ".join(words) + "…")
    return bare if words else None


def room_for(max_tokens: int) -> int:
    """The tokens that the sentence may take of a budget."""
    return max(MIN_TOKENS, max_tokens * SHARE // 100)


def _introduce(first_line: str, text: str) -> str:
    """The request to write above a paste with which nothing was typed."""
    return "Fix this failure:" if names_failure(first_line) or _WRONG.search(text) else "Explain this:"


def _quote_failure(text: str) -> str:
    """The last line of ``text`` that reports an error, else its title, with the first place that it mentions."""
    report = read_report(text)
    told = [(part, line) for part, line in report.lines if part is not LineKind.FRAME]
    wrong = [line for part, line in told if part is LineKind.ERROR or names_failure(line)]
    line = one_line(wrong[-1] if wrong else report.title)
    places = [place for place in report.places if place.line is not None]
    place = next((place for place in places if not is_installed(place.path)), places[0] if places else None)
    path = "/".join(place.path.split("/")[-2:]) if place else ""
    where = f" at {inline(f'{path}:{place.line}')}" if place and path not in line else ""
    return f"{_shorten(line, MAX_CHARS // 2)}{where}"


def _shorten(text: str, max_chars: int) -> str:
    """The first sentences of ``text`` in at most ``max_chars``; where the first is longer, its first words."""
    text = " ".join(text.split())
    if len(text) <= max_chars:
        return text
    found = ""
    for sentence in _SENTENCE_END.split(text):
        if len(found) + len(sentence) >= max_chars:
            break
        found = f"{found} {sentence}".strip()
    return found or text[:max_chars].rsplit(" ", 1)[0] + "…"


def _name_failure(failure: FailedRun | None, exclusion: ExclusionFilter) -> str:
    """The command that failed, else its error message; empty where neither may be shown."""
    for event in exclusion.events(failure.events[::-1]) if failure else ():
        if event.type == EventType.SHELL_EXEC and isinstance(command := event.content.get("command"), str):
            code = event.content.get("exitCode")
            return inline(_shorten(command, MAX_CHARS)) + (f" (exit {code})" if code else "")
        if isinstance(message := event.content.get("message"), str):
            return _shorten(one_line(message), MAX_CHARS)
    return ""


def _count_changes(hunks: Sequence[Hunk], asked: str | None) -> str:
    """Say how many changes of which kind there are, and in which files."""
    how = describe_changes(asked or Changes.ALL)
    paths = list(dict.fromkeys(hunk.path for hunk in hunks))
    names = [inline(path) for path in paths[:MAX_LISTED_PATHS]]
    if len(paths) > MAX_LISTED_PATHS:
        names.append(f"{len(paths) - MAX_LISTED_PATHS} more")
    files = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    changes = f"change{'s' if len(hunks) > 1 else ''}"
    return f"{len(hunks)} {f'{changes} {how}' if ' ' in how else f'{how} {changes}'} in {files}"
