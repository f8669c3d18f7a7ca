"""An OpenAI-compatible endpoint over real connections: what is sent where, and what happens when it fails."""

from __future__ import annotations

import email.utils
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from contextls.errors import EmbedderError, InvalidRequestError
from contextls.models.embedders.openai_endpoint import CHARS_PER_REQUEST, OpenAIEmbedder
from contextls.models.openai_client import RetryPolicy

from .endpoints import GITHUB_TOKEN, WIDTH, Endpoint, Trouble, embedding, serving, wait_until_asked

QUICK = RetryPolicy(attempts=3, timeout=60.0, first_wait=0.05, longest_wait=1.5)


def connected(endpoint: Endpoint, key_variable: str = "", timeout: float = QUICK.timeout) -> OpenAIEmbedder:
    policy = replace(QUICK, timeout=timeout)
    return OpenAIEmbedder(endpoint.url, "words", key_variable, indexing=policy, asking=policy)


def unit(text: str) -> object:
    vector = np.array(embedding(text))
    return pytest.approx(vector / np.linalg.norm(vector), abs=1e-6)


def test_vectors_come_in_order_with_length_one(endpoint: Endpoint) -> None:
    embedder = connected(endpoint)
    assert embedder.dimensions == 0
    texts = [f"text number {number}" for number in range(150)] + ["", " \n", "!?"]
    vectors = embedder.embed_documents(texts)
    assert vectors.shape == (153, WIDTH)
    assert vectors.dtype == np.float32
    for text, vector in zip(texts[:150], vectors, strict=False):
        assert vector == unit(text)
    assert not vectors[150:].any()
    assert [len(body["input"]) for body in endpoint.received] == [64, 64, 22]
    assert {body["model"] for body in endpoint.received} == {"words"}
    assert embedder.embed_query("how many words?") == unit("how many words?")


@settings(max_examples=25)
@given(texts=st.lists(st.text(st.characters(exclude_categories=()), max_size=30), max_size=90))
def test_every_text_has_its_row_whatever_it_is(texts: list[str]) -> None:
    with serving() as endpoint:
        vectors = connected(endpoint).embed_documents(texts)
    assert len(vectors) == len(texts)
    lengths = np.linalg.norm(vectors, axis=1) if texts else np.zeros(0)
    for text, length in zip(texts, lengths, strict=True):
        worded = any(character.isalnum() or character == "_" for character in text)
        assert float(length) == pytest.approx(1.0 if worded else 0.0, abs=1e-5)


def test_a_closed_one_is_asked_in_vain(endpoint: Endpoint) -> None:
    embedder = connected(endpoint)
    embedder.embed_query("how many words?")
    embedder.close()
    with pytest.raises(EmbedderError, match="closed"):
        embedder.embed_query("and how many letters?")
    assert len(endpoint.received) == 1


def test_closing_ends_a_wait_for_another_attempt(endpoint: Endpoint) -> None:
    endpoint.always = Trouble(503, {"Retry-After": "3000"})
    patient = replace(QUICK, first_wait=3_000.0, longest_wait=10_000.0)
    embedder = OpenAIEmbedder(endpoint.url, "words", asking=patient)
    failed: list[EmbedderError] = []

    def ask() -> None:
        with pytest.raises(EmbedderError) as caught:
            embedder.embed_query("how many words?")
        failed.append(caught.value)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    wait_until_asked(endpoint)
    embedder.close()
    asking.join(60)
    assert failed
    assert len(endpoint.received) == 1


def test_long_texts_are_spread_over_requests(endpoint: Endpoint) -> None:
    connected(endpoint).embed_documents(["word " * (CHARS_PER_REQUEST // 12)] * 5)
    assert [len(body["input"]) for body in endpoint.received] == [2, 2, 1]


def test_texts_without_a_word_are_not_sent(endpoint: Endpoint) -> None:
    assert connected(endpoint).embed_documents(["", "…"]).shape == (2, WIDTH)
    assert endpoint.texts == ["a"]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_passing_troubles_are_tried_again(endpoint: Endpoint, status: int) -> None:
    endpoint.troubles = [Trouble(status), Trouble(status)]
    assert connected(endpoint).embed_documents(["cart"])[0] == unit("cart")
    first, second, third = endpoint.times
    assert second - first >= 0.75 * QUICK.first_wait
    assert third - second >= 0.75 * 2 * QUICK.first_wait


def test_retry_after_is_honoured(endpoint: Endpoint) -> None:
    endpoint.troubles = [Trouble(429, {"Retry-After": "1"})]
    connected(endpoint).embed_documents(["cart"])
    assert endpoint.times[1] - endpoint.times[0] >= 1
    in_the_past = email.utils.formatdate(time.time() - 60, usegmt=True)
    endpoint.troubles = [Trouble(503, {"Retry-After": in_the_past})]
    connected(endpoint).embed_documents(["cart"])
    assert len(endpoint.times) == 4
    endpoint.troubles = [Trouble(429, {"Retry-After": "3600"})]
    started = time.monotonic()
    with pytest.raises(EmbedderError, match=r"after 1 attempt.*status 429"):
        connected(endpoint).embed_documents(["cart"])
    assert time.monotonic() - started < 60


def test_slow_answers_and_closed_ports_end_in_a_clear_error(endpoint: Endpoint) -> None:
    never = threading.Event()
    endpoint.troubles = [Trouble(until=never)]
    assert connected(endpoint, timeout=1.0).embed_documents(["cart"])[0] == unit("cart")
    endpoint.always = Trouble(until=never)
    with pytest.raises(EmbedderError, match=r"after 3 attempt.*ReadTimeout"):
        connected(endpoint, timeout=0.2).embed_documents(["cart"])
    never.set()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(
            EmbedderError, match=f"{url}/embeddings: no vectors after 3 attempt.*ConnectError"
        ):
            OpenAIEmbedder(url, "words", indexing=QUICK).embed_documents(["cart"])


@pytest.mark.parametrize("status", [400, 401, 404])
def test_lasting_troubles_are_not_tried_again(endpoint: Endpoint, status: int) -> None:
    endpoint.always = Trouble(status, body=f"no: {GITHUB_TOKEN}".encode())
    with pytest.raises(EmbedderError, match=f"status {status}: no: ") as caught:
        connected(endpoint).embed_documents(["cart"])
    assert len(endpoint.received) == 1
    assert GITHUB_TOKEN not in str(caught.value)


def test_redirects_are_not_followed(endpoint: Endpoint) -> None:
    with serving() as other:
        for status in (301, 307, 308):
            endpoint.troubles = [Trouble(status, {"Location": f"{other.url}/embeddings"})]
            with pytest.raises(EmbedderError, match=f"status {status}"):
                connected(endpoint).embed_documents(["cart"])
        assert other.received == []


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[]",
        b"{}",
        b"null",
        b'{"data": []}',
        b'{"data": [{"index": 1, "embedding": [1.0]}]}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}',
        b'{"data": [{"index": 0, "embedding": [1, "x"]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}',
    ],
)
def test_answers_that_make_no_sense_are_named(endpoint: Endpoint, body: bytes) -> None:
    endpoint.always = Trouble(body=body)
    with pytest.raises(EmbedderError, match="/v1/embeddings: "):
        connected(endpoint).embed_documents(["cart"])


def test_vectors_of_another_length_are_refused(endpoint: Endpoint) -> None:
    embedder = connected(endpoint)
    embedder.embed_documents(["cart"])
    endpoint.width = WIDTH + 1
    with pytest.raises(EmbedderError, match="had 32 numbers before and have 33 now"):
        embedder.embed_documents(["cart"])


def test_after_a_failed_question_further_ones_do_not_wait(endpoint: Endpoint) -> None:
    embedder = connected(endpoint)
    endpoint.always = Trouble(400)
    for _ in range(3):
        with pytest.raises(EmbedderError, match="status 400"):
            embedder.embed_query("cart")
    assert len(endpoint.received) == 1
    endpoint.always = None
    assert embedder.embed_documents(["cart"])[0] == unit("cart")


def test_questions_are_sent_without_secrets(endpoint: Endpoint) -> None:
    connected(endpoint).embed_query(f"why does {GITHUB_TOKEN} not work?")
    assert GITHUB_TOKEN not in endpoint.texts[0]
    assert "not work?" in endpoint.texts[0]


def test_nothing_is_sent_to_another_machine_without_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    monkeypatch.setattr(socket, "create_connection", forbidden)
    for url in (
        "https://embed.example.com/v1",
        "http://192.0.2.1/v1",
        "http://localhost.example.com",
        "http://0.0.0.0",
    ):
        with pytest.raises(InvalidRequestError, match=r"contextls\.embedderConsent: expected true") as caught:
            OpenAIEmbedder(url, "words")
        assert caught.value.field == "contextls.embedderConsent"
        assert OpenAIEmbedder(url, "words", consent=True).dimensions == 0


def test_a_proxy_never_gets_what_is_meant_for_this_machine(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert connected(endpoint).embed_documents(["cart"])[0] == unit("cart")
        assert proxy.received == []


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"])
def test_this_machine_needs_no_consent(host: str) -> None:
    assert OpenAIEmbedder(f"http://{host}:11434/v1", "words").identity.startswith("openai-words-")


@pytest.mark.parametrize(
    "url",
    ["", "localhost:11434", "ftp://localhost", "http://", "http://user:key@localhost/v1", "http://[::1", "http://localhost:99999",
     "http://localhost/v1?key=1"],
)  # fmt: skip
def test_odd_addresses_are_refused(url: str) -> None:
    with pytest.raises(InvalidRequestError, match=r"contextls\.embedderEndpoint"):
        OpenAIEmbedder(url, "words", consent=True)
    with pytest.raises(InvalidRequestError, match=r"contextls\.embedderModel"):
        OpenAIEmbedder("http://localhost/v1", "")


def test_the_key_comes_from_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_EMBEDDER_KEY", "made-up-key\n")
    connected(endpoint, "SHOP_EMBEDDER_KEY").embed_documents(["cart"])
    assert endpoint.headers[0]["authorization"] == "Bearer made-up-key"
    connected(endpoint).embed_documents(["cart"])
    assert "authorization" not in endpoint.headers[1]
    for value in ("", "two\nlines", "schlüssel"):
        monkeypatch.setenv("SHOP_EMBEDDER_KEY", value)
        with pytest.raises(InvalidRequestError, match=r"contextls\.embedderKeyVariable"):
            connected(endpoint, "SHOP_EMBEDDER_KEY")
    with pytest.raises(InvalidRequestError, match=r"contextls\.embedderKeyVariable") as caught:
        connected(endpoint, GITHUB_TOKEN)
    assert GITHUB_TOKEN not in str(caught.value)


def test_identity_follows_endpoint_and_model() -> None:
    places = [("http://localhost:1/v1", "a"), ("http://localhost:1/v1", "b"), ("http://localhost:2/v1", "a")]
    assert len({OpenAIEmbedder(url, model).identity for url, model in places}) == 3
    assert OpenAIEmbedder(*places[0]).identity == OpenAIEmbedder("http://localhost:1/v1/", "a").identity


def test_without_the_extra_the_message_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from contextls.errors import EmbedderError\n"
        "from contextls.models.embedders.openai_endpoint import OpenAIEmbedder\n"
        "try:\n    OpenAIEmbedder('http://localhost/v1', 'words')\n"
        "except EmbedderError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "contextls[openai]"' in done.stdout
