"""Sentence models from a folder: a small real one is exported here, tokenized and run by the real runtime."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import EmbedderError
from contextls.models.embedders.onnx_model import OnnxEmbedder

from .onnx_models import VOCABULARY, WIDTH, export, weights

WORDS = [word for word in VOCABULARY if word.isalpha()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return export(tmp_path / "tiny")


def expected(words: list[str], table: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> object:
    """What mean pooling must give, computed without the runtime: the mean of the words' rows, scaled to length 1."""
    mean = table[[VOCABULARY.index(word) for word in words]].mean(axis=0)
    return pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)


def test_a_vector_is_the_mean_of_its_tokens_scaled_to_length_one(folder: Path) -> None:
    embedder = OnnxEmbedder.load(folder)
    assert embedder.dimensions == WIDTH
    vectors = embedder.embed_documents(["cart total", "mail the receipt to the customer"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, WIDTH)
    assert vectors[0] == expected(["cart", "total"], weights())
    assert vectors[1] == expected(["mail", "the", "receipt", "to", "the", "customer"], weights())
    assert embedder.embed_query("total cart") == expected(["total", "cart"], weights())


@given(
    texts=st.lists(
        st.lists(st.sampled_from([*WORDS, "unheard", "!", "(", "日本", "\ud800"]), max_size=40).map(" ".join),
        max_size=30,
    )
)
def test_alone_or_in_a_batch_each_text_has_its_one_vector(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    """Batches are sorted by length and padded: neither the order nor the padding may show."""
    embedder = shared(tmp_path_factory)
    batch = embedder.embed_documents(texts)
    assert batch.shape == (len(texts), WIDTH)
    for text, row in zip(texts, batch, strict=True):
        assert row == pytest.approx(embedder.embed_documents([text])[0], abs=1e-5)
        has_word = any(character.isalnum() for character in text)
        assert float(np.linalg.norm(row)) == pytest.approx(1.0 if has_word else 0.0, abs=1e-5)


def test_a_large_batch_keeps_its_order(folder: Path) -> None:
    embedder = OnnxEmbedder.load(folder)
    texts = [" ".join([WORDS[number % len(WORDS)]] * (1 + number * 7 % 60)) for number in range(300)]
    for number, row in enumerate(embedder.embed_documents(texts)):
        assert row == expected([WORDS[number % len(WORDS)]], weights())


def test_what_the_configuration_files_say_is_done(folder: Path) -> None:
    (folder / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "customer ", "passage": "receipt "}})
    )
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 2}))
    embedder = OnnxEmbedder.load(folder)
    assert embedder.embed_query("cart total mail") == expected(["customer", "cart"], weights())
    assert embedder.embed_documents(["cart total mail"])[0] == expected(["receipt", "cart"], weights())


@pytest.mark.parametrize(
    ("files", "tokens"),
    [
        ({}, 512),
        (
            {
                "sentence_bert_config.json": {"max_seq_length": 3},
                "tokenizer_config.json": {"model_max_length": 2},
            },
            3,
        ),
        ({"tokenizer_config.json": {"model_max_length": 10**30}}, 512),
        (
            {"tokenizer_config.json": {"model_max_length": 9}, "config.json": {"max_position_embeddings": 4}},
            4,
        ),
        ({"sentence_bert_config.json": {"max_seq_length": None}, "config.json": []}, 512),
    ],
)
def test_a_text_is_cut_where_the_model_stops_reading(
    folder: Path, files: dict[str, object], tokens: int
) -> None:
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content))
    text = " ".join(["cart"] * tokens + ["mail"] * 5)
    assert OnnxEmbedder.load(folder).embed_query(text) == expected(["cart"], weights())
    shorter = " ".join(["cart"] * (tokens - 1) + ["mail"] * 5)
    assert OnnxEmbedder.load(folder).embed_query(shorter) != expected(["cart"], weights())


def test_first_token_pooling_and_models_that_pool_by_themselves(tmp_path: Path) -> None:
    first = export(tmp_path / "first")
    (first / "1_Pooling").mkdir()
    (first / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    assert OnnxEmbedder.load(first).embed_query("mail the cart") == expected(["mail"], weights())
    pooled = export(tmp_path / "pooled", pooled=True)
    assert OnnxEmbedder.load(pooled).embed_query("mail cart") == expected(["mail", "cart"], weights())
    (first / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_lasttoken": True}))
    with pytest.raises(EmbedderError, match="pooling_mode_lasttoken is not supported"):
        OnnxEmbedder.load(first)


def test_models_in_a_subfolder_and_single_files_are_found(folder: Path) -> None:
    vector = OnnxEmbedder.load(folder).embed_query("cart")
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model_fp32.onnx")
    assert OnnxEmbedder.load(folder).embed_query("cart") == pytest.approx(vector)
    (folder / "onnx" / "model_int8.onnx").write_bytes(b"")
    with pytest.raises(EmbedderError, match=r"model_fp32\.onnx, model_int8\.onnx.*embedderPath"):
        OnnxEmbedder.load(folder)
    chosen = OnnxEmbedder.load(folder / "onnx" / "model_fp32.onnx")
    assert chosen.embed_query("cart") == pytest.approx(vector)


def test_identity_follows_the_files(tmp_path: Path) -> None:
    one = export(tmp_path / "one")
    same = OnnxEmbedder.load(one).identity
    assert OnnxEmbedder.load(one).identity == same
    (one / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"query": "q "}}))
    prefixed = OnnxEmbedder.load(one).identity
    export(one, seed=7)
    assert len({same, prefixed, OnnxEmbedder.load(one).identity}) == 3


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_missing_and_damaged_files_are_named(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"{nonsense")
    with pytest.raises(EmbedderError, match=name.replace(".", r"\.")):
        OnnxEmbedder.load(folder)
    (folder / name).unlink()
    with pytest.raises(EmbedderError, match=name.replace(".", r"\.")):
        OnnxEmbedder.load(folder)


def test_no_folder_and_other_models_are_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="no such folder; correct embedderPath"):
        OnnxEmbedder.load(tmp_path / "nowhere")
    with pytest.raises(EmbedderError, match="no such model file; correct embedderPath"):
        OnnxEmbedder.load(tmp_path / "nowhere.onnx")
    image = export(tmp_path / "image", input_name="pixel_values")
    with pytest.raises(EmbedderError, match="not a sentence encoder: it asks for pixel_values"):
        OnnxEmbedder.load(image)


def test_without_the_extra_the_message_says_what_to_install(folder: Path) -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from pathlib import Path\n"
        "from contextls.errors import EmbedderError\n"
        "from contextls.models.embedders.onnx_model import OnnxEmbedder\n"
        "try:\n    OnnxEmbedder.load(Path(sys.argv[1]))\n"
        "except EmbedderError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert 'pip install "contextls[onnx]"' in done.stdout


_SHARED: list[OnnxEmbedder] = []


def shared(factory: pytest.TempPathFactory) -> OnnxEmbedder:
    if not _SHARED:
        _SHARED.append(OnnxEmbedder.load(export(factory.mktemp("models") / "shared")))
    return _SHARED[0]
