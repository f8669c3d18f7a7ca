"""The sentence model that our table is compared with, as ``tools/sentence_model.py`` converts it."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

TOOL = Path(__file__).resolve().parents[2] / "tools" / "sentence_model.py"
_spec = importlib.util.spec_from_file_location("sentence_model", TOOL)
assert _spec is not None
assert _spec.loader is not None
tool = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tool)

WIDTH, HEADS, INNER, WORDS = 8, 2, 12, 20
CONFIG = {
    "hidden_size": WIDTH,
    "num_attention_heads": HEADS,
    "num_hidden_layers": 2,
    "layer_norm_eps": 1e-12,
}
Weights = dict[str, NDArray[np.float32]]


@pytest.fixture(scope="module")
def weights() -> Weights:
    random = np.random.default_rng(3)
    shapes: dict[str, tuple[int, ...]] = {
        f"embeddings.{kind}_embeddings.weight": (WORDS, WIDTH) for kind in ("word", "position", "token_type")
    }
    linear: dict[str, tuple[int, int]] = {}
    for layer in range(2):
        name = f"encoder.layer.{layer}."
        for part in (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ):
            linear[name + part] = (WIDTH, WIDTH)
        linear[name + "intermediate.dense"] = (INNER, WIDTH)
        linear[name + "output.dense"] = (WIDTH, INNER)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{name}{part}.weight": (WIDTH,), f"{name}{part}.bias": (WIDTH,)}
    shapes |= {"embeddings.LayerNorm.weight": (WIDTH,), "embeddings.LayerNorm.bias": (WIDTH,)}
    for name, shape in linear.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def reference(weights: Weights, ids: list[int]) -> NDArray[np.float64]:
    """BERT's encoder as its paper gives it, for one text without padding."""

    def linear(value: NDArray[Any], name: str) -> NDArray[Any]:
        product: NDArray[Any] = value @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        return product

    def normal(value: NDArray[Any], name: str) -> NDArray[Any]:
        centred = value - value.mean(-1, keepdims=True)
        scaled: NDArray[Any] = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    word, place, kind = (
        weights[f"embeddings.{n}_embeddings.weight"] for n in ("word", "position", "token_type")
    )
    value = normal(word[ids] + place[: len(ids)] + kind[0], "embeddings.LayerNorm")
    for layer in range(2):
        name, size = f"encoder.layer.{layer}.", WIDTH // HEADS
        heads = []
        for head in range(HEADS):
            cut = slice(head * size, (head + 1) * size)
            q, k, v = (linear(value, f"{name}attention.self.{n}")[:, cut] for n in ("query", "key", "value"))
            share = np.exp(q @ k.T / math.sqrt(size))
            heads.append(share / share.sum(-1, keepdims=True) @ v)
        mixed = linear(np.concatenate(heads, -1), f"{name}attention.output.dense")
        value = normal(mixed + value, f"{name}attention.output.LayerNorm")
        inner = linear(value, f"{name}intermediate.dense")
        curve = np.vectorize(lambda x: x * 0.5 * (1 + math.erf(x / math.sqrt(2))))(inner)
        value = normal(linear(curve, f"{name}output.dense") + value, f"{name}output.LayerNorm")
    return np.asarray(value, np.float64)


def test_the_converted_model_computes_what_the_paper_says_padded_or_not(weights: Weights) -> None:
    session = onnxruntime.InferenceSession(
        tool.build(weights, CONFIG).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    texts = [[3, 7, 1, 19, 4], [5, 2]]
    ids, mask = np.zeros((2, 5), np.int64), np.zeros((2, 5), np.int64)
    for row, text in enumerate(texts):
        ids[row, : len(text)], mask[row, : len(text)] = text, 1
    (found,) = session.run(
        None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    )
    for row, text in enumerate(texts):
        assert found[row, : len(text)] == pytest.approx(reference(weights, text), abs=1e-4)


def test_weights_are_read_from_a_safetensors_file(weights: Weights) -> None:
    entries, blob = {}, b""
    for name, value in weights.items():
        entries[name] = {
            "dtype": "F32",
            "shape": value.shape,
            "data_offsets": [len(blob), len(blob) + value.nbytes],
        }
        blob += value.tobytes()
    head = json.dumps({"__metadata__": {"format": "pt"}, **entries}).encode()
    read = tool.read_safetensors(len(head).to_bytes(8, "little") + head + blob)
    assert read.keys() == weights.keys()
    assert all(np.array_equal(read[name], weights[name]) for name in weights)
