"""Access to a server that listens on a port: its token, and where it may listen without being asked.

Knows no protocol, so that every face that listens uses the same rules.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import stat
import sys
from pathlib import Path

from contextls.errors import InvalidRequestError
from contextls.regex import compile_late
from contextls.workspace.whole_file import write_new_file

_BYTES = 32
_MAX_BYTES = 4_096
# Fewer could be guessed.
_TOKEN = compile_late(r"[\x21-\x7e]{16,512}")

WHAT_REMOTE_MEANS = (
    "other machines can connect: anyone who reaches the port and has the token reads the code and what was recorded, "
    "and nothing on the way is encrypted"
)


class AccessToken:
    """The secret that a client must know. Never shown but by ``announce``."""

    def __init__(self, text: str, *, kept: bool = False) -> None:
        """``kept`` says that its owner can read it in a file."""
        self._text = text
        self._kept = kept

    def __repr__(self) -> str:
        """Say nothing of the token: it must not get into a log."""
        return "AccessToken()"

    @classmethod
    def generate(cls) -> AccessToken:
        """A new random one."""
        return cls(secrets.token_urlsafe(_BYTES))

    @classmethod
    def from_file(cls, path: Path) -> AccessToken:
        """The token in ``path``; where there is no file, a new one is put there, for the user alone (mode 600).

        Raises ``InvalidRequestError`` when others may read or write the file, or it holds no token.
        """
        expected = "a file that only its owner can read (mode 600), with 16 or more printable characters"
        try:
            return cls._create(path)
        except FileExistsError:
            pass
        except OSError as error:
            raise InvalidRequestError("--token-file", f"{expected} ({error.strerror})", str(path)) from None
        try:
            text = _read_private(path)
        except (OSError, ValueError) as error:
            raise InvalidRequestError("--token-file", f"{expected} ({error})", str(path)) from None
        if not _TOKEN.fullmatch(text):
            raise InvalidRequestError("--token-file", expected, str(path))
        return cls(text, kept=True)

    @classmethod
    def _create(cls, path: Path) -> AccessToken:
        token = cls(secrets.token_urlsafe(_BYTES), kept=True)
        draft = write_new_file(
            path.parent, f".{path.name}-", ".tmp", (f"{token.reveal()}\n".encode(),), sync=True
        )
        try:
            os.link(draft, path)  # whole, and in the place of nothing
        finally:
            draft.unlink()
        return token

    def announce(self) -> None:
        """Print a token that is in no file, once, to standard error."""
        if self._kept:
            return
        # The stream itself: what goes through ``sys.stderr`` passes the gate, which lets no token through.
        stream = sys.__stderr__ or sys.stderr
        stream.write(f"contextls: the client's token, shown this once: {self._text}\n")
        stream.flush()

    def reveal(self) -> str:
        """The token itself, for the one place that shows it to its owner."""
        return self._text

    def matches(self, given: object) -> bool:
        """Whether ``given`` is the token; takes as long for one that is nearly right as for any other."""
        if not isinstance(given, str):
            return False
        return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self._text.encode())


def open_door(
    host: str, token_file: Path | None, *, allow_remote: bool, option: str = "--tcp"
) -> AccessToken:
    """The token that clients of ``host`` must know: that of the file, else a new one.

    ``option`` is the one that the address came from. Raises ``InvalidRequestError`` when the address or the file is not fit.
    """
    check_address(host, allow_remote=allow_remote, option=option)
    if not is_loopback(host):
        sys.stderr.write(f"contextls: listening on {host}: {WHAT_REMOTE_MEANS}\n")
    return AccessToken.generate() if token_file is None else AccessToken.from_file(token_file)


def check_address(host: str, *, allow_remote: bool, option: str) -> None:
    """Raise ``InvalidRequestError`` when other machines could connect to ``host`` without the user's permission."""
    if not allow_remote and not is_loopback(host):
        raise InvalidRequestError(
            option,
            f"an address of this machine alone, such as 127.0.0.1; with {host} {WHAT_REMOTE_MEANS}. "
            "Give --allow-remote if that is meant, or listen on 127.0.0.1 and use a tunnel (ssh -L)",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches ``host``. A name is not looked up: only ``localhost`` is known."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _read_private(path: Path) -> str:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("not a regular file")
        if os.name == "posix" and (status.st_mode & 0o077 or status.st_uid != os.getuid()):
            raise ValueError("others may read or change it; chmod 600")
        return file.read(_MAX_BYTES).decode("ascii").strip()
