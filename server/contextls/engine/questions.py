"""Answers of one workspace: prompts as one text, turns of conversations, and contexts that are brought up to date.

All of ``assembly`` is loaded with this module, and its layers with the first question in a conversation: most commands
ask nothing, and most questions are asked outside of any.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.assembly.memory_snapshot import MemorySnapshot, take_snapshot
from contextls.assembly.prompts import Prompts
from contextls.assembly.request import (
    BudgetedRequest,
    FollowUpRequest,
    check_request,
    with_budget,
    with_root,
)
from contextls.made_once import made_once
from contextls.model import AssembleRequest
from contextls.settings_file import user_file
from contextls.text.gate import clean

if TYPE_CHECKING:
    from contextls.assembly.layers.prefixes import SentPrefixes
    from contextls.assembly.layers.system_layer import TurnPlace
    from contextls.assembly.turns.server_entries import ServerEntries
    from contextls.engine.dependencies import Dependencies
    from contextls.engine.engine import Engine
    from contextls.engine.several import Ask
    from contextls.memory.memories import Memories
    from contextls.model import AssembledTurn, Context, Event, ServerEntry, TurnRequest


class Questions:
    """Answers the questions of one workspace. Safe to use from several threads."""

    def __init__(self, engine: Engine, memories: Memories, dependencies: Dependencies) -> None:
        """Use the methods of ``engine``, which document these."""
        self._engine = engine
        self._memories = memories
        self._dependencies = dependencies
        self._prompts = Prompts(memories.settings.tokenizer)

    def assemble(self, request: AssembleRequest, now: int | None) -> Context:
        """One prompt, from installed packages as well where the question wants them."""
        return self._assemble(self._read(request), now)

    def _assemble(self, asked: BudgetedRequest, now: int | None) -> Context:
        installed = self._dependencies.find_packages(asked)
        if installed.paths:
            context = self._assemble_with(installed.paths, asked)
        else:
            context = self._prompts.assemble(asked, self._take_snapshot(asked, now), exact=now is not None)
        if not installed.warnings:
            return context
        return replace(context, report=context.report.with_warnings(installed.warnings))

    def _assemble_with(self, installed: Sequence[str], request: BudgetedRequest) -> Context:
        """One prompt of this workspace and of installed packages, whose paths count from the workspace."""
        from contextls.engine.several import assemble_several, run_at_once

        def answer_by(engine: Engine, *, is_own: bool) -> Ask:
            async def answer(asked: AssembleRequest, name: str) -> Context:
                if not is_own:
                    asked = replace(asked, scope=(), position=None, changes=None)
                return engine.assemble_part(asked, name, installed=not is_own)

            return answer

        with self._dependencies.engines(installed) as engines:
            packages = {path: answer_by(engine, is_own=False) for path, engine in engines.items()}
            answers = {"": answer_by(self._engine, is_own=True), **packages}
            return run_at_once(assemble_several(request, answers, self._memories.settings.tokenizer))

    def assemble_part(self, request: AssembleRequest, name: str, *, installed: bool) -> Context:
        """One part of a prompt from several workspaces."""
        asked = with_root(self._read(request), name, installed=installed)
        return self._prompts.assemble(asked, self._take_snapshot(asked, None), exact=False)

    def follow_up(self, request: TurnRequest, now: int | None) -> Context:
        """One text after the messages that the options name, for their model."""
        from contextls.engine.model_window import fit_to_model

        response = self._memories.working_set.budget().reserved_for_response
        question, warnings = fit_to_model(
            self._read(request.question),
            request.options,
            request.question.max_tokens,
            self._memories.settings,
            response,
        )
        if request.options.is_plain:
            context = self._assemble(question, now)
        else:
            context = self._follow_up(replace(request, question=question), now)
        return replace(context, report=context.report.with_warnings(warnings)) if warnings else context

    def _follow_up(self, request: TurnRequest, now: int | None) -> Context:
        from contextls.assembly.turns.follow_up import follow_up

        memories, snapshot = self._memories, self._take_snapshot(request.question, now)
        return follow_up(
            request,
            memories.settings,
            memories.conversations,
            self._place(snapshot.accepts),
            self._retrieval(request, snapshot, exact=now is not None),
        )

    def assemble_turn(self, request: TurnRequest, now: int | None) -> AssembledTurn:
        """The turn of a conversation: layers, history and what was retrieved."""
        from contextls.assembly.turns.turns import TurnSources, assemble_turn

        request = replace(request, question=self._read(request.question))
        snapshot = self._take_snapshot(request.question, now)
        sources = TurnSources(
            place=self._place(snapshot.accepts),
            settings=self._memories.settings,
            retrieve=self._retrieval(request, snapshot, exact=now is not None),
            prefixes=self._prefixes,
            conversations=self._memories.conversations,
            summarizer=self._engine.conversations.summarizer(),
            now=snapshot.now,
            budget=self._memories.working_set.budget(),
        )
        return assemble_turn(request, sources)

    def check_known(self, context_id: str) -> None:
        """Raise ``InvalidRequestError`` when there is no context of this id (any more)."""
        self._prompts.check_known(context_id)

    def update(self, context_id: str, recorded: Event | None, max_tokens: int | None) -> Context:
        """The context of this id with the event that was ``recorded`` first in it."""
        from contextls.assembly.turns.tagged_prompt import renew_preface

        snapshot = take_snapshot(self._memories, None)
        return self._prompts.update(
            context_id,
            recorded,
            max_tokens,
            snapshot,
            lambda asked: renew_preface(asked, self._place(snapshot.accepts), snapshot.identity_permissions),
        )

    def list_server_entries(self, conversation_id: str | None) -> tuple[ServerEntry, ...]:
        """The changes of the server to the working set, for this conversation or the current one."""
        return self._server_entries.list_entries(conversation_id)

    def forget(self, *, turns: bool) -> None:
        """Know no context and no answer any more and, of conversations, no ``turns`` that were sent."""
        self._prompts.forget()
        if turns:
            self._prefixes.forget()

    @made_once
    def _prefixes(self) -> SentPrefixes:
        from contextls.assembly.layers.prefixes import SentPrefixes

        return SentPrefixes()

    @made_once
    def _server_entries(self) -> ServerEntries:
        from contextls.assembly.turns.server_entries import ServerEntries

        return ServerEntries(self._memories)

    def _read(self, request: AssembleRequest) -> BudgetedRequest:
        """``request`` without secrets, and with the usual budget of this workspace where it names none.

        Raises ``InvalidRequestError`` naming the field that is out of bounds.
        """
        check_request(request)
        other_words = tuple(map(clean, request.other_words))
        request = replace(request, query=clean(request.query), other_words=other_words)
        usual = self._engine.working_set.usual_budget(self._memories.settings.max_tokens)
        return with_budget(request, usual)

    def _take_snapshot(self, request: AssembleRequest, now: int | None) -> MemorySnapshot:
        """The memories that answer ``request``, including matching files that are not indexed yet."""
        self._memories.look_for(" ".join((request.query, *request.other_words)), request.scope)
        return take_snapshot(self._memories, now)

    def _retrieval(
        self, request: TurnRequest, snapshot: MemorySnapshot, *, exact: bool
    ) -> Callable[[FollowUpRequest], Context]:
        """The function that retrieves pieces for ``request``, with the working set as the server changed it."""
        entries = self._server_entries.of_request(request, snapshot)
        return lambda asked: self._prompts.assemble(
            replace(asked, server_entries=entries), snapshot, exact=exact
        )

    def _place(self, shows: Callable[[str], bool]) -> TurnPlace:
        """The place of a turn in this workspace; ``shows`` tells which files it may show."""
        from contextls.assembly.layers.system_layer import TurnPlace
        from contextls.workspace.host import this_host

        return TurnPlace(
            root=self._memories.root,
            trusted=self._engine.is_trusted,
            user_folder=user_file().parent,
            host=this_host(),
            environment=os.environ,
            shows=shows,
        )
