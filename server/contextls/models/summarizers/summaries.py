"""Summaries within a time: from the cache, or from a summariser that nobody waits for longer than was agreed."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path

from contextls.errors import SummarizerError
from contextls.models.summarizers.base import Summarizer
from contextls.settings import Settings
from contextls.store.summary_cache import SummaryCache
from contextls.text.redact import redact

REST_SECONDS = 30.0
"""After a failure nothing is asked for this long, so that questions do not each wait in vain."""

MAX_LATE = 64


class Summaries:
    """The summaries of a workspace. Secrets are taken out of what is sent and of what comes back.

    ``seconds`` is the time that one question may spend on all its summaries, ``gives_words`` says whether the user wants
    questions to be asked with the model's words. Safe to use from several threads.
    """

    name = "summaries"

    def __init__(
        self, summarizer: Summarizer, cache: SummaryCache, seconds: float, *, gives_words: bool = False
    ) -> None:
        self.seconds = seconds
        self.gives_words = gives_words
        self._summarizer = summarizer
        self._cache = cache
        self._guard = threading.Lock()
        self._late: dict[bytes, str] = {}
        self._awaiting: set[Future[str]] = set()
        self._stopped = False
        self._rest_until = 0.0
        self._failure = ""

    def summary(self, text: str, max_tokens: int, seconds: float) -> str:
        """The gist of ``text`` in about ``max_tokens`` tokens; waits at most ``seconds``.

        The same text and number get the same summary. One that comes too late is kept for the next time. Raises
        ``SummarizerError``.
        """
        text = redact(text).text
        work = partial(self._summarizer.summarize, text, max_tokens)
        return self._answer(f"{max_tokens}\0{text}", work, seconds)

    def name_words(self, question: str, seconds: float) -> str:
        """Words and names that code may have for what ``question`` says otherwise; waits and remembers as ``summary`` does.

        Raises ``SummarizerError``.
        """
        question = redact(question).text
        return self._answer(f"words\0{question}", partial(self._summarizer.name_words, question), seconds)

    def version(self) -> str:
        """The identity of the model: the same text and number get the same summary from it."""
        return self._summarizer.identity

    def warnings(self) -> tuple[str, ...]:
        """Its problems right now, in words for the user."""
        with self._guard:
            resting = self._failure if time.monotonic() < self._rest_until else ""
        return tuple(filter(None, (resting, self._cache.problem)))

    def wipe(self) -> None:
        """Forget every summary."""
        with self._guard:
            self._late.clear()
        self._cache.wipe()

    def stop(self) -> None:
        """End all waiting and ask nothing further, from any thread; what is cached is still given."""
        with self._guard:
            self._stopped = True
            awaiting = tuple(self._awaiting)
        for answer in awaiting:
            answer.cancel()

    def close(self) -> None:
        """End all waiting, and let go of connections and the cache's file."""
        self.stop()
        self._summarizer.close()
        self._cache.close()

    def _answer(self, about: str, work: Callable[[], str], seconds: float) -> str:
        named = f"{self._summarizer.identity}\0{about}"
        key = hashlib.blake2b(named.encode(errors="replace"), digest_size=16).digest()
        known = self._cache.get(key)
        if known is not None:
            return known
        with self._guard:
            late = self._late.pop(key, None)
            if late is None and time.monotonic() < self._rest_until:
                raise SummarizerError(self._failure)
        return self._cache.keep(key, late or self._await(work, key, seconds))

    def _await(self, work: Callable[[], str], key: bytes, seconds: float) -> str:
        if seconds <= 0:
            raise SummarizerError(f"no time is left of the {self.seconds:g} s for summaries")
        answer: Future[str] = Future()
        # No time-out of a connection bounds the whole of a slow answer, and a thread of an executor would hold up the exit.
        asking = threading.Thread(
            target=self._ask, args=(work, key, answer), name="contextls-summary", daemon=True
        )
        with self._guard:
            if self._stopped:
                raise SummarizerError("the workspace is closing")
            self._awaiting.add(answer)
        try:
            asking.start()
            return answer.result(seconds)
        except TimeoutError:
            if answer.cancel():
                raise self._rest(
                    SummarizerError(f"no answer within the {self.seconds:g} s for the model")
                ) from None
            return answer.result()
        except CancelledError:
            raise SummarizerError("the workspace is closing") from None
        except SummarizerError as error:
            raise self._rest(error) from None
        finally:
            with self._guard:
                self._awaiting.discard(answer)

    def _ask(self, work: Callable[[], str], key: bytes, answer: Future[str]) -> None:
        """Run the summariser; a caller that gave up waiting finds a good answer the next time."""
        try:
            summary = redact(work()).text
        except Exception as error:
            if answer.set_running_or_notify_cancel():
                known = isinstance(error, SummarizerError)
                answer.set_exception(error if known else SummarizerError(f"{type(error).__name__}: {error}"))
            return
        if answer.set_running_or_notify_cancel():
            answer.set_result(summary)
            return
        with self._guard:
            self._rest_until = 0.0
            if len(self._late) >= MAX_LATE:
                self._late.clear()
            self._late[key] = summary

    def _rest(self, error: SummarizerError) -> SummarizerError:
        with self._guard:
            self._failure, self._rest_until = str(error), time.monotonic() + REST_SECONDS
        return error


def open_summaries(settings: Settings, cache: Path) -> Summaries | None:
    """The configured summariser with its cache at ``cache``, ``None`` when there is none. Makes no connection.

    Raises ``InvalidRequestError`` naming the setting that is wrong, ``SummarizerError`` when an extra is missing.
    """
    if not (settings.summarizer_endpoint or settings.summarizer_model):
        return None
    from contextls.models.summarizers.openai_chat import ChatSummarizer

    summarizer = ChatSummarizer(
        settings.summarizer_endpoint,
        settings.summarizer_model,
        settings.summarizer_key_variable,
        consent=settings.summarizer_consent,
    )
    seconds, gives_words = settings.summarizer_timeout_seconds, settings.summarizer_other_words
    return Summaries(summarizer, SummaryCache(cache), seconds, gives_words=gives_words)
