"""Products that code writes otherwise: "Node.js" is ``node``, "Last.fm" and "LastFM" are ``lastfm``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.model import AssembleRequest

FILES = {
    "package.json": '{\n  "name": "shop",\n  "engines": {\n    "node": ">=22.0.0"\n  }\n}\n',
    "src/Cart.js": "export class Cart {\n  total() {\n    return this.items.length\n  }\n}\n",
    "src/orders.js": "export function versionOf(order) {\n  return order.minimum\n}\n",
}
MUSIC = {
    "src/lastfm/agent.js": "export function lastfmImages(artist) {\n  return lastfmClient.images(artist)\n}\n",
    "src/lists.js": "export function lastOf(list) {\n  return list[list.lastIndex]\n}\n",
    "src/settings.js": "export const options = { LastFM: true, cartTotal: 1 }\n",
    "src/socket.js": "export class WebSocket {}\nexport const websocket = new WebSocket()\n",
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with index(tmp_path, FILES) as engine:
        yield engine


@pytest.fixture
def music(tmp_path: Path) -> Iterator[Engine]:
    with index(tmp_path, MUSIC) as engine:
        yield engine


@contextmanager
def index(root: Path, files: Mapping[str, str]) -> Iterator[Engine]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    with Engine.open(root) as engine:
        engine.index()
        yield engine


def read(engine: Engine, question: str) -> str:
    return engine._memories.content.memory.read_query(question).text


def test_a_product_is_looked_for_by_its_name_alone(engine: Engine) -> None:
    context = engine.assemble(AssembleRequest("what is the minimum Node.js version?", 1_000))
    assert context.components[0].path == "package.json"


@pytest.mark.parametrize(
    "question",
    [
        "what does Cart.js do?", "cart.js", "why does Cart.js:3 fail?", "where is src/Order.js?", "is order.js read?",
        "what is Order.js.map for?", "who calls Order.json()?",
    ],
)  # fmt: skip
def test_a_file_stays_a_file(engine: Engine, question: str) -> None:
    assert read(engine, question) == question


def test_each_product_is_read(engine: Engine) -> None:
    assert read(engine, "do we use Vue.js, or Next.js?") == "do we use Vue, or Next?"


@pytest.mark.parametrize("name", ["Last.fm", "last.fm", "LastFM", "lastFM", "lastfm"])
def test_a_product_is_found_by_each_of_its_spellings(music: Engine, name: str) -> None:
    context = music.assemble(AssembleRequest(f"add an option to turn off {name} images", 1_000))
    assert context.components[0].path == "src/lastfm/agent.js"


@pytest.mark.parametrize(
    "question",
    [
        "what is WebSocket?", "what is `LastFM` set to?", "who calls lastFM()?", "where is conf.LastFM read?",
        "what is cartTotal?", "is last.fm.com asked?", "open src/last.fm",
    ],
)  # fmt: skip
def test_a_name_of_code_stays_as_it_is(music: Engine, question: str) -> None:
    assert read(music, question) == question
