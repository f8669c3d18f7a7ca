"""The answer made of a turn: its messages or document, the report with the budget as used, the prediction of the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from contextls.assembly.answer.account import account_for
from contextls.assembly.answer.result import context_id
from contextls.assembly.layers.budget import MESSAGE_TOKENS, Window
from contextls.assembly.layers.prefixes import SentBlock, SentPrefixes
from contextls.assembly.request import request_key
from contextls.assembly.shapes.messages import tools_text
from contextls.assembly.steps import elapsed_ms
from contextls.assembly.strategies import strategy_for
from contextls.assembly.turns.parts import FilledTurn, TurnParts
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
    TokenBudget,
    UsedTokens,
)
from contextls.text.tokens import Tokenizer

_ROLES: Mapping[str, MessageRole] = {role.value: role for role in MessageRole}
_LATE_SYSTEM = "retrieved pieces stand in the system prompt, which no provider finds in its cache then"


class TurnRecord(Struct, frozen=True):
    """The account of how a turn was made. ``started`` is a reading of ``time.perf_counter``."""

    layers: tuple[LayerUse, ...]
    warnings: tuple[str, ...]
    step_ms: Mapping[str, float]
    started: float


def answer_turn(
    filled: FilledTurn, question: AssembleRequest, prefixes: SentPrefixes, record: TurnRecord
) -> AssembledTurn:
    """Make the answer, and note in ``prefixes`` that a provider may have its text in the cache from now on."""
    parts = filled.parts
    options, tokenizer = parts.options, parts.tokenizer
    base = filled.context or _nothing(question, tokenizer)
    used = filled.used()
    current, history = filled.current, _history(filled)
    tokens = tokenizer.count(current)
    return AssembledTurn(
        content=current,
        components=base.components,
        token_count=tokens,
        truncated=base.truncated or parts.is_cut,
        strategy=base.strategy,
        metadata=replace(base.metadata, assembly_time_ms=elapsed_ms(record.started)),
        report=_report(filled, base.report, record, sum(used.values())),
        confidence=base.confidence,
        id=base.id or context_id(current, request_key(question)),
        shape=options.shape,
        system_prompt=filled.system,
        system_context=_system_context(parts),
        history=history,
        current_message=Message(
            role=MessageRole.USER,
            content=current,
            tokens=tokens,
            source=options.source_event_id,
            context=_event_context(filled),
        ),
        tools=parts.tools,
        model=options.model,
        provider=options.provider,
        model_config=options.model_config,
        token_budget=_token_budget(parts.window, used, record.layers),
        cache=prefixes.predict(options.model or "", _blocks(filled, history, used)),
        role=options.role,
        session_label=options.session_label,
        parent_turn_id=options.parent_turn_id,
        toolset_name=options.toolset_name,
        permissions_granted=question.permissions_granted,
        source_event_id=options.source_event_id,
        workspace_path=str(parts.root),
    )


def _report(filled: FilledTurn, base: Report, record: TurnRecord, total: int) -> Report:
    """The report of the whole turn, of ``total`` tokens, made of ``base``, the report of what was retrieved."""
    tokenizer = filled.parts.tokenizer
    late = (_LATE_SYSTEM,) if filled.position is InjectionPosition.SYSTEM else ()
    distinct = tuple(dict.fromkeys((*record.warnings, *late, *base.warnings)))
    return replace(
        base,
        warnings=distinct,
        step_ms={**record.step_ms, **base.step_ms},
        tokenizer=tokenizer.name,
        tokenizer_exact=tokenizer.exact,
        layers=record.layers,
        assembly=account_for(filled.parts.window.available, total, record.layers, distinct),
    )


def _token_budget(window: Window, used: Mapping[str, int], layers: Sequence[LayerUse]) -> TokenBudget:
    total = sum(used.values())
    return TokenBudget(
        model_limit=window.limit,
        reserve_response=window.response,
        reserve_tools=window.tools,
        available=window.available,
        used=UsedTokens(**used, total=total, layers={use.layer.value: use.tokens for use in layers}),
        remaining=max(0, window.available - total),
    )


def _history(filled: FilledTurn) -> tuple[Message, ...]:
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


def _blocks(filled: FilledTurn, history: Sequence[Message], used: Mapping[str, int]) -> list[SentBlock]:
    """The blocks that are sent, in the order in which a provider reads them."""
    blocks = []
    if filled.parts.tools:
        blocks.append(SentBlock("tools", ("tools", tools_text(filled.parts.tools)), used["tools"]))
    if filled.system:
        blocks.append(SentBlock("system", ("system", filled.system), used["system_prompt"]))
    blocks += [
        SentBlock("history", (one.role, one.content, one.tool_calls), one.tokens + MESSAGE_TOKENS)
        for one in history
    ]
    blocks.append(SentBlock("current message", (MessageRole.USER, filled.current, ()), used["event"]))
    return blocks


def _system_context(parts: TurnParts) -> Mapping[str, Any]:
    """Digests of the parts of the system prompt, for a client to keep with the turn."""
    return {
        layer.value: {
            part.name: part.digest for part in parts.system_parts if part.layer is layer and part.digest
        }
        for layer in (Layer.WORKSPACE, Layer.PERSONA)
    }


def _event_context(filled: FilledTurn) -> Mapping[str, Any]:
    """The things put into the current message, for a client to keep with it."""
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
    """A context in which nothing was retrieved."""
    return Context(
        content="",
        components=(),
        token_count=0,
        truncated=False,
        strategy=strategy_for(question.archetype, question.strategy_overrides),
        metadata=Metadata(question.query, 0, 0, 0, 0.0),
        report=Report(
            (),
            (),
            dict.fromkeys(map(str, Section), 0),
            {},
            tokenizer.name,
            tokenizer.exact,
            index_complete=True,
        ),
    )
