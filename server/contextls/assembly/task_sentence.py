"""The first line of a prompt: what is asked, as a person would write it above what they paste."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import dedent

from contextls.assembly.bodies import TaskSentence
from contextls.assembly.exclusion import ExclusionFilter
from contextls.assembly.question import Question
from contextls.assembly.targets.work_question import Work
from contextls.memory.events.failures import FailedRun
from contextls.memory.index.languages import HAN_OR_KANA, asks_in_another
from contextls.memory.index.long_queries import read_report
from contextls.memory.index.report_lines import LineKind
from contextls.memory.vcs.change_scope import describe_changes
from contextls.memory.vcs.hunks import Hunk
from contextls.model import Changes, EventType
from contextls.text.fence import inline, one_line
from contextls.text.gate import clean

MAX_CHARS = 400
# What was pasted stays as it is up to this; of more, the line that tells what went wrong.
MAX_QUOTED_LINES, MAX_QUOTED_CHARS = 12, 1_000
# This part of the budget, but always so many tokens as a short question has.
SHARE, MIN_TOKENS = 10, 16
LISTED_PATHS = 3
_REPAIR = re.compile(
    r"\b(fix|repair|solve|mend|correct|debug|make\b.*\b(pass|work|run|green))\b", re.IGNORECASE
)
# A line that a program wrote, or that has a form of its own: code, lists, fences, quotes.
_PASTED = re.compile(
    r"\s{2,}\S|\t|\s*(?:[-*+>|]\s|\d+[.)]\s|```|~~~|[{}<]|\d{4}-\d\d|\[?\d\d:\d\d)|\S.*[;{}]$|diff --git|@@ |[+-]{3} "
    r"|\$ \S|(?:GET|HEAD|POST|PUT|PATCH|DELETE) /|(?:INFO|WARN(?:ING)?|ERROR)\b|\((?:error|warning)\) "
    r"|(?:\w+[.:]+)+[A-Z]\w+: |Did you mean "
)
_FAILURE = re.compile(
    r"\W*+(?:Traceback \(|Exception in thread|[\w.:\\]*(?:Error|Exception|Panic)(?::|$)|error(?:\[\w+\])?:|fatal(?: error)?:"
    r"|panic:|thread '.*' panicked|(?-i:FAILED\b|FAIL\b|E\s{3}))",
    re.IGNORECASE,
)
_PROSE = re.compile(rf"[^\W\d_][\w'’]*,? \S+ \S|[{HAN_OR_KANA}]{{3}}")
# Programs print whole sentences, too; people ask and wish in these words.
_IS = r"(?:is|are|do|does|did|can|could|should|would|will|has|have|must|to|am)"
_WANTS = re.compile(
    r"(?:^|[,.;!?] |[-–—] )(?:(?:and|but|so|now|then|ok|also) )*"
    rf"(?:(?:where|what|how) {_IS}|why|who|how (?:come|many|much)|(?:can|could|should|do|am) (?:i|we|you)|is there"
    r"|(?:please )?(?:explain|help|(?:show|tell) me|fix (?:it|this|that))|fix (?:the|my)|repair|mend"
    r"|make (?:it|this|that|the)"
    r"|any (?:idea|way|hint|chance)|(?-i:we))(?![\w/'’-])"
    r"|(?<![\w/.'’-])(?:i|i['’](?:m|ve|d|ll)|my|our)(?![\w/.=+*)\]-])",
    re.IGNORECASE,
)
# Programs begin their paragraphs with a capital letter or a label.
_SAID = re.compile(r"[a-z][\w'’]*(?: [\w'’`-]+,?){3}")
_MARK = ("?", "？", "؟")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_WRONG = re.compile(r"error|exception|fail|fatal|panic|critical|warn|refused|denied|timeout", re.IGNORECASE)
_STAMPED = re.compile(r"\$ \S|\W*(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def write_task(question: Question, exclusion: ExclusionFilter) -> TaskSentence:
    """What ``question`` asks; of the work at hand it names the failure, or the changes, that it means."""
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
    """``text`` as it was typed and pasted: a sentence, and what came with it where that is short."""
    lines = clean(text).expandtabs(4).strip("\n").splitlines()
    lines = lines[next((number for number, line in enumerate(lines) if line.strip()), 0) :]
    typed, pasted = _part_lines(lines)
    pasted, asked = _part_question(pasted)
    if not typed:
        typed, asked = asked, []
    sentence, below = (_shorten(" ".join(map(one_line, each)), MAX_CHARS) for each in (typed, asked))
    if not pasted:
        alone = len(typed) == 1 and _FAILURE.match(sentence)
        return TaskSentence(f"Fix this failure: {sentence}" if alone else sentence)
    body = dedent("\n".join(map(str.rstrip, pasted))).strip("\n")
    if len(pasted) <= MAX_QUOTED_LINES and len(body) <= MAX_QUOTED_CHARS:
        return TaskSentence(sentence or _introduce(pasted[0], body), body, below)
    told = _tell(body)
    words = f"{sentence or _introduce(pasted[0], told)} {told} {below}"
    return TaskSentence(_shorten(words.strip(), MAX_CHARS))


def cut_sentence(
    body: TaskSentence, max_tokens: int, measure: Callable[[TaskSentence], int]
) -> TaskSentence | None:
    """``body`` as it fits: what came with it in one line, or not at all, then fewer words; ``None`` where none would."""
    if measure(body) <= max_tokens:
        return body
    if body.quoted:
        told = _shorten(f"{body.sentence} {_tell(body.quoted)} {body.below}".rstrip(), MAX_CHARS)
        if _WRONG.search(told) and measure(TaskSentence(told)) <= max_tokens:
            return TaskSentence(told)
    words = f"{body.sentence} {body.below}".split()
    bare = TaskSentence(" ".join(words))
    while words and measure(bare) > max_tokens:
        words.pop()
        bare = TaskSentence(" ".join(words) + "…")
    return bare if words else None


def room_for(max_tokens: int) -> int:
    """The tokens that the sentence may take of a budget."""
    return max(MIN_TOKENS, max_tokens * SHARE // 100)


def _part_lines(lines: list[str]) -> tuple[list[str], list[str]]:
    """What was typed above, and what was pasted below; prose that goes on over several paragraphs was typed."""
    if len(lines) < 2 or _begins_paste(lines):
        return ([], lines) if len(lines) > 1 else (lines, [])
    if _FENCE.match(lines[0]):
        end = (
            next((number for number, line in enumerate(lines) if number and _FENCE.match(line)), len(lines))
            + 1
        )
        return [line for line in lines[end:] if line.strip()], lines[:end]
    if not any(map(_is_pasted, lines[1:])):
        return [line for line in lines if line.strip()], []
    first = next(
        number for number, line in enumerate(lines) if number and (not line.strip() or _is_pasted(line))
    )
    return lines[:first], lines[first:]


def _begins_paste(lines: list[str]) -> bool:
    """Whether nothing was typed above a paste; with a line that may be either it is, if something was typed below."""
    first = lines[0]
    if _FAILURE.match(first) or _STAMPED.match(first) or first.startswith(">"):
        return True
    return bool(_is_pasted(first) and not _FENCE.match(first) and _part_question(lines)[1])


def _is_pasted(line: str) -> bool:
    return bool(_PASTED.match(line) or _FAILURE.match(line))


def _part_question(pasted: list[str]) -> tuple[list[str], list[str]]:
    """Split off what was typed below a paste: the last lines of prose, from the first that asks or wishes.

    A paragraph in small letters was typed, too.
    """
    last = len(pasted)
    while last and not pasted[last - 1].strip():
        last -= 1
    first = last
    while first and _is_typed(pasted[first - 1]):
        first -= 1
    if not first or first == last:
        return pasted, []
    if not pasted[last - 1].rstrip().endswith(_MARK):
        alone = not pasted[first - 1].strip()
        wants = next((number for number in range(first, last) if _wants(pasted[number])), last)
        if not alone or (wants == last and not _SAID.match(pasted[first])):
            first = wants
    return pasted[:first], pasted[first:last]


def _is_typed(line: str) -> bool:
    """Whether a line may be typed: prose, or a question in a word or two."""
    asks = _WANTS.match(line) and line.rstrip().endswith(_MARK)
    return bool(asks or _PROSE.match(line)) and not _is_pasted(line)


def _wants(line: str) -> bool:
    """Whether a line of prose asks or wishes."""
    if line.rstrip().endswith(":"):
        return False
    return bool(_WANTS.search(line) or asks_in_another(line))


def _introduce(first: str, told: str) -> str:
    """The words above something pasted by itself."""
    return "Fix this failure:" if _FAILURE.match(first) or _WRONG.search(told) else "Explain this:"


def _tell(text: str) -> str:
    """The line of ``text`` that says most of what went wrong, and where."""
    report = read_report(text)
    wrong = [line for part, line in report.lines if part is LineKind.ERROR or _FAILURE.match(line)]
    line = one_line(wrong[-1] if wrong else report.title)
    place = next((place for place in report.places if place.line is not None), None)
    path = "/".join(place.path.split("/")[-2:]) if place else ""
    where = f" at {inline(f'{path}:{place.line}')}" if place and path not in line else ""
    return f"{_shorten(line, MAX_CHARS // 2)}{where}"


def _shorten(text: str, most: int) -> str:
    """The first sentences of ``text`` in at most ``most`` characters; of a longer one, its first words."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    found = ""
    for sentence in _SENTENCE_END.split(text):
        if len(found) + len(sentence) >= most:
            break
        found = f"{found} {sentence}".strip()
    return found or text[:most].rsplit(" ", 1)[0] + "…"


def _name_failure(failure: FailedRun | None, exclusion: ExclusionFilter) -> str:
    """The command that failed, else its error; nothing where that may not be shown."""
    for event in exclusion.events(failure.events[::-1]) if failure else ():
        if event.type == EventType.SHELL_EXEC and isinstance(command := event.content.get("command"), str):
            code = event.content.get("exitCode")
            return inline(_shorten(command, MAX_CHARS)) + (f" (exit {code})" if code else "")
        if isinstance(message := event.content.get("message"), str):
            return _shorten(one_line(message), MAX_CHARS)
    return ""


def _count_changes(hunks: Sequence[Hunk], asked: str | None) -> str:
    how = describe_changes(asked or Changes.ALL)
    paths = list(dict.fromkeys(hunk.path for hunk in hunks))
    names = [inline(path) for path in paths[:LISTED_PATHS]]
    if len(paths) > LISTED_PATHS:
        names.append(f"{len(paths) - LISTED_PATHS} more")
    files = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    changes = f"change{'s' if len(hunks) > 1 else ''}"
    return f"{len(hunks)} {f'{changes} {how}' if ' ' in how else f'{how} {changes}'} in {files}"
