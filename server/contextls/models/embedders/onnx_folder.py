"""Reads what lies in the folder of an ONNX sentence model: which files, how long a text, which pooling, which prefixes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from msgspec import Struct

from contextls.errors import EmbedderError
from contextls.workspace.regular_file import MODEL_CONFIGURATION_BYTES, blocks, read_bytes
from contextls.workspace.roots import expand_user

USUAL_TOKENS = 512
"""Where no file says how much a model reads: the length that BERT and most sentence models were trained with."""


class OnnxFolder(Struct, frozen=True):
    """A sentence model on disk. ``pooling`` is ``mean`` or ``cls``; ``identity`` changes with any of the files."""

    model: Path
    tokenizer: Path
    max_tokens: int
    pooling: str
    query_prefix: str
    document_prefix: str
    identity: str


def read_folder(path: Path) -> OnnxFolder:
    """The files of the model at ``path``: a folder, or the one ``.onnx`` file to take of several.

    Raises ``EmbedderError`` naming the file that is missing or cannot be read, or what the model asks for in vain.
    """
    path = expand_user(path)
    model = path if path.suffix == ".onnx" else _model_in(path)
    if not model.is_file():
        raise EmbedderError(f"{model}: there is no such model file; correct embedderPath")
    home = next((f for f in (model.parent, model.parent.parent) if (f / "tokenizer.json").is_file()), None)
    if home is None:
        raise EmbedderError(
            f"{model.parent}: no tokenizer.json beside the model; export the model together with its tokenizer"
        )
    prompts = _mapping(_json(home / "config_sentence_transformers.json").get("prompts"))
    # Some models were published with "passage" for what most call "document".
    document = prompts.get("document", prompts.get("passage", ""))
    return OnnxFolder(
        model=model,
        tokenizer=home / "tokenizer.json",
        max_tokens=_max_tokens(home),
        pooling=_pooling(home),
        query_prefix=str(prompts.get("query", "")),
        document_prefix=str(document),
        identity=_identity(model, home),
    )


def _model_in(folder: Path) -> Path:
    if not folder.is_dir():
        raise EmbedderError(f"{folder}: there is no such folder; correct embedderPath")
    for place in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if place.is_file():
            return place
    found = sorted([*folder.glob("model*.onnx"), *folder.glob("onnx/model*.onnx")])
    if not found:
        raise EmbedderError(f"{folder}: no model.onnx and no onnx/model*.onnx; correct embedderPath")
    if len(found) > 1:
        names = ", ".join(file.name for file in found)
        raise EmbedderError(f"{folder}: several models ({names}); let embedderPath name the file to use")
    return found[0]


def _max_tokens(home: Path) -> int:
    """The length that the model was trained to read, by the file closest to the training, at most its positions."""
    positions = _json(home / "config.json").get("max_position_embeddings")
    limits = (
        _json(home / "sentence_bert_config.json").get("max_seq_length"),
        _json(home / "tokenizer_config.json").get("model_max_length"),
        _mapping(_json(home / "tokenizer.json").get("truncation")).get("max_length"),
        USUAL_TOKENS,
    )
    # A tokenizer without a limit says 10^30.
    known = [
        int(limit) if isinstance(limit, (int, float)) and 0 < limit < 1_000_000 else 0
        for limit in (*limits, positions)
    ]
    *named, most = known
    first = next(limit for limit in named if limit)
    return min(first, most or first)


def _pooling(home: Path) -> str:
    file = home / "1_Pooling" / "config.json"
    asked = [name for name, on in _json(file).items() if name.startswith("pooling_mode_") and on is True]
    if not asked or "pooling_mode_mean_tokens" in asked:
        return "mean"
    if "pooling_mode_cls_token" in asked:
        return "cls"
    raise EmbedderError(
        f"{file}: {', '.join(asked)} is not supported; choose a model with mean or cls pooling"
    )


def _identity(model: Path, home: Path) -> str:
    """A hash of every file that the vectors depend on, weights stored next to the model included."""
    weights = [file for file in sorted(model.parent.glob(f"{model.name}*")) if file.is_file()]
    weights += sorted(file for file in model.parent.glob("*.data") if file not in weights)
    configuration = (
        "tokenizer.json",
        "tokenizer_config.json",
        "sentence_bert_config.json",
        "config_sentence_transformers.json",
        "config.json",
        "1_Pooling/config.json",
    )
    digest = hashlib.blake2b(digest_size=8)
    for file in (*weights, *(home / name for name in configuration)):
        if file.is_file():
            digest.update(f"\n{file.name} {file.stat().st_size}\n".encode())
            try:
                for block in blocks(file):
                    digest.update(block)
            except OSError as error:
                raise EmbedderError(f"{file}: cannot be read ({error.strerror})") from error
    return f"onnx-{model.parent.name or model.stem}-{digest.hexdigest()}"


def _json(file: Path) -> dict[str, Any]:
    """The object in ``file``; empty when there is no such file."""
    try:
        return _mapping(json.loads(read_bytes(file, MODEL_CONFIGURATION_BYTES)))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        raise EmbedderError(f"{file}: cannot be read ({error})") from error


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
