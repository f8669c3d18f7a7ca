"""Indexing in the background, with progress that a user can watch and stop."""

from __future__ import annotations

import asyncio
import logging
import threading
from typing import TYPE_CHECKING

from contextls.errors import CancelledError, ContextlsError

if TYPE_CHECKING:
    from contextls.engine import Engine
    from contextls.lsp.progress import Job
    from contextls.lsp.server import ContextServer
    from contextls.lsp.workspaces import Workspace
    from contextls.model import IndexProgress, IndexReport

_PHASES = {"scan": "Looking for files", "index": "Reading files", "store": "Storing"}
log = logging.getLogger(__name__)


async def index(server: ContextServer, workspace: Workspace, *, rebuild: bool = False) -> IndexReport:
    """Bring an index up to date, or build it anew. Raises ``CancelledError`` when a user stops it."""
    cancel = threading.Event()
    job = await server.jobs.start(f"Indexing {workspace.root.name}", cancel.set)
    message = "failed; see the server's log"
    try:
        report = await workspace.index(lambda engine, stop: _run(engine, stop, job, rebuild=rebuild), cancel)
        message = f"{report.files} files, {report.chunks} chunks"
    except (CancelledError, asyncio.CancelledError):
        message = "stopped; what was finished is kept"
        raise
    finally:
        job.end(message)
    return report


async def index_in_background(server: ContextServer, workspace: Workspace) -> None:
    """``index`` for nobody who waits: what goes wrong is told to the user and the log."""
    try:
        report = await index(server, workspace)
        log.info(
            "indexed %s: %d files, %d chunks, %.0f ms", workspace.root, report.files, report.chunks, report.ms
        )
    except CancelledError:
        log.info("indexing of %s was stopped", workspace.root)
    except ContextlsError as error:
        server.warn(f"{workspace.root.name}: {error}")
    except Exception:
        log.exception("indexing of %s failed", workspace.root)
        server.warn(f"{workspace.root.name}: indexing failed unexpectedly; see the server's log")


def _run(engine: Engine, cancel: threading.Event, job: Job, *, rebuild: bool) -> IndexReport:
    if rebuild:
        engine.clear(index=True)
    report = engine.index(lambda progress: _report(job, progress), cancel)
    engine.prepare()
    return report


def _report(job: Job, progress: IndexProgress) -> None:
    what = _PHASES.get(progress.phase, progress.phase)
    if progress.total:
        percentage = min(100, 100 * progress.done // progress.total)
        job.report(f"{what}: {progress.done}/{progress.total} {progress.path}".rstrip(), percentage)
    else:
        job.report(f"{what}: {progress.done}")
