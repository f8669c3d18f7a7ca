"""The embedder as a user meets it: chosen by settings, swapped, and failing, seen through a whole engine."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from contextls.engine import Engine
from contextls.errors import CancelledError, EmbedderError, InvalidRequestError, StoreError
from contextls.model import AssembleRequest, IndexProgress
from contextls.settings import Settings
from contextls.settings_file import read_user_settings
from contextls.settings_merge import merge_settings

from .memory.workspaces import SHOP, age, found, opened, texts, write
from .models.endpoints import WIDTH, Endpoint, Trouble, count_connections, serving
from .models.onnx_models import export

FAILING = Trouble(400)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = write(tmp_path / "shop", SHOP)
    age(root)
    return root


def given(**values: Any) -> Settings:  # noqa: ANN401 - settings as a client sends them
    return merge_settings(Settings(workers=1), values)


def at(endpoint: Endpoint) -> Settings:
    return given(embedder="openai", embedderEndpoint=endpoint.url, embedderModel="words")


def width(engine: Engine) -> set[int]:
    return {segment.vectors.shape[1] for segment in engine._memories.content.memory.snapshot.view.segments}


def test_swapping_rebuilds_the_index_each_time(shop: Path, tmp_path: Path, endpoint: Endpoint) -> None:
    onnx = given(embedder="onnx", embedderPath=str(export(tmp_path / "tiny")))
    identities = []
    for chosen, dimensions in ((given(), 256), (onnx, 16), (given(), 256), (at(endpoint), WIDTH), (onnx, 16)):
        with opened(shop, chosen, index=False) as engine:
            assert engine.status().chunks == 0, "vectors of the embedder before are gone"
            assert engine.index().changed == len(SHOP)
            assert width(engine) == {dimensions}
            assert found(engine, "seasonal discount of a price")[0] == "shop/prices.py"
            assert engine.status().warnings == ()
            identities.append(engine.status().embedder)
        with opened(shop, chosen, index=False) as engine:
            assert found(engine, "mail the receipt to the customer")[0] == "shop/mail.py"
            assert engine.index().changed == 0, "the same embedder keeps its index"
    assert identities[0] == identities[2]
    assert identities[1] == identities[4]
    assert len(set(identities)) == 3


def test_a_changed_model_file_rebuilds_the_index(shop: Path, tmp_path: Path) -> None:
    folder = export(tmp_path / "tiny")
    chosen = given(embedder="onnx", embedderPath=str(folder))
    with opened(shop, chosen) as engine:
        assert engine.status().chunks > 0
    export(folder, seed=5)
    with opened(shop, chosen, index=False) as engine:
        assert engine.status().chunks == 0
        assert engine.index().changed == len(SHOP)


def test_vectors_come_back_when_the_endpoint_does(shop: Path, endpoint: Endpoint) -> None:
    """Text that was open while nothing could be embedded does not keep the rest from being found by meaning."""
    endpoint.always = FAILING
    with opened(shop, at(endpoint), index=False) as engine:
        engine.set_overlay("shop/prices.py", "def surcharge(price):\n    return price + 1\n")
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        endpoint.always = None
        engine.index()
        engine._memories.content.embedder._rest_until = 0.0  # type: ignore[attr-defined]
        assert engine._memories.content.memory.read_query("customer receipt").vector.any()
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        assert found(engine, "mail the receipt to the customer")[0] == "shop/mail.py"
        assert engine.status().warnings == ()


def test_a_question_that_cannot_be_embedded_is_answered_by_words(shop: Path, endpoint: Endpoint) -> None:
    with opened(shop, at(endpoint)) as engine:
        endpoint.always = FAILING
        hits = found(engine, "seasonal discount")
        assert hits[0] == "shop/prices.py"
        context = engine.assemble(AssembleRequest("seasonal discount"))
        assert "def discounted" in context.content
        (warning,) = context.report.warnings
        assert warning.startswith(f"answered by words alone: {endpoint.url}/embeddings: status 400")
        assert warning in engine.status().warnings


def test_a_workspace_opens_and_answers_while_the_endpoint_is_down(shop: Path) -> None:
    with serving() as endpoint:
        chosen = at(endpoint)
        with opened(shop, chosen) as engine:
            assert engine.status().chunks > 0
    with opened(shop, chosen, index=False) as engine:
        assert found(engine, "seasonal discount")[0] == "shop/prices.py"
        engine.set_overlay("shop/prices.py", "def surcharge(price):\n    return price + 1\n")
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        assert "discounted" not in texts(engine, "shop/prices.py")
        assert engine.index().changed == 0, "an unchanged workspace needs no endpoint"


def test_failing_while_indexing_is_clear_and_keeps_the_index(shop: Path, endpoint: Endpoint) -> None:
    with opened(shop, at(endpoint)) as engine:
        chunks = engine.status().chunks
        write(shop, {"shop/returns.py": "def refund(order):\n    return order.total\n"})
        endpoint.always = FAILING
        with pytest.raises(EmbedderError, match="status 400"):
            engine.index()
        assert engine.status().chunks == chunks
        assert found(engine, "seasonal discount")[0] == "shop/prices.py"
        endpoint.always = None
        assert engine.index().changed == 1
        assert found(engine, "refund of an order")[0] == "shop/returns.py"
    with opened(shop, at(endpoint), index=False) as engine:
        assert found(engine, "refund of an order")[0] == "shop/returns.py"
        assert engine.index().changed == 0


def test_a_slow_embedder_can_be_stopped_and_goes_on(tmp_path: Path, endpoint: Endpoint) -> None:
    body = "    first = value + 1\n    second = first * 2\n    return second\n\n\n"
    files = {
        f"part{number}.py": "".join(f"def task_{number}_{i}(value):\n{body}" for i in range(60))
        for number in range(20)
    }
    root = write(tmp_path / "large", files)
    age(root)
    stop = threading.Event()

    def progress(_: IndexProgress) -> None:
        if endpoint.received:
            stop.set()

    with opened(root, at(endpoint), index=False) as engine:
        with pytest.raises(CancelledError):
            engine.index(progress, stop)
        done = engine.status().files
        assert 0 < done < len(files)
        sent = len(endpoint.texts)
        assert engine.index().changed == len(files) - done
        assert sent < len(endpoint.texts) == engine.status().chunks


def test_a_save_while_the_endpoint_fails_is_found_by_words(shop: Path, endpoint: Endpoint) -> None:
    with opened(shop, at(endpoint)) as engine:
        endpoint.always = FAILING
        write(shop, {"shop/returns.py": "def refund(order):\n    return order.total\n"})
        engine.update_files(["shop/returns.py"])
        assert found(engine, "refund")[0] == "shop/returns.py"
        engine._memories.content.indexer.flush()
        assert any("shop/returns.py could not be stored" in text for text in engine.status().warnings)
        endpoint.always = None
        assert engine.index().changed == 1
        assert engine.status().state == "ready"


def test_another_length_of_vectors_is_never_mixed_in(shop: Path) -> None:
    with serving() as endpoint:
        chosen = at(endpoint)
        with opened(shop, chosen) as engine:
            assert width(engine) == {WIDTH}
        endpoint.width = WIDTH * 2
        write(shop, {"shop/returns.py": "def refund(order):\n    return order.total\n"})
        with opened(shop, chosen, index=False) as engine:
            context = engine.assemble(AssembleRequest("seasonal discount"))
            assert "def discounted" in context.content
            assert any("holds vectors of 32 numbers" in text for text in context.report.warnings)
            with pytest.raises(StoreError, match="vectors of 32 numbers, the embedder now gives 64"):
                engine.index()
            engine.clear()
            assert engine.index().changed == len(SHOP) + 1
            assert width(engine) == {WIDTH * 2}
            assert engine.assemble(AssembleRequest("refund")).report.warnings == ()


def test_secrets_do_not_reach_the_endpoint(shop: Path, endpoint: Endpoint) -> None:
    token = "ghp_" + "a8Kd93jfLs02mQpZx7Rt41VbNc65YwEg0uHi"
    write(
        shop,
        {"shop/deploy.py": f'TOKEN = "{token}"\n', ".gitignore": "hidden.py\n", "hidden.py": "quiet = 1\n"},
    )
    with opened(shop, at(endpoint)) as engine:
        engine.search(f"where is {token} used?")
    assert any("shop/deploy.py" in text for text in endpoint.texts)
    assert not any(token in text or "quiet" in text for text in endpoint.texts)


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"embedder": "onnx"}, "embedderPath"),
        ({"embedder": "openai"}, "embedderModel"),
        ({"embedder": "openai", "embedderModel": "m"}, "embedderEndpoint"),
        (
            {"embedder": "openai", "embedderModel": "m", "embedderEndpoint": "https://embed.example.com/v1"},
            "embedderConsent",
        ),
        (
            {
                "embedder": "openai",
                "embedderModel": "m",
                "embedderEndpoint": "http://localhost/v1",
                "embedderKeyVariable": "CONTEXTLS_TEST_UNSET",
            },
            "embedderKeyVariable",
        ),
    ],
)
def test_what_is_missing_is_named(shop: Path, values: dict[str, str], field: str) -> None:
    with pytest.raises(InvalidRequestError, match=rf"^contextls\.{field}: expected"):
        Engine.open(shop, given(**values))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("embedder", "word2vec"),
        ("embedder", ""),
        ("embedder", None),
        ("embedder", ["onnx"]),
        ("embedderPath", 3),
        ("embedderConsent", "yes"),
        ("embedderConsent", 1),
        ("embedderKey", "sk-anything"),
    ],
)
def test_settings_are_strict(key: str, value: object) -> None:
    with pytest.raises(InvalidRequestError, match=rf"^contextls\.{key}: expected"):
        merge_settings(Settings(), {key: value})


def test_nothing_in_a_workspace_chooses_the_embedder(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, endpoint: Endpoint
) -> None:
    chosen = f'embedder = "openai"\nembedderEndpoint = "{endpoint.url}"\nembedderModel = "words"\n'
    for name in ("settings.toml", "contextls.toml", ".context/settings.toml", ".contextls/settings.toml"):
        write(shop, {name: chosen})
    monkeypatch.chdir(shop)
    monkeypatch.setenv("CONTEXTLS_HOME", str(tmp_path / "home"))
    assert read_user_settings().settings.embedder == "static"
    with opened(shop, read_user_settings().settings) as engine:
        assert engine.status().embedder.startswith("contextls-static-")
    assert endpoint.received == []
    write(tmp_path / "home", {"settings.toml": chosen})
    assert read_user_settings().settings.embedder_endpoint == endpoint.url


def test_a_closed_engine_holds_no_connection(shop: Path, endpoint: Endpoint) -> None:
    told = {"summarizerEndpoint": endpoint.url, "summarizerModel": "gists"}
    engine = Engine.open(shop, merge_settings(at(endpoint), told))
    engine.index()
    assert "Gist" in engine.summarize(SHOP["shop/cart.py"], 60, "o200k_base").text
    assert count_connections(endpoint) == 2
    engine.close()
    assert count_connections(endpoint) == 0
