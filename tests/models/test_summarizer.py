"""A summariser over real connections: what is sent, what comes back, how long one waits, what is kept."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from contextls.errors import InvalidRequestError, SummarizerError
from contextls.models.openai_client import RetryPolicy
from contextls.models.summarizers.openai_chat import ChatSummarizer
from contextls.models.summarizers.summaries import Summaries, open_summaries
from contextls.settings import Settings
from contextls.store.summary_cache import SummaryCache

from .endpoints import GITHUB_TOKEN, Endpoint, Trouble, serving

QUICK = RetryPolicy(attempts=2, timeout=60.0, first_wait=0.02, longest_wait=0.1)


def connected(endpoint: Endpoint, cache: Path, seconds: float = 5.0) -> Summaries:
    return Summaries(
        ChatSummarizer(endpoint.url, "gists", policy=QUICK), SummaryCache(cache / "s.sqlite"), seconds
    )


def ask(summaries: Summaries, text: str = "def total(): ...", max_tokens: int = 60) -> str:
    return summaries.summary(text, max_tokens, summaries.seconds)


def test_a_text_and_the_length_wanted_are_sent_and_the_gist_comes_back(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    assert ask(connected(endpoint, tmp_path)) == "Gist 1: it does what its name says."
    ((instructions, text),) = endpoint.chats
    assert "at most 30 words" in instructions
    assert text == "def total(): ..."
    assert set(endpoint.received[0]) == {"model", "messages"}
    assert endpoint.received[0]["model"] == "gists"


def test_what_a_model_thought_first_is_left_out(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.gist = "<think>\nhm, code\n</think>\n\n It adds up.\r\nTwice.\n"
    assert ask(connected(endpoint, tmp_path)) == "It adds up.\nTwice."


def test_the_same_text_is_asked_about_once_by_all_processes(endpoint: Endpoint, tmp_path: Path) -> None:
    first, second = connected(endpoint, tmp_path), connected(endpoint, tmp_path)
    gist = ask(first)
    assert ask(first) == gist == ask(second) == ask(connected(endpoint, tmp_path))
    assert len(endpoint.chats) == 1
    assert ask(first, max_tokens=90) != gist, "another length is another summary"
    assert ask(first, "def other(): ...") != gist
    first.wipe()
    assert ask(first) not in {gist, ""}
    assert len(endpoint.chats) == 4


def test_who_asks_at_the_same_time_gets_the_same_summary(endpoint: Endpoint, tmp_path: Path) -> None:
    places = [connected(endpoint, tmp_path) for _ in range(2)]
    gists: list[str] = []
    threads = [threading.Thread(target=lambda place=place: gists.append(ask(place))) for place in places * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(gists) == 8
    assert len(set(gists)) == 1


def test_another_model_or_endpoint_gives_another_summary(endpoint: Endpoint, tmp_path: Path) -> None:
    cache = SummaryCache(tmp_path / "s.sqlite")
    with serving() as other:
        models = [
            ChatSummarizer(endpoint.url, "one"),
            ChatSummarizer(endpoint.url, "two"),
            ChatSummarizer(other.url, "one"),
        ]
        for model in models:
            ask(Summaries(model, cache, 5.0))
        assert (len(endpoint.chats), len(other.chats)) == (2, 1)
    assert len({model.identity for model in models}) == 3


def test_of_two_processes_that_asked_the_first_summary_stays(tmp_path: Path) -> None:
    first, second = SummaryCache(tmp_path / "s.sqlite"), SummaryCache(tmp_path / "s.sqlite")
    assert first.keep(b"key", "one") == "one"
    assert second.keep(b"key", "two") == "one" == second.get(b"key")


def test_the_oldest_summaries_are_forgotten(tmp_path: Path) -> None:
    cache = SummaryCache(tmp_path / "s.sqlite", most_stored=3)
    for number in range(8):
        cache.keep(bytes([number]), f"gist {number}")
    fresh = SummaryCache(tmp_path / "s.sqlite", most_stored=3)
    assert [fresh.get(bytes([number])) for number in (0, 4, 5, 7)] == [None, None, "gist 5", "gist 7"]


def test_secrets_neither_leave_nor_come_back(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.gist = f"It logs in with {GITHUB_TOKEN} at noon."
    gist = ask(connected(endpoint, tmp_path), f'TOKEN = "{GITHUB_TOKEN}"\nlogin(TOKEN)\n')
    assert GITHUB_TOKEN not in str(endpoint.received)
    assert "login(TOKEN)" in endpoint.chats[0][1]
    assert GITHUB_TOKEN not in gist
    assert "at noon" in gist
    (stored,) = sqlite3.connect(tmp_path / "s.sqlite").execute("SELECT text FROM summaries").fetchall()
    assert stored == (gist,)


def test_words_for_a_question_are_asked_for_once_and_without_secrets(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.gist = "<think>They mean a cache.</think>evict lru"
    question = f"what throws {GITHUB_TOKEN} away?"
    for model in (connected(endpoint, tmp_path), connected(endpoint, tmp_path)):
        assert model.name_words(question, 5.0) == "evict lru"
    assert len(endpoint.chats) == 1
    assert GITHUB_TOKEN not in str(endpoint.received)
    assert ask(connected(endpoint, tmp_path), question)
    assert len(endpoint.chats) == 2, "a summary of the same text is another thing"


def test_a_passing_trouble_is_tried_once_more(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.troubles = [Trouble(503)]
    assert ask(connected(endpoint, tmp_path)).startswith("Gist")


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Trouble(500), "no summary after 2 attempt.*status 500"),
        (Trouble(401, body=f"no {GITHUB_TOKEN}".encode()), "status 401: no "),
        (Trouble(307, {"Location": "http://127.0.0.1:9/v1"}), "status 307"),
        (Trouble(body=b"<html>"), "not JSON"),
        (Trouble(body=b"[]"), "not a chat completion"),
        (Trouble(body=b"null"), "not a chat completion"),
        (Trouble(body=b'{"choices": []}'), "not a chat completion"),
        (Trouble(body=b'{"choices": [{"message": {"content": null}}]}'), "not a text"),
        (Trouble(body=b'{"choices": [{"message": {"content": 5}}]}'), "not a text"),
        (Trouble(body=b'{"choices": [{"message": {"content": " <think>hm</think> "}}]}'), "is empty"),
    ],
)
def test_failures_are_named_and_then_nothing_is_asked_for_a_while(
    endpoint: Endpoint, tmp_path: Path, trouble: Trouble, said: str
) -> None:
    summaries = connected(endpoint, tmp_path)
    known = ask(summaries, "asked before")
    endpoint.always = trouble
    with pytest.raises(SummarizerError, match=f"/v1/chat/completions: .*{said}") as caught:
        ask(summaries)
    assert GITHUB_TOKEN not in str(caught.value)
    assert summaries.warnings() == (str(caught.value),)
    requests = len(endpoint.received)
    with pytest.raises(SummarizerError, match=said):
        ask(summaries, "another text")
    assert len(endpoint.received) == requests
    assert ask(summaries, "asked before") == known


def test_half_a_surrogate_pair_hurts_nobody(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.gist = "half \ud83d a smile"
    assert ask(connected(endpoint, tmp_path), "x = '\ud83d'") == "half \ufffd a smile"


def test_nobody_waits_longer_than_agreed_and_a_late_answer_is_there_the_next_time(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    answered = threading.Event()
    late = Trouble(body=b'{"choices": [{"message": {"content": "It came late."}}]}', until=answered)
    endpoint.troubles = [late]
    summaries = connected(endpoint, tmp_path, seconds=0.2)
    with pytest.raises(SummarizerError, match=r"no answer within the 0\.2 s"):
        ask(summaries)
    answered.set()
    deadline = time.monotonic() + 60
    while summaries.warnings():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert ask(summaries) == ask(connected(endpoint, tmp_path)) == "It came late."
    assert len(endpoint.chats) == 1


def test_an_endpoint_that_dribbles_cannot_hold_anybody_up(tmp_path: Path) -> None:
    """Each byte comes within any time-out of a connection; the whole never does."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def dribble() -> None:
            connection, _ = server.accept()
            with connection:
                while not done.wait(0.05):
                    connection.sendall(b"H")

        thread = threading.Thread(target=dribble, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        summaries = Summaries(
            ChatSummarizer(url, "gists", policy=QUICK), SummaryCache(tmp_path / "s.sqlite"), 0.3
        )
        with pytest.raises(SummarizerError, match="no answer within"):
            ask(summaries)
        done.set()
        thread.join()


def test_without_any_time_nothing_is_sent(endpoint: Endpoint, tmp_path: Path) -> None:
    with pytest.raises(SummarizerError, match="no time is left"):
        ask(connected(endpoint, tmp_path, seconds=0.0))
    assert endpoint.received == []


@pytest.mark.parametrize("damage", ["bytes", "folder"])
def test_a_cache_that_cannot_be_used_costs_nothing_else(
    endpoint: Endpoint, tmp_path: Path, damage: str
) -> None:
    if damage == "bytes":
        (tmp_path / "s.sqlite").write_bytes(b"not a database" * 1000)
    else:
        (tmp_path / "s.sqlite").mkdir()
    summaries = connected(endpoint, tmp_path)
    gist = ask(summaries)
    assert ask(summaries) == gist
    assert len(endpoint.chats) == 1
    assert summaries.warnings() == (), "what lay in the way was moved aside"
    summaries.close()


def test_closing_lets_nobody_wait_and_asks_nothing_further(endpoint: Endpoint, tmp_path: Path) -> None:
    answered = threading.Event()
    endpoint.always = Trouble(until=answered)
    summaries = connected(endpoint, tmp_path, seconds=60.0)
    known = summaries._cache.keep(b"known", "gist")

    def close_once_asked() -> None:
        while not endpoint.received:
            time.sleep(0.01)
        summaries.close()

    closing = threading.Thread(target=close_once_asked, daemon=True)
    closing.start()
    for text in ("waits", "comes later"):
        with pytest.raises(SummarizerError, match="is closing"):
            ask(summaries, text)
    closing.join()
    answered.set()
    assert len(endpoint.received) == 1
    assert summaries._cache.get(b"known") == known


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"summarizer_endpoint": ""}, "summarizerEndpoint"),
        ({"summarizer_endpoint": "http://user:key@localhost/v1"}, "summarizerEndpoint"),
        ({"summarizer_model": ""}, "summarizerModel"),
        ({"summarizer_endpoint": "https://api.example.com/v1"}, "summarizerConsent"),
        ({"summarizer_endpoint": "http://192.0.2.1/v1"}, "summarizerConsent"),
        ({"summarizer_key_variable": "CONTEXTLS_TEST_UNSET"}, "summarizerKeyVariable"),
    ],
)
def test_what_is_missing_is_named_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str], field: str
) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a connection was made")

    monkeypatch.setattr(socket, "getaddrinfo", forbidden)
    monkeypatch.setattr(socket, "create_connection", forbidden)
    given = {"summarizer_endpoint": "http://localhost:11434/v1", "summarizer_model": "gists", **changes}
    with pytest.raises(InvalidRequestError, match=rf"^contextls\.{field}: expected"):
        open_summaries(Settings(**given), tmp_path / "s.sqlite")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_another_machine_is_allowed_with_consent_and_none_is_configured_by_default(tmp_path: Path) -> None:
    far = Settings(
        summarizer_endpoint="https://api.example.com/v1", summarizer_model="gists", summarizer_consent=True
    )
    opened = open_summaries(far, tmp_path / "s.sqlite")
    assert opened is not None
    opened.close()
    assert open_summaries(Settings(), tmp_path / "none.sqlite") is None
    assert not (tmp_path / "none.sqlite").exists()


def test_the_key_comes_from_the_environment(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_CHAT_KEY", "made-up-key")
    chosen = Settings(
        summarizer_endpoint=endpoint.url,
        summarizer_model="gists",
        summarizer_key_variable="SHOP_CHAT_KEY",
    )
    summaries = open_summaries(chosen, tmp_path / "s.sqlite")
    assert summaries is not None
    ask(summaries)
    assert endpoint.headers[0]["authorization"] == "Bearer made-up-key"


def test_without_the_extra_the_message_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from contextls.errors import SummarizerError\n"
        "from contextls.models.summarizers.openai_chat import ChatSummarizer\n"
        "try:\n    ChatSummarizer('http://localhost/v1', 'gists')\n"
        "except SummarizerError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "contextls[openai]"' in done.stdout
