"""The place of a shared index, a bucket or a folder; opens its stores."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from contextls.errors import InvalidRequestError
from contextls.regex import compile_late
from contextls.requests.uris import to_path
from contextls.text.gate import clean
from contextls.workspace.roots import expand_user

SETTING = "contextls.indexUri"
_EXPECTED = "s3://bucket/prefix, file:///folder or the absolute path of a folder"
_BUCKET = compile_late(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")


class IndexLocation(Struct, frozen=True):
    """A bucket with a prefix, or a folder. ``uri`` has no slash at its end and holds no credentials."""

    uri: str
    folder: Path | None = None

    def below(self, name: str) -> str:
        """The address of a folder of the index, as LanceDB takes it."""
        return f"{self.folder or self.uri}/{name}"

    def __str__(self) -> str:
        return clean(self.uri)


def place_of(uri: str) -> IndexLocation:
    """The place that a setting names. Raises ``InvalidRequestError``."""
    parts = urlsplit(uri)
    if parts.scheme == "s3":
        # What stands before an @ would be credentials; those belong into the environment.
        if _BUCKET.fullmatch(parts.netloc) and not parts.query and not parts.fragment:
            return IndexLocation(f"s3://{parts.netloc}{parts.path}".rstrip("/"))
        raise InvalidRequestError(SETTING, _EXPECTED)
    is_address = parts.scheme == "file" and not parts.netloc
    path = (to_path(uri) or Path()) if is_address else expand_user(uri)
    if parts.scheme not in ("", "file") and not path.is_absolute():
        raise InvalidRequestError(SETTING, _EXPECTED)
    if not path.is_absolute():
        raise InvalidRequestError(SETTING, _EXPECTED, uri)
    return IndexLocation(path.as_uri().rstrip("/"), path)
