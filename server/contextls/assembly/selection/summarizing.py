"""Makes a candidate smaller with a model's help, where the user configured one and code alone would lose it."""

from __future__ import annotations

import time

from msgspec.structs import replace

from contextls.assembly.compress_text import compress_text
from contextls.assembly.pieces.bodies import CodeSpan, FreeText, Summary
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.shrink import MIN_TOKENS
from contextls.assembly.shapes.shape import PromptShape
from contextls.code.pool import WorkerPool
from contextls.model import CompressedText
from contextls.models.summarizers.summaries import Summaries
from contextls.text.prose import extract_sentences
from contextls.text.tokens import Tokenizer, get_tokenizer

MAX_SUMMARIES = 4
# The specification's target: a third of the original.
PART = 3
# A summary of less than a third is asked for in steps, so that nearly the same room asks for the same summary.
STEP = 16
# A beginning that keeps this share of the text tells more than a summary would.
HEAD_IS_ENOUGH = 2 / 3
MAX_TEXT_CHARS = 100_000
_WITHOUT = "made smaller without a summary"


class SummarizingShrink:
    """A shape's ``shrink`` for one question: what it would lose, or cut to a head, is summarised to about a third.

    The first ``MAX_SUMMARIES`` such candidates are, within the summariser's time for a question; the others become what
    the shape makes of them, and so do all where no summariser is configured.
    """

    def __init__(self, shape: PromptShape, summaries: Summaries | None) -> None:
        self.warnings: list[str] = []
        self.ms = 0.0
        self.asked = 0
        self._shape = shape
        self._summaries = summaries

    def __call__(self, candidate: Candidate, max_tokens: int) -> Candidate | None:
        """The candidate in at most ``max_tokens``, or ``None`` when nothing useful would be left."""
        measure, body = self._shape.measure, candidate.body
        small = self._shape.shrink(candidate, max_tokens)
        if self._summaries is None or not isinstance(body, (CodeSpan, FreeText)):
            return small
        if small is not None:
            enough = measure(small.body) >= HEAD_IS_ENOUGH * measure(body)
            if small.compression != "head" or enough:
                return small
        return self._summarize(self._summaries, candidate, body, max_tokens) or small

    def _summarize(
        self, summaries: Summaries, candidate: Candidate, body: CodeSpan | FreeText, max_tokens: int
    ) -> Candidate | None:
        text = _text_for_model(body)
        # The text is no longer shown: nothing may be joined to it.
        empty = Summary("\n", candidate.id, replace(body, text=""))
        room = max_tokens - self._shape.measure(empty)
        target = self._shape.measure(body) // PART
        if target > room:
            target = room - room % STEP
        if len(text) > MAX_TEXT_CHARS or target < MIN_TOKENS or self.asked == MAX_SUMMARIES:
            return None
        summary = self._ask(summaries, text, target)
        short = summary and _fit_summary(summary, target, self._shape.tokenizer)
        if not short:
            return None
        whole = replace(empty, text=short)
        if self._shape.measure(whole) > max_tokens:
            return None
        return replace(candidate, body=whole, compression="summary")

    def _ask(self, summaries: Summaries, text: str, target: int) -> str | None:
        self.asked += 1
        started = time.perf_counter()
        try:
            return summaries.summary(text, target, summaries.seconds - self.ms / 1000)
        except Exception as error:  # whatever it is, the candidate is made smaller without a model
            if not self.warnings:
                self.warnings.append(f"{_WITHOUT}: {error}")
            return None
        finally:
            self.ms += (time.perf_counter() - started) * 1000


def summarize_text(
    text: str,
    max_tokens: int,
    tokenizer_name: str,
    path_or_language: str,
    summaries: Summaries | None,
    pool: WorkerPool,
) -> CompressedText:
    """``compress_text`` by a model where ``text`` does not fit; without one, ``warning`` says why.

    Raises ``InvalidRequestError`` naming the field.
    """
    plain = compress_text(text, max_tokens, tokenizer_name, path_or_language, pool)
    if plain.method == "none":
        return plain
    if summaries is None:
        return replace(plain, warning="no summary: summarizerEndpoint and summarizerModel are not set")
    if len(text) > MAX_TEXT_CHARS:
        return replace(plain, warning=f"no summary: the text has more than {MAX_TEXT_CHARS} characters")
    tokenizer = get_tokenizer(tokenizer_name)
    try:
        short = _fit_summary(summaries.summary(text, max_tokens, summaries.seconds), max_tokens, tokenizer)
    except Exception as error:  # whatever it is, the text is made smaller without a model
        return replace(plain, warning=f"{_WITHOUT}: {error}")
    if not short:
        return plain
    return replace(plain, text=short, token_count=tokenizer.count(short), truncated=True, method="summary")


def _fit_summary(summary: str, max_tokens: int, tokenizer: Tokenizer) -> str:
    """``summary``, by its main sentences or else its beginning where it is longer than was asked for."""
    if tokenizer.count(summary) <= max_tokens:
        return summary
    return extract_sentences(summary, max_tokens, tokenizer) or tokenizer.prefix(summary, max_tokens)


def _text_for_model(body: CodeSpan | FreeText) -> str:
    """The text to summarise, under its place."""
    if isinstance(body, FreeText):
        return body.text
    header = f"{body.header.rstrip()}\n" if body.header else ""
    return f"{body.path} {body.symbol}".rstrip() + f"\n\n{header}{body.text}"
