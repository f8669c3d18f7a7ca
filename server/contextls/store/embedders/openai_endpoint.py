"""An OpenAI-compatible ``/embeddings`` endpoint: Ollama, vLLM, OpenAI itself. Needs ``contextls[openai]``.

The only module of the product that may open a connection to another machine, and only with the user's consent.
"""

from __future__ import annotations

import email.utils
import hashlib
import ipaddress
import os
import random
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from contextls.errors import EmbedderError, InvalidRequestError
from contextls.store.embedders.base import encodable
from contextls.text.redact import redact

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXTS_PER_REQUEST = 64
CHARS_PER_REQUEST = 200_000
"""OpenAI takes 300,000 tokens a request; even of text with a token per character this stays below."""

RETRIED = frozenset({408, 429, 500, 502, 503, 504})
SHOWN_ANSWER = 200
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for an endpoint, in seconds.

    ``first_wait`` doubles with every further attempt; the endpoint's own ``Retry-After`` counts instead, but a wait
    longer than ``longest_wait`` means giving up.
    """

    attempts: int
    timeout: float
    first_wait: float = 0.5
    longest_wait: float = 30.0


INDEXING = Patience(attempts=5, timeout=120.0)
ASKING = Patience(attempts=2, timeout=5.0, first_wait=0.2, longest_wait=1.0)
"""Somebody waits for the answer, and words alone give a good one."""

REST_SECONDS = 30.0
"""After a question failed, questions do without the endpoint for this long, instead of each waiting for it in vain."""


class OpenAIEmbedder:
    """Vectors of an endpoint, scaled to length 1. Safe to use from several threads."""

    def __init__(
        self,
        endpoint: str,
        model: str,
        key_variable: str = "",
        *,
        consent: bool = False,
        indexing: Patience = INDEXING,
        asking: Patience = ASKING,
    ) -> None:
        """Check what was given; no connection is made before the first text.

        ``endpoint`` is the base address (``http://127.0.0.1:11434/v1``); ``key_variable`` names the environment
        variable that holds the key. Raises ``InvalidRequestError`` naming the setting that is wrong, also when the
        host is another machine and ``consent`` is false; ``EmbedderError`` when the extra is not installed.
        """
        try:
            import httpx
        except ImportError as error:
            raise EmbedderError(
                f'embedder "openai" needs a package that is not installed ({error.name}); '
                'pip install "contextls[openai]"'
            ) from error
        if not model:
            raise InvalidRequestError("contextls.embedderModel", "the name of a model", model)
        self._url, local = _checked(endpoint, consent)
        self._model = model
        self._patience = {"indexing": indexing, "asking": asking}
        # A proxy would carry what is meant for this machine to another one; redirects are never followed.
        self._client = httpx.Client(headers=_authorization(key_variable), trust_env=not local)
        self._guard = threading.Lock()
        self._rest_until = 0.0
        self._last_failure = ""
        digest = hashlib.blake2b(f"{self._url}\n{model}".encode(), digest_size=8).hexdigest()
        self.identity = f"openai-{model}-{digest}"
        self.dimensions = 0

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder``."""
        return self._embed(texts, self._patience["indexing"])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder``. Secrets are taken out before the question is sent."""
        if time.monotonic() < self._rest_until:
            raise EmbedderError(self._last_failure)
        try:
            vector: NDArray[np.float32] = self._embed([redact(text).text], self._patience["asking"])[0]
        except EmbedderError as error:
            self._last_failure, self._rest_until = str(error), time.monotonic() + REST_SECONDS
            raise
        return vector

    def _embed(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        worded = [number for number, text in enumerate(texts) if _WORD.search(text)]
        found = [self._request(batch, patience) for batch in _batches([texts[number] for number in worded])]
        if not self.dimensions and len(texts):
            self._request(["a"], patience)
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        if found:
            vectors[worded] = np.concatenate(found)
        return vectors

    def _request(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        """The vectors of one batch, after as many attempts as patience allows."""
        body = {
            "model": self._model,
            "input": [encodable(text) for text in texts],
            "encoding_format": "float",
        }
        for attempt in range(1, patience.attempts + 1):
            answer, problem, asked_wait = self._attempt(body, patience)
            if answer is not None:
                return self._vectors(answer, len(texts))
            wait = patience.first_wait * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)  # noqa: S311 - no secret
            wait = wait if asked_wait is None else asked_wait
            if attempt == patience.attempts or wait > patience.longest_wait:
                break
            time.sleep(wait)
        raise EmbedderError(f"{self._url}: no vectors after {attempt} attempt(s): {problem}")

    def _attempt(self, body: dict[str, Any], patience: Patience) -> tuple[Any, str, float | None]:
        """The answer, or ``None`` with what went wrong and the seconds that the endpoint asked to wait.

        Raises ``EmbedderError`` when another attempt would end the same way.
        """
        import httpx

        try:
            response = self._client.post(self._url, json=body, timeout=patience.timeout)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return None, f"{type(error).__name__}: {error}", None
        if response.status_code in RETRIED:
            wait = _retry_after(response.headers.get("retry-after", ""))
            return None, f"status {response.status_code}: {_shown(response.text)}", wait
        if response.status_code != 200:
            raise EmbedderError(f"{self._url}: status {response.status_code}: {_shown(response.text)}")
        try:
            return response.json(), "", None
        except ValueError as error:
            raise EmbedderError(f"{self._url}: the answer is not JSON: {_shown(response.text)}") from error

    def _vectors(self, answer: object, count: int) -> NDArray[np.float32]:
        """The vectors in an answer, checked and scaled to length 1."""
        try:
            data = sorted(answer["data"], key=lambda item: item["index"])  # type: ignore[index]
            indexes = [item["index"] for item in data]
            vectors = np.array([item["embedding"] for item in data], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise EmbedderError(
                f"{self._url}: the answer is not a list of embeddings ({type(error).__name__}: {error})"
            ) from error
        if indexes != list(range(count)) or vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise EmbedderError(
                f"{self._url}: expected {count} vectors of finite numbers, got {len(data)} items"
            )
        with self._guard:
            self.dimensions = self.dimensions or vectors.shape[1]
            if vectors.shape[1] != self.dimensions or not self.dimensions:
                raise EmbedderError(
                    f"{self._url}: vectors had {self.dimensions} numbers before and have {vectors.shape[1]} now; "
                    "another model answers: rebuild the index with `contextls clear` and `contextls index`"
                )
        unit: NDArray[np.float32] = vectors / np.maximum(
            np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12
        )
        return unit


def _checked(endpoint: str, consent: bool) -> tuple[str, bool]:
    """The address to post to, and whether it lies on this machine."""
    try:
        parts = urlsplit(endpoint)
        host = parts.hostname or ""
        valid = parts.scheme in {"http", "https"} and host and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.username or parts.query or parts.fragment:
        raise InvalidRequestError(
            "contextls.embedderEndpoint",
            "an address such as http://127.0.0.1:11434/v1, without user, key or query",
        )
    local = _is_loopback(host)
    if not local and not consent:
        raise InvalidRequestError(
            "contextls.embedderConsent",
            f"true before code and questions are sent to {host}, which is not this machine",
        )
    base = endpoint.rstrip("/")
    return (base if base.endswith("/embeddings") else f"{base}/embeddings"), local


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _authorization(key_variable: str) -> dict[str, str]:
    if not key_variable:
        return {}
    key = os.environ.get(key_variable, "").strip()
    if not key or not key.isascii() or not key.isprintable():
        # Not repeated: who mistakes the setting puts the key itself into it.
        raise InvalidRequestError(
            "contextls.embedderKeyVariable",
            "the name of an environment variable that is set to a key of printable ASCII characters",
        )
    return {"Authorization": f"Bearer {key}"}


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and (len(batch) == TEXTS_PER_REQUEST or chars + len(text) > CHARS_PER_REQUEST):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch


def _retry_after(header: str) -> float | None:
    """Seconds from a ``Retry-After`` header, which holds seconds or a date; ``None`` when it says nothing."""
    if re.fullmatch(r"\d{1,9}(\.\d+)?", header.strip()):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _shown(answer: str) -> str:
    """The beginning of an answer, fit for a message: some endpoints repeat the key in it."""
    return redact(answer[:SHOWN_ANSWER]).text
