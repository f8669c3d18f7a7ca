"""Makes an item smaller with a model's help, where the user configured one and code alone would lose it."""

from __future__ import annotations

import time
from dataclasses import replace

from contextls.assembly.compress import LEAST_TOKENS, shrunk
from contextls.assembly.compress_text import compress_text
from contextls.assembly.items import Item
from contextls.assembly.shapes.markdown import summary_block
from contextls.code.pool import WorkerPool
from contextls.model import CompressedText, Section
from contextls.store.summarizers.summaries import Summaries
from contextls.text.prose import extracted
from contextls.text.tokens import Tokenizer, get_tokenizer

MOST_SUMMARIES = 4
# The specification's target: a third of the original.
PART = 3
# A summary of less than a third is asked for in steps, so that nearly the same room asks for the same summary.
STEP = 16
# A head that keeps so much of an item tells more than a summary would.
HEAD_IS_ENOUGH = 2 / 3
LONGEST_TEXT = 100_000
_WITHOUT = "made smaller without a summary"


class Summarizing:
    """``shrunk`` for one question: an item that it would lose, or cut to a head, is summarised to about a third.

    The first ``MOST_SUMMARIES`` such items are, within the summariser's time for a question; the others are what
    ``shrunk`` makes of them, and so are all where no summariser is configured.
    """

    def __init__(self, summaries: Summaries | None) -> None:
        self.warnings: list[str] = []
        self.ms = 0.0
        self.asked = 0
        self._summaries = summaries

    def __call__(self, item: Item, max_tokens: int, tokenizer: Tokenizer) -> Item | None:
        """The item in at most ``max_tokens``, or ``None`` when nothing useful would be left."""
        small = shrunk(item, max_tokens, tokenizer)
        if (
            self._summaries is None
            or item.excerpt is not None
            or (small is not None and small.compression != "head")
        ):
            return small
        whole = tokenizer.count(item.text)
        if small is not None and tokenizer.count(small.text) >= HEAD_IS_ENOUGH * whole:
            return small
        return self._summarized(self._summaries, item, whole, max_tokens, tokenizer) or small

    def _summarized(
        self, summaries: Summaries, item: Item, whole: int, max_tokens: int, tokenizer: Tokenizer
    ) -> Item | None:
        text = _told(item)
        name = item.code.symbol if item.code else ""
        room = max_tokens - tokenizer.count(summary_block(item.source, name, "\n"))
        target = whole // PART
        if target > room:
            target = room - room % STEP
        if text is None or len(text) > LONGEST_TEXT or target < LEAST_TOKENS or self.asked == MOST_SUMMARIES:
            return None
        summary = self._asked(summaries, text, target)
        short = summary and _fitting(summary, target, tokenizer)
        if not short:
            return None
        block = summary_block(item.source, name, short)
        if tokenizer.count(block) > max_tokens:
            return None
        # The code of the item is no longer shown: nothing may be joined to it.
        code = replace(item.code, text="") if item.code else None
        return replace(item, text=block, code=code, compression="summary")

    def _asked(self, summaries: Summaries, text: str, target: int) -> str | None:
        self.asked += 1
        started = time.perf_counter()
        try:
            return summaries.summary(text, target, summaries.seconds - self.ms / 1000)
        except Exception as error:  # whatever it is, the item is made smaller without a model
            if not self.warnings:
                self.warnings.append(f"{_WITHOUT}: {error}")
            return None
        finally:
            self.ms += (time.perf_counter() - started) * 1000


def summarized_text(
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
    if len(text) > LONGEST_TEXT:
        return replace(plain, warning=f"no summary: the text has more than {LONGEST_TEXT} characters")
    tokenizer = get_tokenizer(tokenizer_name)
    try:
        short = _fitting(summaries.summary(text, max_tokens, summaries.seconds), max_tokens, tokenizer)
    except Exception as error:  # whatever it is, the text is made smaller without a model
        return replace(plain, warning=f"{_WITHOUT}: {error}")
    if not short:
        return plain
    return replace(plain, text=short, token_count=tokenizer.count(short), truncated=True, method="summary")


def _fitting(summary: str, max_tokens: int, tokenizer: Tokenizer) -> str:
    """``summary``, by its main sentences or else its beginning where it is longer than was asked for."""
    if tokenizer.count(summary) <= max_tokens:
        return summary
    return extracted(summary, max_tokens, tokenizer) or tokenizer.prefix(summary, max_tokens)


def _told(item: Item) -> str | None:
    """What a model gets to read of an item: where it stands and its text; ``None`` where there is nothing to summarise."""
    if item.section is Section.CUSTOM:
        return item.text
    if item.code is None:
        return None
    code = item.code
    header = f"{code.header.rstrip()}\n" if code.header else ""
    return f"{code.path} {code.symbol}".rstrip() + f"\n\n{header}{code.text}"
