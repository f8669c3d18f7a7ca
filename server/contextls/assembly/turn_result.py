"""From the parts of a turn to its answer: messages or a document, the budget as it was used, the prediction of the cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contextls.assembly.account import account_for
from contextls.assembly.layers.budget import MESSAGE_TOKENS, Window
from contextls.assembly.layers.history import count_messages
from contextls.assembly.layers.parts import Part
from contextls.assembly.layers.prefixes import Block, SentPrefixes
from contextls.assembly.request import request_key
from contextls.assembly.result import context_id
from contextls.assembly.shapes.document import write_document
from contextls.assembly.shapes.messages import join_parts, tools_text, write_file_rules
from contextls.assembly.shapes.system_prompt import write_rules
from contextls.assembly.strategies import strategy_for
from contextls.model import (
    AssembledTurn,
    AssembleRequest,
    Context,
    InjectionPosition,
    Layer,
    LayerUse,
    Message,
    MessageRole,
    Metadata,
    Report,
    Section,
    Shape,
    ShownMessage,
    TokenBudget,
    TurnOptions,
    UsedTokens,
)
from contextls.text.gate import clean
from contextls.text.tokens import Tokenizer
from contextls.workspace.rules.rules_file import RulesFile

# Of a longer history the report names the newest messages, and the others as one.
MAX_NAMED = 100
_ROLES: Mapping[str, MessageRole] = {role.value: role for role in MessageRole}
_EMPTY = clean("")


@dataclass(frozen=True, slots=True)
class TurnParts:
    """Everything of a turn but what was retrieved.

    ``text`` is the user's message, or a document's unsaved end; ``rules`` are those for the active file.
    """

    options: TurnOptions
    root: Path
    tokenizer: Tokenizer
    window: Window
    system: str
    system_parts: tuple[Part, ...]
    moment: tuple[Part, ...]
    messages: tuple[ShownMessage, ...]
    tools: tuple[Mapping[str, Any], ...]
    text: str
    rules: tuple[RulesFile, ...] = ()
    is_cut: bool = False

    def count(self) -> int:
        """Its tokens with nothing retrieved."""
        return Filled(self).count()

    def message_parts(self) -> list[Part]:
        """History and message as parts for the report."""
        older, newest = self.messages[:-MAX_NAMED], self.messages[-MAX_NAMED:]
        named = [
            Part(Layer.SESSION, ", ".join(one.nodes) or "summary", _EMPTY, one.tokens, reason=one.role)
            for one in newest
        ]
        if older:
            tokens = sum(one.tokens for one in older)
            named.insert(0, Part(Layer.SESSION, f"{len(older):,} earlier messages", _EMPTY, tokens))
        if self.text:
            name = "buffer" if self.options.shape is Shape.DOCUMENT else "message"
            named.append(Part(Layer.EVENT, name, _EMPTY, self.tokenizer.count(self.text)))
        return named


@dataclass(frozen=True, slots=True)
class Filled:
    """A turn with what was retrieved for it, as it stands in the prompt, and the ``rules`` for the files in that."""

    parts: TurnParts
    context: Context | None = None
    retrieved: str = ""
    rules: tuple[RulesFile, ...] = ()

    @property
    def position(self) -> InjectionPosition:
        """Where the retrieved pieces stand."""
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
        """What stands before the history as a message of its own."""
        messages = self.parts.options.shape is Shape.MESSAGES
        return clean(self.retrieved if messages and self.position is InjectionPosition.BEFORE_HISTORY else "")

    @property
    def current(self) -> str:
        """The current message with all that moves, or the document."""
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

    def rules_parts(self) -> list[Part]:
        """The rules for single files as parts for the report."""
        count = self.parts.tokenizer.count
        return [
            Part(
                Layer.WORKSPACE, file.path, _EMPTY, count(write_rules(file)), reason="in the current message"
            )
            for file in self.all_rules
        ]

    def used(self) -> dict[str, int]:
        """The tokens of each physical layer, marks around messages included."""
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
        """All tokens."""
        return sum(self.used().values())


def answer_turn(
    filled: Filled,
    question: AssembleRequest,
    prefixes: SentPrefixes,
    layers: tuple[LayerUse, ...],
    warnings: Sequence[str],
    steps: Mapping[str, float],
    elapsed: Callable[[], float],
) -> AssembledTurn:
    """The answer; what it sends is remembered as what a provider may have in its cache from now on."""
    parts = filled.parts
    options, tokenizer, window = parts.options, parts.tokenizer, parts.window
    base = filled.context or _nothing(question, tokenizer)
    used = filled.used()
    current, history = filled.current, _history(filled)
    total = sum(used.values())
    late = (
        ()
        if filled.position is not InjectionPosition.SYSTEM
        else ("retrieved pieces stand in the system prompt, which no provider finds in its cache then",)
    )
    told = tuple(dict.fromkeys((*warnings, *late, *base.report.warnings)))
    report = Report(
        omitted=base.report.omitted,
        warnings=told,
        section_tokens=base.report.section_tokens,
        step_ms={**steps, **base.report.step_ms},
        tokenizer=tokenizer.name,
        tokenizer_exact=tokenizer.exact,
        index_complete=base.report.index_complete,
        index_extent=base.report.index_extent,
        cached=base.report.cached,
        layers=layers,
        assembly=account_for(window.available, total, layers, told),
    )
    message = Message(
        role=MessageRole.USER,
        content=current,
        tokens=tokenizer.count(current),
        source=options.source_event_id,
        context=_event_context(filled),
    )
    metadata = base.metadata
    return AssembledTurn(
        content=current,
        components=base.components,
        token_count=message.tokens,
        truncated=base.truncated or parts.is_cut,
        strategy=base.strategy,
        metadata=Metadata(
            metadata.query,
            metadata.events_considered,
            metadata.entities_considered,
            metadata.chunks_searched,
            elapsed(),
        ),
        report=report,
        confidence=base.confidence,
        id=base.id or context_id(current, request_key(question)),
        shape=options.shape,
        system_prompt=filled.system,
        system_context=_system_context(parts),
        history=history,
        current_message=message,
        tools=parts.tools,
        model=options.model,
        provider=options.provider,
        model_config=options.model_config,
        token_budget=TokenBudget(
            model_limit=window.limit,
            reserve_response=window.response,
            reserve_tools=window.tools,
            available=window.available,
            used=UsedTokens(**used, total=total, layers={use.layer.value: use.tokens for use in layers}),
            remaining=max(0, window.available - total),
        ),
        cache=prefixes.predict(options.model or "", _blocks(filled, history, used)),
        role=options.role,
        session_label=options.session_label,
        parent_turn_id=options.parent_turn_id,
        toolset_name=options.toolset_name,
        permissions_granted=options.permissions_granted,
        source_event_id=options.source_event_id,
        workspace_path=str(parts.root),
    )


def _history(filled: Filled) -> tuple[Message, ...]:
    if filled.parts.options.shape is Shape.DOCUMENT:
        return ()
    count = filled.parts.tokenizer.count
    before = filled.before
    injected = (
        (Message(role=MessageRole.USER, content=before, tokens=count(before), context={"memory": True}),)
        if before
        else ()
    )
    return (
        *injected,
        *(
            Message(
                role=_ROLES[one.role],
                content=one.content,
                tokens=one.tokens,
                nodes=one.nodes,
                tool_calls=one.tool_calls,
                tool_call_id=one.tool_call_id,
            )
            for one in filled.parts.messages
        ),
    )


def _blocks(filled: Filled, history: Sequence[Message], used: Mapping[str, int]) -> list[Block]:
    """What is sent, in the order in which a provider reads it."""
    blocks = []
    if filled.parts.tools:
        blocks.append(Block("tools", ("tools", tools_text(filled.parts.tools)), used["tools"]))
    if filled.system:
        blocks.append(Block("system", ("system", filled.system), used["system_prompt"]))
    blocks += [
        Block("history", (one.role, one.content, one.tool_calls), one.tokens + MESSAGE_TOKENS)
        for one in history
    ]
    blocks.append(Block("current message", (MessageRole.USER, filled.current, ()), used["event"]))
    return blocks


def _system_context(parts: TurnParts) -> Mapping[str, Any]:
    """What the system prompt is made of, by digest: to be kept with a turn."""
    return {
        layer.value: {
            part.name: part.digest for part in parts.system_parts if part.layer is layer and part.digest
        }
        for layer in (Layer.WORKSPACE, Layer.PERSONA)
    }


def _event_context(filled: Filled) -> Mapping[str, Any]:
    """What was put into the current message: to be kept with it."""
    options = filled.parts.options
    components = filled.context.components if filled.context else ()
    return {
        "event": {
            "platform": options.circumstances.platform,
            "hookCount": len(options.circumstances.hook_data),
        },
        "rules": [file.path for file in filled.all_rules],
        "memory": [one.source for one in components],
    }


def _nothing(question: AssembleRequest, tokenizer: Tokenizer) -> Context:
    """An answer for which nothing was retrieved."""
    return Context(
        content="",
        components=(),
        token_count=0,
        truncated=False,
        strategy=strategy_for(question.archetype, question.strategy_overrides),
        metadata=Metadata(question.query, 0, 0, 0, 0.0),
        report=Report((), (), dict.fromkeys(map(str, Section), 0), {}, tokenizer.name, tokenizer.exact, True),
    )
