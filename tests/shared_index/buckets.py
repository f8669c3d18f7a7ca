"""A real bucket: moto's S3 server behind a door that counts, refuses and forgets as a test wants."""

from __future__ import annotations

import threading
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from werkzeug.serving import WSGIRequestHandler, make_server

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

BUCKET = "team"
_DENIED = b"<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


@dataclass
class Door:
    """What stands before the bucket. Fields may be changed at any time."""

    url: str = ""
    read_only: bool = False  # as for credentials that may only read
    forgets_conditions: bool = False  # as some stores do
    on_read: Callable[[str], None] = lambda _: (
        None
    )  # called with the path of each GET before it is answered; may raise ConnectionError
    requests: list[tuple[str, str]] = field(default_factory=list)
    bytes_out: int = 0
    bytes_in: int = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        self.requests.append((method, path))
        self.bytes_in += int(environ.get("CONTENT_LENGTH") or 0)
        try:
            if method == "GET":
                self.on_read(path)
        except ConnectionError:
            start_response("503 Slow Down", [])
            return []
        if self.read_only and method not in ("GET", "HEAD"):
            start_response("403 Forbidden", [("Content-Type", "application/xml")])
            return [_DENIED]
        if self.forgets_conditions:
            environ.pop("HTTP_IF_NONE_MATCH", None)
        return self._count(_moto()(environ, start_response))

    def _count(self, parts: Iterable[bytes]) -> Iterator[bytes]:
        for part in parts:
            self.bytes_out += len(part)
            yield part

    def reset(self) -> None:
        """Be an ordinary bucket again, and forget what was counted."""
        self.read_only = self.forgets_conditions = False
        self.on_read = lambda _: None
        self.requests, self.bytes_out, self.bytes_in = [], 0, 0

    def environment(self) -> dict[str, str]:
        """The variables by which AWS clients find the bucket."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE",
            "AWS_SECRET_ACCESS_KEY": "not-a-real-key",
            "AWS_REGION": "us-east-1",
        }

    def objects(self) -> dict[str, bytes]:
        """Every object of the bucket with its bytes."""
        from moto.s3.models import s3_backends

        keys: Any = s3_backends["123456789012"]["aws"].buckets[BUCKET].keys
        return {name: keys[name].value for name in list(keys)}


@cache
def _moto() -> Any:  # noqa: ANN401 - moto's types are its own
    # Every process of tests reads this module; only those that want a bucket load moto.
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app

    return DomainDispatcherApplication(create_backend_app)


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - as its base names it
        """Say nothing of each request."""


@contextmanager
def serve_bucket() -> Iterator[Door]:
    """A server with one empty bucket, for as long as the block runs."""
    door = Door()
    server = make_server("127.0.0.1", 0, door, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    door.url = f"http://127.0.0.1:{server.port}"
    try:
        urllib.request.urlopen(urllib.request.Request(f"{door.url}/{BUCKET}", method="PUT")).close()  # noqa: S310
        door.reset()
        yield door
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
