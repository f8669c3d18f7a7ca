"""Code actions on text with secrets: what only its surroundings give away is not offered either."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ..memory.workspaces import write
from .conftest import serve
from .test_actions import LITERALS, SHOWS, actions_in, run
from .wire import Json, Wire, span

# Put together here, so that this file holds none itself.
LOGIN, BROKER, API = "jRmeA6mOOC" + "rlwBVLuOJm", "Tr0ub4dor" + "Xq9ZkLm", "k9XzQw82Lm" + "Np44RtYv"
ENV = "sword" + "fish77"
KEY = [f"{number:02d}aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYaB3dE5fG7hJ9kL1mN2pQ4rS6tU8v" for number in range(8)]
TEXTS: Mapping[str, str] = {
    "lib/sec.rb": f'def login\n  password = "{LOGIN}"\n  connect(password)\nend\n',
    "app/broker.py": (
        "def connect(host):\n"
        f"    broker_password = \"{BROKER}\"\n    api_key = '{API}'\n"
        "    return open_line(host, broker_password, api_key)\n"
    ),
    "app/keys.py": "\n".join(
        ['KEY = """', f"-----BEGIN {'PRIVATE'} KEY-----", *KEY, f"-----END {'PRIVATE'} KEY-----", '"""', ""]
    ),
    ".env": f"DB_HOST=db.example.org\nDB_PASS={ENV}\n",
}
SECRETS = (LOGIN, BROKER, API, ENV, *KEY)
# Half of one is a leak as well.
PARTS = frozenset(secret[at : at + 8] for secret in SECRETS for at in range(len(secret) - 7))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def wire(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    root = tmp_path_factory.mktemp("sec")
    write(root, TEXTS)
    env = {"CONTEXTLS_HOME": str(home)}
    with serve(root, env, capabilities={**LITERALS, **SHOWS}) as wire:
        for name in TEXTS:
            wire.open(name)
        yield wire


def leaks(text: str) -> set[str]:
    return {part for part in PARTS if part in text}


def titles(wire: Wire, name: str, place: Json, **context: Json) -> list[str]:
    return [each["title"] for each in actions_in(wire, name, place, **context)]


@pytest.mark.parametrize(
    ("name", "place", "offered"),
    [
        ("lib/sec.rb", span((1, 18), (1, 18)), []),
        ("lib/sec.rb", span((1, 14), (1, 34)), []),
        ("lib/sec.rb", span((1, 17), (1, 22)), []),
        ("lib/sec.rb", span((1, 2), (1, 2)), ["`password`"]),
        ("lib/sec.rb", span((1, 2), (1, 35)), ['`password = "[redacted:secret]"`']),
        ("lib/sec.rb", span((1, 20), (2, 9)), ["the selection"]),
        ("app/broker.py", span((1, 25), (1, 25)), []),
        ("app/broker.py", span((2, 20), (2, 20)), []),
        ("app/keys.py", span((4, 10), (4, 10)), []),
        ("app/keys.py", span((4, 0), (5, 10)), []),
        (".env", span((1, 12), (1, 12)), []),
        (".env", span((0, 0), (1, 30)), []),
        (".env", span((0, 2), (0, 2)), []),
    ],
)
def test_of_a_secret_only_what_is_left_is_offered(
    wire: Wire, name: str, place: Json, offered: list[str]
) -> None:
    assert titles(wire, name, place) == [f"Copy context for {each}" for each in offered]


def test_a_problem_that_quotes_a_secret_is_told_without_it(wire: Wire) -> None:
    problem = {"range": span((1, 21), (1, 37)), "message": f'"{BROKER}": Unknown word', "source": "cSpell"}
    (action,) = actions_in(wire, "app/broker.py", problem["range"], diagnostics=[problem])
    (argument,) = action["command"]["arguments"]
    assert argument["query"].startswith('"[redacted:secret]": Unknown word (cSpell) at: broker_password')
    assert not leaks(json.dumps([action["title"], argument, run(wire, action["command"])]))


def test_a_problem_in_a_file_that_is_kept_out_is_not_offered(wire: Wire) -> None:
    problem = {"range": span((1, 0), (1, 8)), "message": f"{ENV} is weak"}
    assert titles(wire, ".env", problem["range"], diagnostics=[problem]) == []


def test_a_range_given_backwards_is_put_in_order(wire: Wire) -> None:
    (action,) = actions_in(wire, "lib/sec.rb", span((3, 0), (0, 0)))
    assert action["command"]["arguments"][0]["range"] == span((0, 0), (3, 0))
    assert "def login" in run(wire, action["command"])["content"]


places = st.tuples(st.integers(0, 13), st.integers(0, 70))


@settings(max_examples=30, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(st.sampled_from(sorted(TEXTS)), places, st.one_of(st.none(), places))
def test_wherever_the_cursor_or_selection_is(
    wire: Wire, home: Path, name: str, start: tuple[int, int], end: tuple[int, int] | None
) -> None:
    for action in actions_in(wire, name, span(start, end or start)):
        prompt = run(wire, action["command"])
        assert not leaks(json.dumps([action, prompt]))
    for file in home.rglob("*"):
        assert not file.is_file() or not leaks(file.read_bytes().decode("latin-1"))
