"""The objects next to the table: read, listed, deleted, and created only where there is none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any, TypeVar

from msgspec import Struct

from contextls.errors import StoreError
from contextls.shared_index.place import IndexLocation
from contextls.text.gate import clean

Value = TypeVar("Value")

# A bucket that cannot be reached must not keep a workspace waiting: it is indexed here instead.
CONNECT_SECONDS = 3
READ_SECONDS = 15  # some five megabytes; over a slower line parsing is sooner done
BUILD_SECONDS = 120
RETRIES = 2
RETRY_SECONDS = 10
_PROBE = "conditional-writes"
_MAX_REASON_CHARS = 300


class ListedObject(Struct, frozen=True):
    """An object as a listing shows it: its name below the place, and when it was written (ms since the epoch)."""

    name: str
    written: int


class Objects:
    """The objects of one place. Nothing is connected before first use. Every method raises ``StoreError``."""

    def __init__(self, place: IndexLocation, *, builds: bool = False) -> None:
        """``builds`` gives requests the time that large writes take."""
        self._place = place
        self._builds = builds
        self._opened: Any = None

    def read(self, name: str) -> bytes | None:
        """The content of an object; ``None`` when there is none."""

        def get() -> bytes | None:
            try:
                return bytes(_obstore().get(self._store(), name).bytes())
            except FileNotFoundError:
                return None

        return self._guard(f"read {name}", get)

    def create(self, name: str, content: bytes) -> bool:
        """Write an object in one piece; ``False``, and nothing written, when there is one of that name."""

        def put() -> bool:
            from obstore.exceptions import AlreadyExistsError

            try:
                # In one request: the parts of an upload in parts would not be bound to the condition.
                _obstore().put(self._store(writes=True), name, content, mode="create", use_multipart=False)
            except AlreadyExistsError:
                return False
            return True

        return self._guard(f"write {name}", put)

    def list_below(self, folder: str) -> Iterator[ListedObject]:
        """The objects below ``folder``, in no order."""

        def pages() -> Iterator[list[ListedObject]]:
            with contextlib.suppress(FileNotFoundError):
                for page in _obstore().list(self._store(), folder):
                    yield [
                        ListedObject(each["path"], int(each["last_modified"].timestamp() * 1000))
                        for each in page
                    ]

        found = pages()
        while (page := self._guard(f"list {folder}", lambda: next(found, None))) is not None:
            yield from page

    def folders(self) -> list[str]:
        """The names of the folders at the top."""

        def names() -> list[str]:
            try:
                return list(_obstore().list_with_delimiter(self._store())["common_prefixes"])
            except FileNotFoundError:
                return []

        return self._guard("list", names)

    def delete(self, names: Iterable[str]) -> None:
        """Delete objects; those that are gone already are no error."""
        listed = list(names)

        def delete() -> None:
            try:
                _obstore().delete(self._store(), listed)
            except FileNotFoundError:  # of a folder this is said; what was not begun by then stays
                for name in listed:
                    with contextlib.suppress(FileNotFoundError):
                        _obstore().delete(self._store(), name)

        if listed:
            self._guard("delete", delete)

    def check_conditional_writes(self) -> None:
        """Refuse a store in which two writers could undo each other's work. Raises ``StoreError``."""
        # The object stays: the first write finds it or makes it, the second must be turned away.
        self.create(_PROBE, b"A second conditional write of this object must fail.\n")
        if self.create(_PROBE, b""):
            raise StoreError(
                f"{self._place} ignores conditional writes (If-None-Match), so that two builds at once would lose rows; "
                "use a store that honours them, such as Amazon S3, MinIO, Ceph or Cloudflare R2"
            )

    def _store(self, *, writes: bool = False) -> Any:  # noqa: ANN401 - one of the store classes of obstore
        if self._opened is None:
            from obstore.store import LocalStore, S3Store

            if self._place.folder is not None:
                if not writes and not self._place.folder.is_dir():
                    raise FileNotFoundError(self._place.folder)
                self._opened = LocalStore(self._place.folder, mkdir=True)
            else:
                self._opened = S3Store.from_url(
                    self._place.uri,
                    credential_provider=_credentials(),
                    client_options={
                        "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
                        "timeout": timedelta(seconds=BUILD_SECONDS if self._builds else READ_SECONDS),
                        "allow_http": True,  # only where AWS_ENDPOINT_URL names such an address
                    },
                    retry_config={
                        "max_retries": RETRIES,
                        "retry_timeout": timedelta(seconds=RETRY_SECONDS),
                    },
                )
        return self._opened

    def _guard(self, action: str, work: Callable[[], Value]) -> Value:
        return guard(f"cannot {action} in the shared index at {self._place}", work)


def guard(action: str, work: Callable[[], Value]) -> Value:
    """What ``work`` gives. Whatever a store or a file in it makes it raise becomes a ``StoreError``."""
    try:
        return work()
    except (KeyboardInterrupt, SystemExit, StoreError):
        raise
    except ModuleNotFoundError as error:
        raise StoreError(
            f"{action}: a package is not installed ({error.name}): pip install 'contextls[shared]'"
        ) from error
    except BaseException as error:
        # Rust underneath: its panics are no ordinary exceptions.
        raise StoreError(f"{action}: {brief(error)}") from error


def brief(error: BaseException) -> str:
    """The first line of an error, without what must not be shown."""
    first = str(error).strip().partition("\n")[0] or type(error).__name__
    return clean(first)[:_MAX_REASON_CHARS]


def storage_options(place: IndexLocation, *, builds: bool) -> dict[str, str] | None:
    """The same bounds for LanceDB, which reads the same variables and profiles by itself."""
    if place.folder is not None:
        return None
    return {
        "allow_http": "true",
        "connect_timeout": f"{CONNECT_SECONDS}s",
        "timeout": f"{BUILD_SECONDS if builds else READ_SECONDS}s",
        "client_max_retries": str(RETRIES),
        "client_retry_timeout": str(RETRY_SECONDS),
    }


def _credentials() -> Any:  # noqa: ANN401 - a class of obstore, or none
    """What reads profiles and single sign-on, where it is installed; obstore itself reads the rest."""
    if os.environ.get("AWS_ACCESS_KEY_ID"):
        return None
    try:
        from obstore.auth.boto3 import Boto3CredentialProvider
    except ImportError:
        return None
    return Boto3CredentialProvider()


def _obstore() -> Any:  # noqa: ANN401 - its type stubs lack what is used here
    import obstore

    return obstore
