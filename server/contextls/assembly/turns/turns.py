"""A turn of a conversation: its layers within the window of the model, with pieces retrieved for the room they leave.

What is never cut comes first: the system layer, the user's message, the newest messages. Retrieved pieces give way first,
then older history.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from contextls.assembly.admission.permissions import PermissionKind, permissions_for
from contextls.assembly.layers.budget import Window, divide, refuse_overflow
from contextls.assembly.layers.current_message import FileRules, gather_moment, write_rules_for
from contextls.assembly.layers.history import open_history, sent_messages
from contextls.assembly.layers.model_limits import choose_tokenizer, find_limit
from contextls.assembly.layers.parts import LayerPart, PartCollector, use_of
from contextls.assembly.layers.prefixes import SentPrefixes
from contextls.assembly.layers.system_layer import TurnPlace, gather_system_layer
from contextls.assembly.pieces.sent import NOTHING_SENT, SentMessages
from contextls.assembly.request import RetrievalRequest, check_request, describe_limit
from contextls.assembly.shapes.messages import join_parts, write_retrieved
from contextls.assembly.steps import elapsed_ms
from contextls.assembly.turns.parts import FilledTurn, TurnParts
from contextls.assembly.turns.result import TurnRecord, answer_turn
from contextls.memory.conversations.store import Conversations
from contextls.memory.conversations.turns import History
from contextls.memory.working_set.budget import HISTORY
from contextls.model import (
    AssembledTurn,
    Context,
    Layer,
    LayerUse,
    ManifestBudget,
    Shape,
    TurnOptions,
    TurnRequest,
)
from contextls.settings import MIN_TOKENS, Settings
from contextls.text.gate import clean
from contextls.workspace.rules.find import Rules

# What joining parts may cost beyond their own counts; the whole is counted in the end.
SPARE = 16
MAX_TRIES = 4


class TurnSources(Struct, frozen=True):
    """The memories and settings that the layers of a turn are made of. ``now`` is in ms."""

    place: TurnPlace
    settings: Settings
    retrieve: Callable[[RetrievalRequest], Context]
    prefixes: SentPrefixes
    conversations: Conversations
    now: int
    summarizer: Callable[[str, int], str] | None = None
    budget: ManifestBudget = field(default_factory=ManifestBudget)


def assemble_turn(request: TurnRequest, sources: TurnSources) -> AssembledTurn:
    """The turn for ``request``.

    Raises ``InvalidRequestError`` naming the field that is wrong, ``ContextLimitError`` when what is never cut does not fit.
    """
    return _TurnAssembly(request, sources).assemble()


class _TurnAssembly:
    """Assembles one turn, and collects what its report says on the way."""

    def __init__(self, request: TurnRequest, sources: TurnSources) -> None:
        self._started = time.perf_counter()
        self._sources = sources
        self._options = _check(request)
        self._question = request.question
        self._warnings: list[str] = []
        self._tokenizer = choose_tokenizer(
            self._question.tokenizer, self._options.model, sources.settings.tokenizer
        )
        self._history_source = open_history(
            self._options, self._tokenizer, sources.settings, sources.conversations, sources.summarizer
        )
        self._window = self._divide_window()
        self._permissions = permissions_for(self._question, sources.settings.identity_permissions)
        self._budgets = self._layer_budgets()
        self._system = PartCollector(self._tokenizer.count, self._budgets)
        self._moment = PartCollector(self._tokenizer.count, self._budgets)

    @property
    def _is_document(self) -> bool:
        return self._options.shape is Shape.DOCUMENT

    @property
    def _with_system(self) -> bool:
        return not self._is_document or self._history_source.with_system

    def assemble(self) -> AssembledTurn:
        """The answer for this turn."""
        file_rules = FileRules(self._sources.place, self._gather_system(), self._permissions)
        step_ms = {"layers": elapsed_ms(self._started)}
        history = self._read_history()
        if not self._is_document:
            gather_moment(self._options, self._sources.now, self._moment)
        parts = self._collect_parts(history)
        if not self._is_document:
            position = self._question.position
            near = file_rules.take([position.path] if position else [], self._moment)
            parts = replace(parts, rules=tuple(near))
        parts = self._fit_history(parts, history)
        sent = NOTHING_SENT
        if self._options.shape is Shape.MESSAGES:
            sent = sent_messages(parts.messages, self._history_source.number_turns(history))
        step_ms["history"] = round(elapsed_ms(self._started) - step_ms["layers"], 3)
        filled = self._fill(parts, file_rules, sent)
        if not self._is_document:
            file_rules.name_unused(self._moment)
        warnings = (*self._warnings, *self._system.warnings, *self._moment.warnings)
        record = TurnRecord(self._report_layers(filled), warnings, step_ms, self._started)
        return answer_turn(filled, self._question, self._sources.prefixes, record)

    def _gather_system(self) -> Rules:
        """Gather the parts of the system prompt, where the shape has one; return the rules that are for some files only."""
        if self._with_system:
            place, granted = self._sources.place, self._question.permissions_granted
            return gather_system_layer(place, self._options, self._permissions, granted, self._system)
        reason = "a document has none unless bufferModeSystemContext is true"
        self._system.omit(Layer.WORKSPACE, "system prompt", reason)
        return Rules()

    def _collect_parts(self, history: History) -> TurnParts:
        """The parts of the turn, all but the retrieved pieces."""
        options = self._options
        allowed = self._permissions.allow
        tools = tuple(
            tool for tool in options.tools if allowed(PermissionKind.TOOLS, [str(tool.get("name", ""))])
        )
        if len(tools) < len(options.tools):
            names = [str(tool.get("name", "")) for tool in options.tools if tool not in tools]
            self._warnings.append(f"permissions: {len(names):,} tools left out: {', '.join(names[:5])}")
        if self._with_system:
            self._system.add(Layer.PERSONA, "conversation", history.system)
            for number, text in enumerate(history.instructions, 1):
                self._system.add(Layer.PERSONA, f"instruction {number}", text)
        system = join_parts([part.text for part in self._system.parts])
        return TurnParts(
            options=options,
            root=self._sources.place.root,
            tokenizer=self._tokenizer,
            window=self._window,
            system=clean(system),
            system_parts=tuple(self._system.parts),
            moment=tuple(self._moment.parts),
            messages=history.messages,
            tools=tools,
            text=clean(options.buffer if self._is_document else self._question.query),
        )

    def _read_history(self) -> History:
        """The history that may be sent; what is left out of it is noted for the report."""
        found = self._history_source.read()
        if found.messages and not self._permissions.allow(PermissionKind.HISTORY):
            self._moment.omit(Layer.SESSION, "history", "permission", found.tokens)
            return History((), tokenizer=found.tokenizer)
        for one in found.excluded:
            self._moment.omit(Layer.SESSION, one.node, one.reason)
        return found

    def _fit_history(self, parts: TurnParts, history: History) -> TurnParts:
        """``parts`` with as much of the history as the window leaves room for."""
        bare = replace(parts, messages=())
        fixed = bare.count() + SPARE
        if fixed > self._window.available:
            raise refuse_overflow(fixed, self._window, self._report_layers(FilledTurn(bare)))
        budget = self._budgets.get(Layer.SESSION)
        room = self._window.available - fixed
        room = room if budget is None else min(room, budget)
        fitted = self._history_source.fit(history, room, fixed)
        self._warnings += fitted.notes
        for node in fitted.history.summary_of:
            self._moment.omit(Layer.SESSION, node, "in the summary")
        for node, reason in fitted.dropped:
            self._moment.omit(Layer.SESSION, node, reason)
        return replace(parts, messages=fitted.history.messages, is_cut=bool(fitted.notes))

    def _fill(self, parts: TurnParts, file_rules: FileRules, sent: SentMessages) -> FilledTurn:
        """``parts`` with the pieces retrieved for the room that is left; the whole never exceeds the window."""
        room = self._window.available - parts.count() - SPARE
        for _ in range(MAX_TRIES):
            context = self._retrieve(room, sent)
            filled = FilledTurn(parts, context, write_retrieved(context.content) if context else "")
            over = filled.count() - self._window.available
            if over <= 0:
                return self._add_rules(filled, file_rules)
            room -= over + SPARE
        self._warnings.append("what was retrieved did not fit after several tries and was left out")
        return FilledTurn(parts)

    def _retrieve(self, room: int, sent: SentMessages) -> Context | None:
        """The pieces for this turn, in at most ``room`` tokens; ``None`` where there is no room for any."""
        options = self._options
        wanted = options.injection.max_tokens
        wanted = self._question.max_tokens if wanted is None else wanted
        bounds = [each for each in (wanted, self._budgets.get(Layer.MEMORY)) if each is not None]
        if any(bound < MIN_TOKENS for bound in bounds):
            return None
        if room < MIN_TOKENS:
            self._warnings.append(
                "no room is left for what was retrieved; history and message take all of it"
            )
            return None
        asked = asdict(self._question)
        # The question line would repeat the message.
        asked |= {"max_tokens": min([*bounds, room]), "tokenizer": self._tokenizer.name, "task_line": False}
        return self._sources.retrieve(RetrievalRequest(**asked, format=options.injection.format, sent=sent))

    def _add_rules(self, filled: FilledTurn, file_rules: FileRules) -> FilledTurn:
        """``filled`` with the rules for the retrieved files, as far as they fit with the pieces."""
        if self._is_document or filled.context is None:
            return filled
        paths = [one.path for one in filled.context.components if one.path]
        for file in file_rules.take(paths, self._moment):
            more = replace(filled, rules=(*filled.rules, file))
            if more.count() <= self._window.available:
                filled = more
            else:
                self._moment.omit(
                    Layer.WORKSPACE, file.path, "budget", self._tokenizer.count(write_rules_for([file]))
                )
                self._moment.warnings.append(f"{file.path}: no room is left for these rules")
        return filled

    def _report_layers(self, filled: FilledTurn) -> tuple[LayerUse, ...]:
        """The use of each layer, beginning with the one that changes least."""
        budgets = self._budgets
        parts: list[LayerPart] = [*filled.parts.system_parts, *filled.parts.moment, *filled.rules_parts()]
        parts += filled.parts.message_parts()
        omitted = [*self._system.omitted, *self._moment.omitted]
        found = filled.context
        uses = []
        for layer in Layer:
            if layer is Layer.MEMORY:
                items = found.report.layers[0].items if found else ()
                tokens = self._tokenizer.count(filled.retrieved)
                uses.append(LayerUse(layer, tokens, items, budgets.get(layer)))
            else:
                uses.append(use_of(layer, parts, omitted, budgets.get(layer)))
        return tuple(uses)

    def _divide_window(self) -> Window:
        """The model's window less the reserves, bounded by the request and by the working set's budget."""
        settings, options = self._sources.settings, self._options
        limit = find_limit(options.model, settings.model_limits, settings.default_model_limit)
        reserves = options.reserves
        if self._is_document:
            reserves = replace(reserves, response=self._history_source.rules.token_buffer, tools=0)
        manifest, most = self._sources.budget, options.max_tokens
        if manifest.limit is not None and (most is None or manifest.limit < most):
            most = manifest.limit
        window = divide(limit, reserves, most, manifest.reserved_for_response)
        if options.max_tokens is not None and window.available == most != options.max_tokens:
            self._warnings.append(describe_limit(window.available, options.max_tokens))
        # Where the request's own bound is the smaller one, the assumed window does not matter.
        if limit.warning and window.available != most:
            self._warnings.append(limit.warning)
        return window

    def _layer_budgets(self) -> dict[Layer, int]:
        """The bounds of the request; of the history, where it names none, the allocation of the working set."""
        budgets = dict(self._options.layer_budgets)
        history = self._sources.budget.tokens_of(HISTORY, self._window.available)
        if history is not None:
            budgets.setdefault(Layer.SESSION, history)
        return budgets


def _check(request: TurnRequest) -> TurnOptions:
    options = request.options
    check_request(request.question)
    options.check()
    return options
