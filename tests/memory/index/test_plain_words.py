"""What is said in plain words finds the code that says it in its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from contextls.engine import Engine
from contextls.memory.index.query.rewording import MAX_IMPLIED
from contextls.memory.index.terms import STOP_WORDS
from contextls.memory.index.words import plain_words
from contextls.memory.index.words.plain_words import (
    MAX_PHRASE_WORDS,
    STEMMED,
    TABLE,
    PlainWords,
    load_plain_words,
    parse_plain_words,
)
from contextls.memory.index.words.question_words import read_tokens

from ..workspaces import opened, write
from .rewordings import read

JOBS = {
    "jobs/failure.py": (
        "def on_failure(job, error):\n    if job.attempts < job.limit:\n        job.retry(backoff(job.attempts))\n"
    ),
    "jobs/report.py": "def report(job):\n    return f'{job.id}: {job.result}'\n",
    "jobs/shop.py": "def price(goods):\n    return sum(each.price for each in goods)\n",
    "jobs/mail.py": "def letter(person, goods):\n    return f'Dear {person}, {len(goods)} are on their way'\n",
}

DOWNLOADS = {
    "net/pool.py": "def fetch_all(downloads):\n    return run(downloads, concurrency=MAX_CONCURRENT)\n",
    "net/guard.py": "def fetch(download):\n    with download.mutex.acquire():\n        return read(download)\n",
    "net/room.py": "def evict(downloads, size):\n    while downloads.size > size:\n        downloads.discard()\n",
    "net/listing.py": "def invalidate(downloads):\n    downloads.stale = True\n    downloads.refresh()\n",
    "net/peers.py": "def announce(downloads):\n    for peer in discover():\n        peer.gossip(downloads)\n",
    "net/leftovers.py": "def purge(downloads):\n    return [item for item in downloads if item.abandoned]\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("plain"), JOBS)) as engine:
        yield engine


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("when is it tried again?", "tried again"),
        ("again and again it tries", "again tries"),
        ("does it try that again", "try again"),
        ("two of them at once", "at once"),
        ("somebody forgot it", "forgot"),
    ],
)
def test_a_phrase_is_found_in_any_form_and_order(question: str, phrase: str) -> None:
    table = parse_plain_words("retry = try again\nlock = at once\nexpire = forget\n")
    assert [found for found, _ in table.read(read_tokens(question))] == [phrase]


@pytest.mark.parametrize(
    "question",
    ["try it, and whatever else comes to mind, again", "once at noon", "`try_again`", "--try-again"],
)
def test_words_far_apart_and_names_of_code_are_no_phrase(question: str) -> None:
    table = parse_plain_words("retry = try again\nlock = at once\n")
    assert not list(table.read(read_tokens(question)))


def test_of_two_phrases_that_share_a_word_the_longer_is_read() -> None:
    table = parse_plain_words("reload = again\nretry = try again\n")
    assert list(table.read(read_tokens("tried again"))) == [("tried again", ("retry",))]


def test_code_is_found_by_what_is_said_in_plain_words(engine: Engine) -> None:
    assert engine.search("when is it tried again?").hits[0].path == "jobs/failure.py"


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("how many downloads are fetched at once?", "net/pool.py"),
        ("two people fetch the same download at the same time, then what?", "net/guard.py"),
        ("what is thrown away when the folder of downloads gets over its size limit?", "net/room.py"),
        ("why does the list of downloads look outdated?", "net/listing.py"),
        ("how do nodes with downloads find each other?", "net/peers.py"),
        ("who comes to a download again in which they left something?", "net/leftovers.py"),
    ],
)
def test_what_people_ask_of_a_mechanism_finds_it(tmp_path: Path, question: str, path: str) -> None:
    with opened(write(tmp_path, DOWNLOADS)) as engine:
        assert engine.search(question).hits[0].path == path


def test_only_words_that_the_workspace_holds_count_and_less_than_its_own(engine: Engine) -> None:
    found = read(engine, "when is it tried again?")
    assert "retry" in found.implied
    assert "exponential" not in found.implied
    assert 0 < found.weights["retry"] < 1
    assert found.text == "when is it tried again?"


@pytest.mark.parametrize(
    "question",
    [
        "does `price` try again?",
        "jobs/failure.py tries again",
        "tries again with --force",
        "forget",
        "\n".join(["it tries again"] * 9),
    ],
)
def test_who_knows_the_words_of_code_is_asked_for_no_others(engine: Engine, question: str) -> None:
    assert not read(engine, question).implied


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("people can't log in any more", "login.py"),
        ("who is logged in?", "login.py"),
        ("logging out leaves the cookie", "logout.py"),
        ("when is a change rolled back?", "changes.py"),
        ("what is a sign-up worth?", "people.py"),
    ],
)
def test_a_verb_in_two_words_finds_code_that_writes_it_in_one(
    tmp_path: Path, question: str, path: str
) -> None:
    workspace = {
        "login.py": "def login(name, secret):\n    return session(name, secret)\n",
        "logout.py": "def logout(session):\n    session.end()\n",
        "changes.py": "def apply(change):\n    change.run() or rollback(change)\n",
        "people.py": "class Signup:\n    name = None\n    price = 1\n",
        "app_log.py": "def write_log(line):\n    log.append(line)\n\n\ndef in_log(line):\n    return line in log\n",
    }
    with opened(write(tmp_path, workspace)) as engine:
        assert engine.search(question).hits[0].path == path


@pytest.mark.parametrize(
    "question",
    ["is it in the roll?", "the in and out of it", "a roll, back then", "`roll back`", "back, roll"],
)
def test_words_beside_each_other_that_are_no_verb_are_not_written_in_one(
    tmp_path: Path, question: str
) -> None:
    names = "rollback backroll isit itin inand theout init"
    with opened(write(tmp_path, {"names.py": "".join(f"{name} = 1\n" for name in names.split())})) as engine:
        assert not set(read(engine, question).further) & set(names.split())


def test_every_line_of_the_table_has_its_form() -> None:
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        words, _, phrases = line.partition(" = ")
        assert words.split(), line
        assert all(word.replace("_", "").isalnum() and word == word.lower() for word in words.split()), line
        for phrase in phrases.split(" | "):
            assert phrase == " ".join(phrase.lower().split()), line
            assert phrase, line
            assert phrase not in STOP_WORDS, line
            telling = [word for word in phrase.split() if word not in STOP_WORDS]
            assert len(telling if len(telling) > 1 else phrase.split()) <= MAX_PHRASE_WORDS, line


def test_the_table_is_stemmed_as_it_is_written() -> None:
    written = parse_plain_words(TABLE.read_text("utf-8"))
    assert load_plain_words() == written
    stemmed = json.decode(STEMMED.read_bytes(), type=PlainWords)
    # Where another version of the stemmer is installed, the table is stemmed by that.
    assert stemmed == written or stemmed.stemmer != written.stemmer, "run: python tools/update_tables.py"


def test_phrases_are_found_whatever_stemmer_made_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(json.encode(PlainWords({"tri": "nothing"}, {}, "0.0.0")))
    monkeypatch.setattr(plain_words, "STEMMED", other)
    table = load_plain_words.__wrapped__()
    assert ("tried again", "retry") in [
        (said, code[0]) for said, code in table.read(read_tokens("it tried again"))
    ]


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    prose = {token.folded for token in read_tokens(text)}
    for phrase, words in load_plain_words().read(read_tokens(text)):
        assert set(phrase.split()) <= prose
        assert words


@given(
    st.lists(
        st.sampled_from(["try", "again", "crash", "forget", "slow", "lost", "data", "at", "once"]),
        max_size=60,
    )
)
def test_a_question_brings_a_bounded_number_of_words(engine: Engine, words: list[str]) -> None:
    assert len(read(engine, " ".join(words)).implied) <= MAX_IMPLIED


def test_implied_words_make_no_report_of_a_question(engine: Engine) -> None:
    question = "when is it tried again " + "and what of the goods of that person " * 4
    found = read(engine, question)
    assert found.implied
    assert len(found.spoken.split()) > len(question.split())
    assert found.spoken.startswith(question)


UPLOADS = {
    "files/rules.py": "def rules(config):\n    return ['file', f'max:{config.upload_limit}']\n",
    "files/login.py": "def throttle(login, limit):\n    return login.count < limit\n",
    "files/names.py": "def suggest_names(start):\n    return [name for name in NAMES if name.startswith(start)]\n",
    "files/settings.py": "def watch_settings(path, changed):\n    return watcher.watch(path, changed)\n",
}


@pytest.fixture(scope="module")
def uploads(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("uploads"), UPLOADS)) as engine:
        yield engine


def test_who_names_a_file_of_settings_may_say_the_rest_in_plain_words(uploads: Engine) -> None:
    assert "watch" in read(uploads, "how does it notice a change of config.toml").further
    assert "watch" not in read(uploads, "how does it notice a change of watch_settings").further
    assert "watch" not in read(uploads, "how does login.py notice a change").further


def test_what_is_autocompleted_is_suggested(uploads: Engine) -> None:
    assert "suggest" in read(uploads, "where is what I type autocompleted").further


def test_what_runs_out_soon_expires(tmp_path: Path) -> None:
    files = {
        "jobs/tickets.py": "def warn(ticket):\n    if ticket.expires_at < tomorrow():\n        notify(ticket.owner)\n"
    }
    with opened(write(tmp_path, {**JOBS, **files})) as engine:
        assert engine.search("who is told that a pass runs out soon?").hits[0].path == "jobs/tickets.py"
