"""Summaries over the wire: a real server, and a real endpoint that its user named."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ..models.endpoints import Endpoint, Trouble
from .wire import Json, Wire, WireError

LONG = "".join(
    f"Rule {n}: the customs office asks clerk {n} to weigh parcels over {n} kg twice.\n" for n in range(60)
)


def settings(endpoint: Endpoint) -> Json:
    return {"summarizerEndpoint": endpoint.url, "summarizerModel": "gists", "workers": 1}


def test_a_client_sees_what_is_a_summary(
    start: Callable[..., Wire], workspace: Path, endpoint: Endpoint
) -> None:
    wire = start()
    wire.initialize(workspace, options=settings(endpoint))
    context = wire.assemble("who weighs parcels?", maxTokens=300, additionalContext=LONG)
    (extra,) = [each for each in context["components"] if each["type"] == "custom"]
    assert extra["compression"] == "summary"
    assert extra["content"].startswith("### `additionalContext` (summary)\n```text\nGist 1")
    plain = wire.request("context/compress", {"text": LONG, "maxTokens": 80})
    assert (plain["method"], plain["warning"]) == ("fold", None)
    assert len(endpoint.chats) == 1, "only who asks for a summary gets one"
    short = wire.request("context/compress", {"text": LONG, "maxTokens": 80, "summarize": True})
    assert (short["method"], short["warning"]) == ("summary", None)
    with pytest.raises(WireError, match="summarize: expected true or false"):
        wire.request("context/compress", {"text": LONG, "maxTokens": 80, "summarize": "yes"})
    endpoint.always = Trouble(400)
    other = wire.request("context/compress", {"text": LONG, "maxTokens": 70, "summarize": True})
    assert other["method"] == "fold"
    assert "status 400" in other["warning"]
    assert any("status 400" in warning for warning in wire.request("context/status")["warnings"])


def test_the_server_ends_while_a_model_is_still_thinking(
    start: Callable[..., Wire], workspace: Path, endpoint: Endpoint
) -> None:
    endpoint.always = Trouble(until=threading.Event())
    wire = start()
    wire.initialize(workspace, options={**settings(endpoint), "summarizerTimeoutSeconds": 60})
    wire.ready()
    wire.send("context/compress", {"text": LONG, "maxTokens": 80, "summarize": True})
    deadline = time.monotonic() + 60
    while not endpoint.received:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert wire.end() == 0


def test_consent_is_asked_for_before_the_workspace_opens(start: Callable[..., Wire], workspace: Path) -> None:
    wire = start()
    far = {"summarizerEndpoint": "https://api.example.com/v1", "summarizerModel": "gists"}
    wire.initialize(workspace, options=far)
    with pytest.raises(WireError, match=r"contextls\.summarizerConsent: expected true"):
        wire.assemble("cart")
