"""Any ONNX sentence model from a local folder. Needs ``contextls[onnx]``; both packages are imported at first use."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from contextls.errors import EmbedderError
from contextls.models.embedders.onnx_folder import OnnxFolder, read_folder
from contextls.regex import compile_late
from contextls.text.surrogates import replace_surrogates

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_CHARS = 20_000
"""Of a longer text only the beginning is tokenized: no model reads more, and time stays bounded."""

TOKENS_PER_BATCH = 4096
"""Padded tokens that go through the model at once: enough to keep it busy, little enough to stay below 100 MB."""

MAX_THREADS = 4
_WORD = compile_late(r"\w")


class OnnxEmbedder:
    """Mean (or first) token pooling over a sentence model, scaled to length 1. Safe to use from several threads."""

    def __init__(self, folder: OnnxFolder, session: Any, tokenizer: Any) -> None:  # noqa: ANN401 - packages of an extra
        """Use ``OnnxEmbedder.load``."""
        self.identity = folder.identity
        self._folder = folder
        self._session = session
        self._tokenizer = tokenizer
        self._output, self._pooled = _output_of(session, folder)
        self._inputs = _inputs_of(session, folder)
        self.dimensions = 0
        self.dimensions = int(self._run([self._tokenizer.encode("a")]).shape[1])

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load the model at ``path`` (a folder, or one ``.onnx`` file in it).

        Raises ``EmbedderError`` when the extra is not installed, a file is missing or the model is of another sort.
        """
        try:
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise EmbedderError(
                f'embedder "onnx" needs a package that is not installed ({error.name}); '
                'pip install "contextls[onnx]"'
            ) from error
        folder = read_folder(path)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, min(MAX_THREADS, (os.cpu_count() or 1) // 2))
        options.inter_op_num_threads = 1
        # Waiting threads would otherwise burn the cores that the editor needs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(
                str(folder.model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the runtime has an exception class per status code and no common base
            raise EmbedderError(f"{folder.model}: cannot be loaded ({error})") from error
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(folder.tokenizer))
            tokenizer.no_padding()
            tokenizer.enable_truncation(folder.max_tokens)
        except Exception as error:  # the package raises bare Exception
            raise EmbedderError(f"{folder.tokenizer}: cannot be loaded ({error})") from error
        return cls(folder, session, tokenizer)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``Embedder``."""
        return self._embed(texts, self._folder.document_prefix)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See ``Embedder``."""
        vector: NDArray[np.float32] = self._embed([text], self._folder.query_prefix)[0]
        return vector

    def close(self) -> None:
        """See ``Embedder``: the model goes with this object."""

    def _embed(self, texts: Sequence[str], prefix: str) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        worded = [number for number, text in enumerate(texts) if _WORD.search(text[:MAX_CHARS])]
        encoded = self._tokenizer.encode_batch(
            [prefix + replace_surrogates(texts[number][:MAX_CHARS]) for number in worded]
        )
        for batch in _batches([len(encoding.ids) for encoding in encoded]):
            vectors[[worded[at] for at in batch]] = self._run([encoded[at] for at in batch])
        return vectors

    def _run(self, encoded: Sequence[Any]) -> NDArray[np.float32]:
        """The vectors of tokenized texts, in order."""
        shape = (len(encoded), max(len(encoding.ids) for encoding in encoded))
        columns = {name: np.zeros(shape, kind) for name, kind in self._inputs.items()}
        mask = np.zeros(shape, np.float32)
        for row, encoding in enumerate(encoded):
            length = len(encoding.ids)
            mask[row, :length] = 1
            for name, values in (
                ("input_ids", encoding.ids),
                ("attention_mask", encoding.attention_mask),
                ("token_type_ids", encoding.type_ids),
            ):
                if name in columns:
                    columns[name][row, :length] = values
        try:
            (found,) = self._session.run([self._output], columns)
        except Exception as error:  # see ``load``
            raise EmbedderError(f"{self._folder.model}: the model failed ({error})") from error
        found = np.asarray(found, np.float32)
        if self._pooled:
            pooled = found
        elif self._folder.pooling == "cls":
            pooled = found[:, 0]
        else:
            pooled = np.einsum("btd,bt->bd", found, mask)
        lengths = np.linalg.norm(pooled, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise EmbedderError(f"{self._folder.model}: the model gave numbers that are not finite")
        unit: NDArray[np.float32] = pooled / np.maximum(lengths, 1e-12)
        return unit


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions in batches of like length, longest first: little padding, and a lack of memory shows at once."""
    batch: list[int] = []
    longest = 0
    for position in sorted(range(len(lengths)), key=lambda at: -lengths[at]):
        if batch and (len(batch) + 1) * longest > TOKENS_PER_BATCH:
            yield batch
            batch = []
        if not batch:
            longest = lengths[position]
        batch.append(position)
    if batch:
        yield batch


def _inputs_of(session: Any, folder: OnnxFolder) -> dict[str, type[np.signedinteger[Any]]]:  # noqa: ANN401 - see above
    """The inputs that the model wants, with their number types."""
    known = {"input_ids", "attention_mask", "token_type_ids"}
    wanted = {item.name: np.int32 if "int32" in item.type else np.int64 for item in session.get_inputs()}
    if "input_ids" not in wanted or wanted.keys() - known:
        raise EmbedderError(f"{folder.model}: not a sentence encoder: it asks for {', '.join(wanted)}")
    return wanted


def _output_of(session: Any, folder: OnnxFolder) -> tuple[str, bool]:  # noqa: ANN401 - see above
    """The output to read, and whether the model has pooled the tokens of it already."""
    ranks = {item.name: len(item.shape or ()) for item in session.get_outputs()}
    for name in ("sentence_embedding", "last_hidden_state", "token_embeddings", *ranks):
        if ranks.get(name) in (2, 3):
            return name, ranks[name] == 2
    raise EmbedderError(f"{folder.model}: not a sentence encoder: it gives {', '.join(ranks)}")
