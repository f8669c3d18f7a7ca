"""Assembles one prompt from several workspaces for ``contextls assemble``."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING

from msgspec.structs import replace

from contextls.cli.indexing import refresh_in_time
from contextls.cli.session import open_engine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from contextls.engine import Engine
    from contextls.engine.several import Ask
    from contextls.model import AssembleRequest, Context, TurnOptions
    from contextls.settings import Settings


def assemble_together(
    first: Engine,
    others: Sequence[Path],
    request: AssembleRequest,
    turn: TurnOptions | None,
    settings: Settings,
    *,
    index: bool,
) -> Context:
    """Ask ``first`` and the workspaces at ``others``; with ``index`` these are brought up to date before.

    Of ``turn``, which is plain, the model counts. Raises ``WorkspaceError``, ``InvalidRequestError``.
    """
    from contextls.engine.model_window import fit_to_model
    from contextls.engine.several import assemble_several, name_roots

    warnings: tuple[str, ...] = ()
    if turn is not None:
        request, warnings = fit_to_model(request, turn, request.max_tokens, settings)
    with ExitStack() as opened:
        engines = {first.root: first}
        for root in others:
            engine = opened.enter_context(open_engine(root))
            if engine.root not in engines and index:
                refresh_in_time(engine)
            engines.setdefault(engine.root, engine)
        names = name_roots(list(engines))
        asks = {
            name: _ask(engine, is_first=engine is first)
            for name, engine in zip(names, engines.values(), strict=True)
        }
        context = asyncio.run(assemble_several(request, asks, settings.tokenizer))
    return replace(context, report=context.report.with_warnings(warnings)) if warnings else context


def _ask(engine: Engine, *, is_first: bool) -> Ask:
    async def answer(request: AssembleRequest, name: str) -> Context:
        # The file in front of the user is one of the first workspace.
        asked = request if is_first else replace(request, position=None)
        return engine.assemble_part(asked, name)

    return answer
