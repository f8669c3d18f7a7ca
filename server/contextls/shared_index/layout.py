"""Which shared rows are ours: an index holds several kinds side by side, and vectors of two embedders never meet."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from urllib.parse import quote

from contextls.memory.index.index_facts import FORMAT

# Bumped whenever the table's columns, the manifests or the checksums change meaning.
SHARED_FORMAT = "1"


@dataclass(frozen=True, slots=True)
class Layout:
    """The folder of all rows and manifests that agree with one version of the analysis and one embedder."""

    folder: str

    @staticmethod
    def of(embedder: str) -> Layout:
        """The layout for vectors of the embedder with this identity."""
        digest = hashlib.blake2b(embedder.encode(), digest_size=4).hexdigest()
        return Layout(f"{FORMAT}.{SHARED_FORMAT}-{digest}")

    @property
    def commits(self) -> str:
        """The folder of the manifests."""
        return f"{self.folder}/commits"

    def manifest(self, commit: str, prefix: str) -> str:
        """The name of the manifest of ``commit``, built in the folder ``prefix`` of its repository ("" for all of it)."""
        return f"{self.commits}/{commit}{'@' + quote(prefix, safe='') if prefix else ''}"
