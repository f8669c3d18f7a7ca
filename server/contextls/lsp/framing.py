"""Messages out of a stream of bytes, whatever comes: a header block, an empty line, a body of the stated length.

What is no message is a ``FramingError`` and not the end. The stream is then searched for the next line that can begin
one, in bounded memory: no JSON text holds such a line, as a line break within a string is escaped there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from contextls.regex import compile_late

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# The longest message that is read; larger ones are skipped. Decoding one of this size blocks every thread for up to a
# tenth of a second. Editors hold back documents of this size themselves, and the index reads far smaller files only.
MAX_BYTES = 32_000_000
# A stated length above this is a mistake, and what follows it may be anything.
_ABSURD = 1_000_000_000
# The bytes that are read of a message that is skipped.
_HEAD = 1_024
# Far more than the two lines that the protocol knows.
MAX_HEADER_BYTES = 8_192
_CHUNK = 65_536
_LENGTH = b"content-length"
_NAME = compile_late(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_WHOLE = compile_late(rb"[0-9]{1,15}")
_BEGIN = compile_late(_LENGTH + rb"[ \t]*:[ \t]*[0-9]{1,15}[ \t]*\r?\n", re.IGNORECASE)
# Where a search ends, the beginning of such a line may stand: it is kept for the next piece.
_MAX_BEGIN_BYTES = 64


class FramingError(Exception):
    """The stream holds something that is no message; reading goes on after it."""


class MessageTooLargeError(FramingError):
    """A message of more bytes than are read; ``head`` are its first ones, if they are known."""

    def __init__(self, length: int, most_bytes: int, head: bytes) -> None:
        super().__init__(
            f"expected a Content-Length from 0 to {most_bytes} bytes, got {length}; the message is passed over"
        )
        self.length = length
        self.most_bytes = most_bytes
        self.head = head


class Frames:
    """The bodies of the messages in a stream, one after the other. Not for use by several tasks at once."""

    def __init__(
        self,
        read: Callable[[int], Awaitable[bytes]],
        most_bytes: int = MAX_BYTES,
        most_header_bytes: int = MAX_HEADER_BYTES,
    ) -> None:
        """``read`` returns up to the given number of bytes as soon as there are some, and none at the end of the stream."""
        self.most_bytes = most_bytes
        self._most_header = most_header_bytes
        self._read = read
        self._buffer = bytearray()
        self._lost = False

    async def next(self) -> bytes | None:
        """The next body; ``None`` at the end of the stream. Raises ``FramingError``: call it again to go on."""
        if self._lost and not await self._find_begin():
            return None
        self._lost = False
        try:
            length = await self._length()
            if length is not None and length > self.most_bytes:
                raise MessageTooLargeError(length, self.most_bytes, await self._head(length))
        except FramingError:
            self._lost = True
            raise
        return None if length is None else await self._body(length)

    async def _length(self) -> int | None:
        """The length that the header block states; ``None`` at the end of the stream."""
        stated: list[bytes] = []
        left = self._most_header
        begun = False
        while (line := await self._line(left)) is not None:
            if line in (b"\r\n", b"\n"):
                if begun:
                    return self._check_length(stated)
                del self._buffer[: len(line)]  # empty lines between messages do no harm
                continue
            name, colon, value = line.partition(b":")
            if not colon or not _NAME.fullmatch(name.strip()):
                # It stays in the buffer: a message that was cut short may be followed on this very line.
                raise FramingError("not a header line; expected Content-Length: and a number of bytes")
            del self._buffer[: len(line)]
            begun = True
            left -= len(line)
            if name.strip().lower() == _LENGTH:
                stated.append(value.strip())
        return None

    def _check_length(self, stated: list[bytes]) -> int:
        self._drop_line()
        if len(stated) != 1:
            found = "no" if not stated else f"{len(stated)} times"
            raise FramingError(f"expected one Content-Length in a header, got {found} Content-Length")
        if not _WHOLE.fullmatch(stated[0]):
            from contextls.text.gate import clean

            shown = clean(stated[0].decode("ascii", "replace"))[:40]
            raise FramingError(
                f"expected a Content-Length from 0 to {self.most_bytes} bytes, got {shown!r}; the message is passed over"
            )
        return int(stated[0])

    def _drop_line(self) -> None:
        del self._buffer[: self._buffer.index(b"\n") + 1]

    async def _line(self, most: int) -> bytes | None:
        """The line at the head of the buffer, left there; ``None`` when the stream ends before it does."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > most:
                break
            if not await self._more():
                return None
        if end < 0 or end >= most:
            raise FramingError(f"a header of more than {self._most_header} bytes")
        return bytes(self._buffer[: end + 1])

    async def _body(self, length: int) -> bytes | None:
        while len(self._buffer) < length:
            if not await self._more():
                return None
        with memoryview(self._buffer) as view:
            body = view[:length].tobytes()
        del self._buffer[:length]
        return body

    async def _head(self, length: int) -> bytes:
        """The first bytes of a body, left in the buffer; not waited for where the stated length is a mistake."""
        if length > _ABSURD:
            return b""
        begin = None
        while len(self._buffer) < _HEAD and begin is None and await self._more():
            begin = _BEGIN.search(self._buffer)
        return bytes(self._buffer[: _HEAD if begin is None else begin.start()])[:_HEAD]

    async def _find_begin(self) -> bool:
        """Drop what stands before the next line that can begin a message; whether there is one."""
        while True:
            # Few of the messages that are passed over have lines, and finding that out takes no time.
            found = _BEGIN.search(self._buffer) if b"\n" in self._buffer else None
            if found is not None:
                del self._buffer[: found.start()]
                return True
            del self._buffer[:-_MAX_BEGIN_BYTES]
            if not await self._more():
                return False

    async def _more(self) -> bool:
        data = await self._read(_CHUNK)
        self._buffer += data
        return bool(data)
