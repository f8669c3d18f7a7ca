"""Words that the code may have for what a question says otherwise: the client's, or a model's if the user wants."""

from __future__ import annotations

from contextls.assembly.memory_snapshot import MemorySnapshot
from contextls.assembly.request import BudgetedRequest
from contextls.assembly.targets.work_question import read_work
from contextls.regex import compile_late

MAX_WORDS = 8
# Longer texts are pasted, and name the code themselves.
MAX_CHARS = 600
# The share of the time that a question may wait for the model; the rest is for summaries.
PART = 0.5
_WORD = compile_late(r"[^\W\d]\w{1,60}")


def find_other_words(
    request: BudgetedRequest, memories: MemorySnapshot, warnings: list[str]
) -> tuple[str, ...]:
    """The words for ``request``; what kept a model from giving some is added to ``warnings``."""
    model = memories.summaries
    if request.other_words or model is None or not model.gives_words or not _describes_code(request):
        return request.other_words
    try:
        said = model.name_words(request.query, model.seconds * PART)
    except Exception as error:  # whatever it is, the question is asked as it is
        warnings.append(f"asked without other words: {error}")
        return ()
    return tuple(dict.fromkeys(_WORD.findall(said)))[:MAX_WORDS]


def _describes_code(request: BudgetedRequest) -> bool:
    """Whether it says in words of its own what to look for, and not only that work goes on or what was changed."""
    if request.changes is not None or len(request.query) > MAX_CHARS:
        return False
    return not read_work(request.query, (), wants_repair=False).alone
