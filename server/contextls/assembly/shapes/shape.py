"""The base class of shapes: turns chosen candidates into a prompt, and measures each of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from msgspec import Struct

from contextls.assembly.pieces.bodies import Body
from contextls.assembly.pieces.candidate import Candidate
from contextls.assembly.pieces.shrink import shrink
from contextls.assembly.shapes.arrange import arrange
from contextls.model import LayerItem, Section
from contextls.text.tokens import Tokenizer


class Frame(Struct, frozen=True):
    """The part of a prompt that is not pieces: its tokens, and its parts in the report.

    ``is_cut`` says that parts stay out for want of room.
    """

    tokens: int = 0
    items: tuple[LayerItem, ...] = ()
    warnings: tuple[str, ...] = ()
    is_cut: bool = False


NO_FRAME = Frame()


class PromptShape(ABC):
    """The form of a prompt, for one question: it remembers what it has written and counted.

    A shape says how one body is written and how all of them are put together. The budget is enforced on what it writes.
    """

    seam_tokens = 1  # what joins two pieces may cost; checked on the whole in the end
    cleans_pieces = False  # whether ``finish`` takes the secrets out, so that the whole needs no look

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        # By identity: bodies are frozen, and comparing long ones would cost more than writing them.
        self._written: dict[int, tuple[Body, str]] = {}
        self._counts: dict[str, int] = {}

    def for_budget(self, max_tokens: int) -> Self:  # noqa: ARG002 - a shape with a frame cuts it
        """A copy of the shape with nothing remembered, for a prompt of at most ``max_tokens``."""
        return type(self)(self.tokenizer)

    @property
    def frame(self) -> Frame:
        """The frame that the shape puts around pieces."""
        return NO_FRAME

    @abstractmethod
    def compose(self, body: Body) -> str:
        """One piece by itself."""

    @abstractmethod
    def heading(self, section: Section) -> str:
        """The line that opens a section, or ""."""

    @abstractmethod
    def render(self, pieces: Sequence[Candidate]) -> str:
        """The whole prompt, of pieces that were arranged."""

    def write(self, body: Body) -> str:
        """``compose``, once for each body."""
        known = self._written.get(id(body))
        if known is None:
            known = self._written[id(body)] = (body, self.compose(body))
        return known[1]

    def finish(self, body: Body) -> str:
        """One piece as it stands in the prompt."""
        return self.write(body)

    def measure(self, body: Body) -> int:
        """Tokens of one piece by itself."""
        return self.count(self.write(body))

    def count(self, text: str) -> int:
        """Tokens of a piece that was written, or of a heading; each is counted once."""
        count = self._counts.get(text)
        if count is None:
            count = self._counts[text] = self.tokenizer.count(text)
        return count

    def measure_heading(self, section: Section) -> int:
        """Tokens that opening a section costs."""
        return self.count(self.heading(section))

    def shrink(self, candidate: Candidate, max_tokens: int) -> Candidate | None:
        """``candidate`` in at most ``max_tokens``, or ``None`` when nothing useful would be left."""
        return shrink(candidate, max_tokens, self.tokenizer, self.measure)

    def arrange(self, chosen: Sequence[Candidate], order: Sequence[str] = ()) -> list[Candidate]:
        """``chosen`` in the order in which they are read; ids named in ``order`` come first within their section."""
        return arrange(chosen, order)
