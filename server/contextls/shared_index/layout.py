"""Which shared rows are ours: an index holds several kinds side by side, and vectors of two embedders never meet."""

from __future__ import annotations

import hashlib
from urllib.parse import quote

from msgspec import Struct

from contextls.regex import compile_late
from contextls.shared_index.objects import Objects
from contextls.store.locations import INDEX_FORMAT

# Bumped whenever the table's columns, the manifests or the checksums change meaning.
SHARED_FORMAT = "1"
_NAME = compile_late(r"\d+\.\d+-[0-9a-f]{8}")


class Layout(Struct, frozen=True):
    """The folder of all rows and manifests that agree with one version of the analysis and one embedder."""

    folder: str

    @staticmethod
    def of(embedder: str) -> Layout:
        """The layout for vectors of the embedder with this identity."""
        digest = hashlib.blake2b(embedder.encode(), digest_size=4).hexdigest()
        return Layout(f"{INDEX_FORMAT}.{SHARED_FORMAT}-{digest}")

    @property
    def commits(self) -> str:
        """The folder of the manifests."""
        return f"{self.folder}/commits"

    @property
    def claim(self) -> str:
        """The object by which one build says that it creates the table."""
        return f"{self.folder}/created"

    def manifest(self, commit: str, prefix: str) -> str:
        """The name of the manifest of ``commit``, built in the folder ``prefix`` of its repository ("" for all of it)."""
        return f"{self.commits}/{commit}{'@' + quote(prefix, safe='') if prefix else ''}"


def layouts(objects: Objects) -> list[Layout]:
    """The layouts that a shared index holds, of whatever version. Raises ``StoreError``."""
    return [Layout(name) for name in sorted(objects.folders()) if _NAME.fullmatch(name)]
