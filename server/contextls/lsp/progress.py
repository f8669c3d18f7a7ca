"""Work-done progress: shown by clients that can, cancelled by users who want to."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from typing import TYPE_CHECKING

from lsprotocol import types

from contextls.text.gate import CleanText

if TYPE_CHECKING:
    from collections.abc import Callable

    from contextls.lsp.server import ContextServer
    from contextls.model import IndexProgress, IndexReport

_PHASES = {
    "scan": "Looking for files",
    "fetch": "Fetching files",
    "index": "Reading files",
    "store": "Storing",
}
_ANSWER_SECONDS = 2.0
_REPORT_SECONDS = 0.1
log = logging.getLogger(__name__)


class Job:
    """One piece of work on show. Without a token nothing is sent and everything else works the same."""

    def __init__(self, jobs: Jobs, token: str | int | None) -> None:
        self._jobs = jobs
        self._token = token
        self._last_report = 0.0
        self._ended = False

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say how far it is. Callable from any thread; more than ten reports a second are thinned out."""
        now = time.monotonic()
        if self._token is None or now - self._last_report < _REPORT_SECONDS:
            return
        self._last_report = now
        value = types.WorkDoneProgressReport(message=message, percentage=percentage)
        with contextlib.suppress(RuntimeError):
            self._jobs.loop.call_soon_threadsafe(self._report, value)

    def end(self, message: str | None = None) -> None:
        """Take it off the show. On the event loop."""
        self._ended = True
        if self._token is not None:
            self._jobs.forget(self._token)
            self._jobs.send(self._token, types.WorkDoneProgressEnd(message=message))

    def _report(self, value: types.WorkDoneProgressReport) -> None:
        if not self._ended and self._token is not None:
            self._jobs.send(self._token, value)


class IndexingJob:
    """A run of indexing on show."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def report(self, progress: IndexProgress) -> None:
        """Say how far it is. Callable from any thread."""
        phase = _PHASES.get(progress.phase, progress.phase)
        if progress.total:
            percentage = min(100, 100 * progress.done // progress.total)
            self._job.report(
                f"{phase}: {progress.done}/{progress.total} {progress.path}".rstrip(), percentage
            )
        else:
            self._job.report(f"{phase}: {progress.done}")

    def finish(self, report: IndexReport) -> None:
        """Say what came of it."""
        self._job.end(f"{report.files} files, {report.chunks} chunks")

    def stop(self) -> None:
        """Say that it was stopped."""
        self._job.end("stopped; what was finished is kept")

    def fail(self) -> None:
        """Say that it failed."""
        self._job.end("failed; see the server's log")


class Jobs:
    """All work on show, by progress token. Belongs to the event loop."""

    def __init__(self, server: ContextServer) -> None:
        self._server = server
        self._cancels: dict[str | int, Callable[[], None]] = {}
        self._numbers = itertools.count(1)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop that sends."""
        return self._server.loop

    async def start(self, title: str, cancel: Callable[[], None]) -> Job:
        """Show work of our own, if the client can; ``cancel`` is called when its user asks for that."""
        if not self._server.client.shows_progress:
            return Job(self, None)
        token = f"contextls-{next(self._numbers)}"
        params = types.WorkDoneProgressCreateParams(token=token)
        try:
            asked = self._server.protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
            await asyncio.wait_for(asked, _ANSWER_SECONDS)
        except Exception as error:
            log.info("the client shows no progress: %s", error)
            return Job(self, None)
        return self.adopt(token, title, cancel, percentage=0)

    def adopt(
        self, token: str | int | None, title: str, cancel: Callable[[], None], percentage: int | None = None
    ) -> Job:
        """Show work under a token that the client chose with its request."""
        if token is None:
            return Job(self, None)
        self._cancels[token] = cancel
        self.send(token, types.WorkDoneProgressBegin(title=title, cancellable=True, percentage=percentage))
        return Job(self, token)

    def cancel(self, token: str | int) -> None:
        """The user asked to stop the work with this token; unknown tokens are finished work."""
        cancel = self._cancels.get(token)
        if cancel is not None:
            cancel()

    def forget(self, token: str | int) -> None:
        """The work with this token ended."""
        self._cancels.pop(token, None)

    def send(
        self,
        token: str | int,
        value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd,
    ) -> None:
        """Send one progress notification."""
        # The client's own name for the work, which it looks for letter by letter: given back as it came.
        named = CleanText(token) if isinstance(token, str) else token
        self._server.protocol.notify(types.PROGRESS, types.ProgressParams(token=named, value=value))
