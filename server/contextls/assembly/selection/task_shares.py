"""Lines about tasks cut to the parts of the budget that they may take.

What is asked may take a tenth of the budget. Of the tasks at hand, as the specification has it: the root goal 5 %, the
path to the current task 15 %, the results of completed siblings 10 %. What a part leaves unused goes to everything else.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from contextls.assembly.pieces.bodies import TaskLine, TaskPart, TaskSentence
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.shrink import cut_task
from contextls.assembly.selection.select import describe_omission
from contextls.assembly.shapes.shape import PromptShape
from contextls.assembly.sources.task_sentence import cut_sentence, room_for
from contextls.model import Omission

SHARES = {TaskPart.ROOT: 5, TaskPart.PATH: 15, TaskPart.SIBLINGS: 10}
# Tokens of the line break after a line.
_LINE_END = 1


def cut_tasks(
    candidates: Sequence[Candidate], max_tokens: int, shape: PromptShape
) -> tuple[list[Candidate], list[Omission]]:
    """``candidates`` with each part of the task lines within its share of ``max_tokens``, and the lines without room.

    A line too long for what is left of its share is cut. The current task has the first claim on the path's share, then
    the nearest above it; of siblings, the newest comes first.
    """
    left = {part: max_tokens * share // 100 for part, share in SHARES.items()}
    lines = [(each, each.body) for each in candidates if isinstance(each.body, TaskLine)]
    path = [pair for pair in lines if pair[1].part is TaskPart.PATH]
    cut: dict[str, Candidate] = {}
    omitted: list[Omission] = []
    for part, claims in (
        (TaskPart.ROOT, [pair for pair in lines if pair[1].part is TaskPart.ROOT]),
        (TaskPart.PATH, path[::-1]),
        (TaskPart.SIBLINGS, [pair for pair in lines if pair[1].part is TaskPart.SIBLINGS]),
    ):
        for candidate, line in claims:
            body = cut_task(line, left[part] - _LINE_END, shape.measure)
            if body is None:
                omitted.append(describe_omission(candidate, "budget", shape))
                continue
            left[part] -= shape.measure(body) + _LINE_END
            cut[candidate.id] = _cut_to(candidate, body)
    asked = [_cut_asked(each, room_for(max_tokens), shape) for each in candidates]
    others = [each for each in candidates if not isinstance(each.body, (TaskLine, TaskSentence))]
    return [*filter(None, asked), *(cut[each.id] for each, _ in lines if each.id in cut), *others], omitted


def _cut_asked(candidate: Candidate, max_tokens: int, shape: PromptShape) -> Candidate | None:
    """The question in at most ``max_tokens``; ``None`` for any other candidate."""
    if not isinstance(candidate.body, TaskSentence):
        return None
    body = cut_sentence(candidate.body, max_tokens, shape.measure)
    return None if body is None else _cut_to(candidate, body)


def _cut_to(candidate: Candidate, body: TaskLine | TaskSentence) -> Candidate:
    return replace(candidate, body=body, compression=None if body is candidate.body else "head")
