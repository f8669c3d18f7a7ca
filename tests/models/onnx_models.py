"""Exports a sentence model of a few kilobytes: word vectors behind the inputs and outputs that real exports have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

_WORDS = """[PAD] [UNK] the a of to cart total item add price prices discount discounted seasonal percent mail send
receipt customer order address register route path handler return returns thirty days goods shop def class self"""
VOCABULARY = _WORDS.split()
WIDTH = 16
_OPSET = 17


def weights(seed: int = 0) -> NDArray[np.float32]:
    """One row per word of ``VOCABULARY``; the row of the padding is large, so that padding that counts is seen."""
    table = np.random.default_rng(seed).normal(size=(len(VOCABULARY), WIDTH)).astype(np.float32)
    table[0] = 100.0
    return table


def export(folder: Path, *, seed: int = 0, pooled: bool = False, input_name: str = "input_ids") -> Path:
    """Write ``model.onnx`` and ``tokenizer.json`` into ``folder`` and return it.

    The model gives its token vectors, or with ``pooled`` the sentence's vector itself.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(VOCABULARY)}, unk_token="[UNK]")  # noqa: S106
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    nodes = [helper.make_node("Gather", ["table", input_name], ["last_hidden_state"])]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", WIDTH])
    constants = [numpy_helper.from_array(weights(seed), "table")]
    if pooled:
        nodes += [
            helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
            helper.make_node("Mul", ["last_hidden_state", "column"], ["masked"]),
            helper.make_node("ReduceSum", ["masked", "tokens_axis"], ["sentence_embedding"], keepdims=0),
        ]
        constants += [
            numpy_helper.from_array(np.array([2]), "last"),
            numpy_helper.from_array(np.array([1]), "tokens_axis"),
        ]
        output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", WIDTH])
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in (input_name, "attention_mask")
    ]
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "model.onnx"))
    return folder
