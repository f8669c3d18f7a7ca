"""Headers, lengths and bodies that are no messages."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..protocol.conftest import build_workspace
from ..protocol.wire import Json, Wire, WireError

PARSE_ERROR = -32700
HUGE = 300_000_000


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    wire = Wire()
    wire.initialize(build_workspace(tmp_path_factory.mktemp("framing")))
    wire.ready()
    yield wire
    wire.kill()


class Talk:
    """Bytes in, and how many requests got how many answers."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.seen = len(wire.received)

    def request(self) -> tuple[int, bytes]:
        """A request that any server answers, as bytes; its id."""
        self.wire._next_id += 1
        number = self.wire._next_id
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "context/archetypes"}).encode()
        return number, body

    def put(self, data: bytes) -> None:
        self.wire.put(data)

    def expect(self, *numbers: int) -> list[Json]:
        """Each of these is answered once; the errors that answer no request."""
        for number in numbers:
            assert self.wire.answer(number)["archetypes"]
        self.wire.request("context/archetypes")
        since = self.wire.received[self.seen :]
        for number in numbers:
            assert sum(each.get("id") == number and "method" not in each for each in since) == 1
        return [each["error"] for each in since if each.get("id") is None and "error" in each]


def head(length: object, name: bytes = b"Content-Length") -> bytes:
    return name + b": " + str(length).encode() + b"\r\n\r\n"


GOOD: dict[str, Callable[[bytes], bytes]] = {
    "lower case": lambda body: head(len(body), b"content-length") + body,
    "upper case": lambda body: head(len(body), b"CONTENT-LENGTH") + body,
    "no blank": lambda body: b"Content-Length:%d\r\n\r\n" % len(body) + body,
    "many blanks": lambda body: b"Content-Length: \t  %d  \r\n\r\n" % len(body) + body,
    "leading zeros": lambda body: b"Content-Length: 000%d\r\n\r\n" % len(body) + body,
    "a type first": lambda body: (
        b"Content-Type: application/json; charset=utf-8\r\n" + head(len(body)) + body
    ),
    "a type behind": lambda body: b"content-length: %d\r\ncontent-type: x\r\n\r\n" % len(body) + body,
    "line feeds alone": lambda body: b"Content-Length: %d\n\n" % len(body) + body,
    "empty lines before": lambda body: b"\r\n\r\n\n" + head(len(body)) + body,
}


@pytest.mark.parametrize("form", GOOD.values(), ids=GOOD.keys())
def test_a_header_may_be_written_in_many_ways(wire: Wire, form: Callable[[bytes], bytes]) -> None:
    talk = Talk(wire)
    first, body = talk.request()
    second, other = talk.request()
    talk.put(form(body) + head(len(other)) + other)
    assert talk.expect(first, second) == []


BODY = b'{"jsonrpc":"2.0","method":"$/lost"}'
BAD: dict[str, bytes] = {
    "negative": head(-5) + BODY,
    "10^12": head(10**12) + BODY,
    "10^40": head(10**40) + BODY,
    "no number": head("many") + BODY,
    "a fraction": head("36.0") + BODY,
    "hexadecimal": head("0x24") + BODY,
    "digits of another script": head("٣٦") + BODY,
    "empty": head("") + BODY,
    "a sign": head(f"+{len(BODY)}") + BODY,
    "missing": b"Content-Type: x\r\n\r\n" + BODY,
    "twice the same": b"Content-Length: %d\r\n" % len(BODY) * 2 + b"\r\n" + BODY,
    "twice": b"Content-Length: 3\r\ncontent-length: %d\r\n\r\n" % len(BODY) + BODY,
    "no header at all": BODY,
    "a line of text": b"Hello, I am a client.\r\n" + head(len(BODY)) + BODY,
    "binary": bytes(range(256)) * 10,
    "HTTP": b"POST / HTTP/1.1\r\nHost: x\r\n\r\n",
    "an endless name": b"x" * 100_000,
    "an endless header": b"x: y\r\n" * 10_000,
    "blanks in a header": b"x:" + b" " * 8_000 + b"y\r\n" + head("z"),
    "too short": head(len(BODY) - 7) + BODY,
    "too long": head(len(BODY) + 3) + BODY,
    "an empty body": head(0),
    "not UTF-8": head(2) + b"\xff\xfe",
    "half a surrogate": head(3) + b"\xed\xa0\x80",
    "deeply nested": head(200_000) + b"[" * 200_000,
    "a number of 5,000 digits": head(5_000) + b"9" * 5_000,
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_what_is_no_message_is_an_error_and_not_the_end(wire: Wire, data: bytes) -> None:
    """The message right behind it may be lost where a length lied, the one after that never."""
    talk = Talk(wire)
    lost, sacrificed = talk.request()
    number, body = talk.request()
    lied = data in (BAD["too long"], BAD["too short"])
    talk.put(data + (head(len(sacrificed)) + sacrificed if lied else b"") + head(len(body)) + body)
    errors = talk.expect(number)
    assert errors
    assert {each["code"] for each in errors} <= {PARSE_ERROR, -32600}
    assert not any(
        "Error" in each["message"] for each in errors
    )  # no word that only a programmer of ours knows
    answers = [each for each in wire.received if each.get("id") == lost and "method" not in each]
    assert len(answers) <= 1


def test_two_hundred_bad_headers_in_a_row(wire: Wire) -> None:
    talk = Talk(wire)
    numbers = []
    for _ in range(200):
        number, body = talk.request()
        numbers.append(number)
        talk.put(head("?") + BODY + head(len(body)) + body)
    assert len(talk.expect(*numbers)) == 200


def test_a_message_that_is_too_large_is_passed_over_in_little_memory(wire: Wire) -> None:
    talk = Talk(wire)
    process = psutil.Process(wire.process.pid)
    before = process.memory_info().rss
    talk.put(head(HUGE) + b'{"jsonrpc":"2.0","id":"huge","method":"x","params":"')
    piece = b"x" * 4_000_000
    for _ in range(HUGE // len(piece)):
        talk.put(piece)
    number, body = talk.request()
    talk.put(b'"}' + head(len(body)) + body)
    most = 0
    while not any(each.get("id") == number for each in wire.received):
        most = max(most, process.memory_info().rss)
        time.sleep(0.02)
    assert talk.expect(number) == []
    with pytest.raises(WireError, match="300,000,000 bytes was passed over"):
        wire.answer("huge")
    assert most - before < 100_000_000


LARGE = "x" * 40_000_000
TOO_LARGE: dict[str, tuple[bytes, object]] = {
    "an id first": (
        b'{"jsonrpc":"2.0","id":"first","method":"context/search","params":{"query":"%s"}}',
        "first",
    ),
    "an id behind the method": (
        b'{"jsonrpc":"2.0","method":"context/search","id":9000001,"params":{"id":3,"query":"%s"}}',
        9000001,
    ),
    "an id behind all": (b'{"jsonrpc":"2.0","method":"context/search","params":{"query":"%s"},"id":7}', None),
    "an id of another kind": (b'{"jsonrpc":"2.0","id":[1],"method":"context/search","params":"%s"}', None),
    "an id within": (b'{"jsonrpc":"2.0","params":{"id":5,"query":"%s"}}', None),
    "no JSON": (b'}{"id":5}[[%s', None),
    "a notification": (b'{"jsonrpc":"2.0","method":"x","params":"%s"}', None),
    "an answer that nobody wants": (b'{"jsonrpc":"2.0","id":"x","result":"%s"}', ...),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_a_message_that_is_too_large_is_answered_by_its_id(wire: Wire, name: str) -> None:
    talk = Talk(wire)
    form, msg_id = TOO_LARGE[name]
    number, body = talk.request()
    wire.raw(form % LARGE.encode())
    wire.raw(body)
    talk.expect(number)
    errors = [each for each in wire.received[talk.seen :] if "error" in each]
    if msg_id is ...:
        assert errors == []
        return
    (refused,) = errors
    assert refused["id"] == msg_id
    assert refused["error"]["code"] == (PARSE_ERROR if msg_id is None else -32600)
    assert "32,000,000" in refused["error"]["message"]


def test_a_document_that_is_too_large_is_not_followed(wire: Wire) -> None:
    """Nor is one whose edit was: what is edited later would be another text than the editor's."""
    uri = (wire.root / "large.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1}
    place = {"line": 0, "character": 0}
    edit = {"range": {"start": place, "end": place}, "text": "small = 1\n"}

    def change(text: str) -> None:
        wire.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{**edit, "text": text}]},
        )

    for first, second in ((LARGE, "x"), ("x", LARGE)):
        seen = len(wire.received)
        wire.notify("textDocument/didOpen", {"textDocument": {**document, "text": first}})
        change(second)
        change("y")
        wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        assert wire.request(
            "textDocument/codeAction",
            {
                "textDocument": {"uri": uri},
                "range": {"start": place, "end": place},
                "context": {"diagnostics": []},
            },
        ) in (None, [])
        wire.assemble("small", textDocument={"uri": uri}, position=place)
        wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        wire.request("context/archetypes")
        (error,) = [each["error"] for each in wire.received[seen:] if "error" in each]
        assert error["code"] == PARSE_ERROR
    for line in (
        "textDocument/didOpen of 40,000,",
        "is not open, was ignored",
        "textDocument/didChange of 40,000,",
    ):
        wire.wait_for_log(line)
    assert "Traceback" not in wire.log.decode()


def test_an_absurd_length_is_answered_at_once(wire: Wire) -> None:
    seen = len(wire.received)
    wire.put(head(10**12))
    wire.wait(lambda each: "error" in each, 20, after=seen)


def test_a_slow_writer_is_waited_for(wire: Wire) -> None:
    talk = Talk(wire)
    number, body = talk.request()
    for byte in head(len(body)) + body:
        talk.put(bytes([byte]))
        time.sleep(0.002)
    assert talk.expect(number) == []


@given(
    st.lists(
        st.one_of(st.binary(max_size=60), st.sampled_from(sorted(BAD.values(), key=len)[:20])), max_size=6
    )
)
def test_whatever_comes_the_next_message_but_one_is_read(wire: Wire, pieces: list[bytes]) -> None:
    talk = Talk(wire)
    _, sacrificed = talk.request()
    number, body = talk.request()
    talk.put(b"".join(pieces) + b"\r\n" + (head(len(sacrificed)) + sacrificed) * 2 + head(len(body)) + body)
    talk.expect(number)


LIKE_MESSAGES: list[Json] = [
    {"jsonrpc": "2.0", "id": 1, "method": "shutdown"},
    {"jsonrpc": "2.0", "method": "exit"},
    {"jsonrpc": "2.0", "id": 1, "result": None},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}},
    {"jsonrpc": "2.0"},
    {"jsonrpc": "1.0", "method": 5},
]


@pytest.mark.parametrize("inner", LIKE_MESSAGES, ids=json.dumps)
def test_an_object_within_a_message_is_never_one_itself(wire: Wire, inner: Json) -> None:
    talk = Talk(wire)
    kept = wire.request(
        "context/recordEvent", {"type": "chat", "content": {"message": inner, "all": [[inner]]}}
    )
    assert kept["id"]
    (event,) = wire.request("context/events", {"limit": 1})["events"]
    assert event["content"] == {"message": inner, "all": [[inner]]}
    wire.notify("workspace/didChangeConfiguration", {"settings": {"contextls": inner}})
    wire.notify("unknown/notification", inner)
    wire.notify("$/progress", {"token": "1", "value": inner})
    number, _ = talk.request()
    wire.message(
        {"jsonrpc": "2.0", "id": number, "method": "context/archetypes", "params": {}, "extra": inner}
    )
    assert talk.expect(number) == []


def test_an_answer_may_hold_what_looks_like_a_message(tmp_path: Path) -> None:
    """Read from the settings that a client answers with: the answer is one answer, and settles one question."""
    wire = Wire()
    inner = {"jsonrpc": "2.0", "id": 1, "method": "shutdown"}
    wire.answers["workspace/configuration"] = lambda _params: [{"maxTokens": 777, "unknown": inner}]
    wire.initialize(build_workspace(tmp_path / "w"), capabilities={"workspace": {"configuration": True}})
    wire.ready()
    wire.notify("workspace/didChangeConfiguration", {"settings": None})
    deadline = time.monotonic() + 60
    while wire.assemble("discount")["tokenCount"] > 777:
        assert time.monotonic() < deadline
    assert wire.end() == 0
