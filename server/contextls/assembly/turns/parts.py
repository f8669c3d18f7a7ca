"""The parts of a turn, and the layers that are sent: these parts with the retrieved pieces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from contextls.assembly.layers.budget import MESSAGE_TOKENS, Window
from contextls.assembly.layers.history import count_messages
from contextls.assembly.layers.parts import LayerPart
from contextls.assembly.shapes.messages import join_parts, tools_text, write_document, write_file_rules
from contextls.assembly.shapes.system_prompt import write_rules
from contextls.model import Context, InjectionPosition, Layer, Shape, ShownMessage, TurnOptions
from contextls.text.gate import clean
from contextls.text.tokens import Tokenizer
from contextls.workspace.rules.rules_file import RulesFile

# The number of newest messages that the report names one by one; it sums up the others.
MAX_NAMED = 100
_EMPTY = clean("")


class TurnParts(Struct, frozen=True):
    """The parts of a turn, all but the retrieved pieces."""

    options: TurnOptions
    root: Path
    tokenizer: Tokenizer
    window: Window
    # The system prompt, and the parts that it was joined of.
    system: str
    system_parts: tuple[LayerPart, ...]
    # The parts of the current message that differ from turn to turn, such as the time.
    moment: tuple[LayerPart, ...]
    messages: tuple[ShownMessage, ...]
    tools: tuple[Mapping[str, Any], ...]
    # The message of the user, or the unsaved end of a document.
    text: str
    # The rules for the active file.
    rules: tuple[RulesFile, ...] = ()
    # Whether the history was cut.
    is_cut: bool = False

    def count(self) -> int:
        """The tokens of the turn without retrieved pieces."""
        return FilledTurn(self).count()

    def message_parts(self) -> list[LayerPart]:
        """History and message as parts for the report."""
        older, newest = self.messages[:-MAX_NAMED], self.messages[-MAX_NAMED:]
        named = [
            LayerPart(Layer.SESSION, ", ".join(one.nodes) or "summary", _EMPTY, one.tokens, reason=one.role)
            for one in newest
        ]
        if older:
            tokens = sum(one.tokens for one in older)
            named.insert(0, LayerPart(Layer.SESSION, f"{len(older):,} earlier messages", _EMPTY, tokens))
        if self.text:
            name = "buffer" if self.options.shape is Shape.DOCUMENT else "message"
            named.append(LayerPart(Layer.EVENT, name, _EMPTY, self.tokenizer.count(self.text)))
        return named


class FilledTurn(Struct, frozen=True):
    """A turn with the pieces retrieved for it."""

    parts: TurnParts
    # The context that was retrieved, and its text as it stands in the prompt.
    context: Context | None = None
    retrieved: str = ""
    # The rules for the files in it.
    rules: tuple[RulesFile, ...] = ()

    @property
    def position(self) -> InjectionPosition:
        """The position of the retrieved pieces."""
        document = self.parts.options.shape is Shape.DOCUMENT
        usual = InjectionPosition.BEFORE_HISTORY if document else InjectionPosition.AFTER_HISTORY
        return self.parts.options.injection.position or usual

    @property
    def system(self) -> str:
        """The system prompt; in a document it stands in the text."""
        if self.parts.options.shape is Shape.DOCUMENT:
            return _EMPTY
        return self._with_system()

    @property
    def before(self) -> str:
        """The message before the history, which holds retrieved pieces; empty if there is none."""
        messages = self.parts.options.shape is Shape.MESSAGES
        return clean(self.retrieved if messages and self.position is InjectionPosition.BEFORE_HISTORY else "")

    @property
    def current(self) -> str:
        """The current message, with all that differs from turn to turn; or the document."""
        parts = self.parts
        if parts.options.shape is Shape.DOCUMENT:
            in_front = self.position is InjectionPosition.BEFORE_HISTORY
            before = [self._with_system(), self.retrieved if in_front else ""]
            texts = [one.content for one in parts.messages]
            return clean(write_document(before, texts, parts.options.separator, parts.text))
        retrieved = self.retrieved if self.position is InjectionPosition.AFTER_HISTORY else ""
        return clean(
            join_parts([*(part.text for part in parts.moment), self._rules_text(), retrieved, parts.text])
        )

    def _with_system(self) -> str:
        late = self.retrieved if self.position is InjectionPosition.SYSTEM else ""
        return clean(join_parts([self.parts.system, late]))

    @property
    def all_rules(self) -> tuple[RulesFile, ...]:
        """Rules for single files, those for the active file last: they win."""
        return (*self.rules, *self.parts.rules)

    def _rules_text(self) -> str:
        return write_file_rules(self.all_rules) if self.all_rules else ""

    def rules_parts(self) -> list[LayerPart]:
        """The rules for single files as parts for the report."""
        count = self.parts.tokenizer.count
        return [
            LayerPart(
                Layer.WORKSPACE, file.path, _EMPTY, count(write_rules(file)), reason="in the current message"
            )
            for file in self.all_rules
        ]

    def used(self) -> dict[str, int]:
        """The tokens of each layer as it is sent, marks around messages included."""
        parts, count = self.parts, self.parts.tokenizer.count
        is_document = parts.options.shape is Shape.DOCUMENT
        history = 0 if is_document else count_messages(parts.messages)
        return {
            "system_prompt": count(self.system) + MESSAGE_TOKENS if self.system else 0,
            "history": history + (count(self.before) + MESSAGE_TOKENS if self.before else 0),
            "event": count(self.current) + (0 if is_document else MESSAGE_TOKENS),
            "tools": count(tools_text(parts.tools)),
        }

    def count(self) -> int:
        """The tokens of the whole turn."""
        return sum(self.used().values())
