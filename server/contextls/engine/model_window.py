"""Fits a question to a named model: its tokenizer counts, and its window bounds the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from contextls.assembly.layers.budget import divide
from contextls.assembly.layers.model_limits import choose_tokenizer, find_limit
from contextls.model.turn import Reserves

if TYPE_CHECKING:
    from contextls.model import AssembleRequest, TurnOptions
    from contextls.settings import Settings

Question = TypeVar("Question", bound="AssembleRequest")


def fit_to_model(
    question: Question,
    options: TurnOptions,
    asked: int | None,
    settings: Settings,
    response: int | None = None,
) -> tuple[Question, tuple[str, ...]]:
    """``question`` for the model that the options name, and what to know about that.

    ``asked`` is the budget that the client itself named, ``response`` what the working set keeps free for the answer.
    Raises ``InvalidRequestError``.
    """
    # Without either, a mistake in the limits of models matters to nobody.
    if options.model is None and options.reserves == Reserves():
        return question, ()
    limit = find_limit(options.model, settings.model_limits, settings.default_model_limit)
    window = divide(limit, options.reserves, question.max_tokens, response)
    if options.model is None:
        return question, ()
    tokenizer = choose_tokenizer(question.tokenizer, options.model, settings.tokenizer)
    fitted = replace(question, tokenizer=tokenizer.name, max_tokens=window.available)
    if asked is None or window.available == asked:
        return fitted, ()
    bound = f"the window of {options.model} leaves {window.available:,} tokens; {asked:,} were asked for"
    return fitted, tuple(filter(None, (bound, limit.warning)))
