"""Indexes in the background, with progress that users see and can cancel."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING

from contextls.errors import CancelledError, ContextlsError
from contextls.live.heap import freeze_heap

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.engine import Engine
    from contextls.live.listener import IndexingDisplay, Listener
    from contextls.live.workspace import Workspace
    from contextls.model import IndexProgress, IndexReport

log = logging.getLogger(__name__)


async def index(listener: Listener, workspace: Workspace, *, rebuild: bool = False) -> IndexReport:
    """Bring an index up to date, or build it again. Raises ``CancelledError`` when a user stops it."""
    done = workspace.runs.begin()
    try:
        return await _show_run(listener, workspace, rebuild=rebuild)
    finally:
        done()


async def _show_run(listener: Listener, workspace: Workspace, *, rebuild: bool) -> IndexReport:
    cancel = threading.Event()
    display = await listener.show_indexing(workspace.root, cancel.set)
    try:
        report = await workspace.index(
            lambda engine, stop: _run(engine, stop, display, workspace, rebuild=rebuild), cancel
        )
    except (CancelledError, asyncio.CancelledError):
        display.stop()
        raise
    except BaseException:
        display.fail()
        raise
    display.finish(report)
    return report


async def index_in_background(listener: Listener, workspace: Workspace, done: Callable[[], None]) -> None:
    """``index``, with failures reported to the user and the log. ``done`` is called at the end."""
    try:
        report = await index(listener, workspace)
        log.info(
            "indexed %s: %d of %d files were new or changed, %d chunks, %.0f ms",
            workspace.root,
            report.changed,
            report.files,
            report.chunks,
            report.ms,
        )
    except CancelledError:
        log.info("indexing of %s was stopped", workspace.root)
    except ContextlsError as error:
        listener.warn(f"{workspace.root.name}: {error}")
    except Exception:
        log.exception("indexing of %s failed", workspace.root)
        listener.warn(f"{workspace.root.name}: indexing failed unexpectedly; see the server's log")
    finally:
        done()


def _run(
    engine: Engine, cancel: threading.Event, display: IndexingDisplay, workspace: Workspace, *, rebuild: bool
) -> IndexReport:
    if rebuild:
        engine.clear(index=True)
    # What is open in the editor is indexed first.
    workspace.overlays.apply(engine)
    pace = workspace.pace
    pace.begin()

    def report_progress(progress: IndexProgress) -> None:
        pace.advance(progress)
        display.report(progress)

    report = engine.index(report_progress, cancel)
    engine.prepare()
    freeze_heap()
    return report
