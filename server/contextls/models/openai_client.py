"""An OpenAI-compatible endpoint (Ollama, vLLM, OpenAI itself), whatever it is asked for. Needs ``contextls[openai]``.

Beside a shared index (``shared_index/objects``) the only module that may open a connection to another machine, and only
with the user's consent.
"""

from __future__ import annotations

import email.utils
import ipaddress
import os
import random
import re
import threading
import time
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from contextls.errors import ContextlsError, InvalidRequestError
from contextls.text.redact import redact

RETRIED = frozenset({408, 429, 500, 502, 503, 504})
SHOWN_ANSWER = 200


class RetryPolicy(Struct, frozen=True):
    """How long to wait for an endpoint, in seconds.

    ``first_wait`` doubles with every further attempt; the endpoint's own ``Retry-After`` counts instead, but a wait
    longer than ``longest_wait`` means giving up.
    """

    attempts: int
    timeout: float
    first_wait: float = 0.5
    longest_wait: float = 30.0


class Purpose(Struct, frozen=True):
    """The use of an endpoint, and its words for users.

    ``settings`` is what the names of its settings begin with (``embedder``), ``path`` what its address ends with,
    ``sends`` and ``gets`` are words for messages, ``failure`` is what is raised when it fails.
    """

    settings: str
    path: str
    sends: str
    gets: str
    failure: type[ContextlsError]


class OpenAIClient:
    """Posts JSON to one address and gives back the JSON of the answer. Safe to use from several threads."""

    def __init__(
        self, purpose: Purpose, endpoint: str, model: str, key_variable: str, *, consent: bool
    ) -> None:
        """Check what was given; no connection is made before the first request.

        ``endpoint`` is the base address (``http://127.0.0.1:11434/v1``); ``key_variable`` names the environment
        variable that holds the key. Raises ``InvalidRequestError`` naming the setting that is wrong, also when the
        host is another machine and ``consent`` is false; the purpose's ``failure`` when the extra is not installed.
        """
        try:
            import httpx
        except ImportError as error:
            raise purpose.failure(
                f"{purpose.settings}: an endpoint needs a package that is not installed ({error.name}); "
                'pip install "contextls[openai]"'
            ) from error
        self._purpose = purpose
        if not model:
            raise InvalidRequestError(self._setting("Model"), "the name of a model", model)
        self.model = model
        self.url, local = self._check_endpoint(endpoint, consent)
        self._closed = threading.Event()
        headers = self._authorization(key_variable)
        # A proxy would carry what is meant for this machine to another one; redirects are never followed.
        self._client = httpx.Client(headers=headers, trust_env=not local)

    def post(self, body: dict[str, Any], policy: RetryPolicy) -> Any:  # noqa: ANN401 - JSON
        """The answer to ``body``, after as many attempts as ``policy`` allows. Raises the purpose's ``failure``."""
        for attempt in range(1, policy.attempts + 1):
            answered, answer, problem, asked_wait = self._attempt(body, policy)
            if answered:
                return answer
            wait = policy.first_wait * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)  # noqa: S311 - no secret
            wait = wait if asked_wait is None else asked_wait
            if attempt == policy.attempts or wait > policy.longest_wait:
                break
            if self._closed.wait(wait):
                break
        raise self.failure(f"no {self._purpose.gets} after {attempt} attempt(s): {problem}")

    def close(self) -> None:
        """Let go of the connections; requests fail from now on, those that wait for another attempt, too."""
        self._closed.set()
        self._client.close()

    def failure(self, problem: str) -> ContextlsError:
        """The error that names this endpoint and what is wrong with it."""
        return self._purpose.failure(f"{self.url}: {problem}")

    def _attempt(self, body: dict[str, Any], policy: RetryPolicy) -> tuple[bool, Any, str, float | None]:
        """Whether there is an answer, the answer, else what went wrong and the seconds the endpoint asked to wait.

        Raises when another attempt would end the same way.
        """
        import httpx

        try:
            response = self._client.post(self.url, json=body, timeout=policy.timeout)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return False, None, f"{type(error).__name__}: {error}", None
        except RuntimeError as error:  # closed meanwhile
            raise self.failure(str(error)) from error
        if response.status_code in RETRIED:
            wait = _retry_after(response.headers.get("retry-after", ""))
            return False, None, f"status {response.status_code}: {_quote_answer(response.text)}", wait
        if response.status_code != 200:
            raise self.failure(f"status {response.status_code}: {_quote_answer(response.text)}")
        try:
            return True, response.json(), "", None
        except ValueError as error:
            raise self.failure(f"the answer is not JSON: {_quote_answer(response.text)}") from error

    def _setting(self, name: str) -> str:
        return f"contextls.{self._purpose.settings}{name}"

    def _check_endpoint(self, endpoint: str, consent: bool) -> tuple[str, bool]:
        """The address to post to, and whether it lies on this machine."""
        try:
            parts = urlsplit(endpoint)
            host = parts.hostname or ""
            valid = parts.scheme in {"http", "https"} and host and parts.port != 0
        except ValueError:
            valid = False
        if not valid or parts.username or parts.query or parts.fragment:
            raise InvalidRequestError(
                self._setting("Endpoint"),
                "an address such as http://127.0.0.1:11434/v1, without user, key or query",
            )
        local = _is_loopback(host)
        if not local and not consent:
            raise InvalidRequestError(
                self._setting("Consent"),
                f"true before {self._purpose.sends} are sent to {host}, which is not this machine",
            )
        base, path = endpoint.rstrip("/"), f"/{self._purpose.path}"
        return (base if base.endswith(path) else base + path), local

    def _authorization(self, key_variable: str) -> dict[str, str]:
        if not key_variable:
            return {}
        key = os.environ.get(key_variable, "").strip()
        if not key or not key.isascii() or not key.isprintable():
            # Not repeated: who mistakes the setting puts the key itself into it.
            raise InvalidRequestError(
                self._setting("KeyVariable"),
                "the name of an environment variable that is set to a key of printable ASCII characters",
            )
        return {"Authorization": f"Bearer {key}"}


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _retry_after(header: str) -> float | None:
    """Seconds from a ``Retry-After`` header, which holds seconds or a date; ``None`` when it says nothing."""
    if re.fullmatch(r"\d{1,9}(\.\d+)?", header.strip()):
        return float(header)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _quote_answer(answer: str) -> str:
    """The beginning of an answer, fit for a message: some endpoints repeat the key in it."""
    return redact(answer[:SHOWN_ANSWER]).text
