"""Events: huge ones cost little, and no secret survives being cut. Keys here are made up on the spot."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.memory.events.cleaning import MAX_CONTENT_CHARS, MAX_TEXT_CHARS, clean_content, safe_text

B62 = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY"
LONG = B62 * 8
KEY_CHARS = "Zz1Yy2Xx3Ww4Vv5Uu6Tt7Ss8Rr9Qq0Pp" * 8
KEY = "\n".join(f"{number:02}{KEY_CHARS[number : number + 62]}" for number in range(60))
SECRETS = {
    "github": "ghp_" + LONG[:36],
    "pypi": "pypi-AgE" + LONG[:200],
    "password": f'password = "{B62[:24]}"',
    "private key": f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{KEY}\n-----END RSA {'PRIVATE'} KEY-----",
    "huge private key": f"-----BEGIN {'PRIVATE'} KEY-----\n" + "\n".join([KEY] * 12) + f"\n-----END {'PRIVATE'} KEY-----",
    "key in one line": f"-----BEGIN {'PRIVATE'} KEY-----\\n" + (KEY * 2).replace("\n", "\\n") + "\\n",
}  # fmt: skip
CUT = "characters left out"


def leaks(secret: str, text: str) -> list[str]:
    """The pieces of a secret, 16 characters each, that are still in the text."""
    body = secret.removeprefix("password = ")
    pieces = {body[at : at + 16] for at in range(0, len(body) - 16, 8)}
    return [piece for piece in pieces if piece in text and "KEY" not in piece and "-----" not in piece]


@pytest.mark.parametrize("filler", ["x", "one line of a log, nothing more\n", "word "])
@pytest.mark.parametrize("kind", SECRETS)
def test_no_piece_of_a_secret_survives_wherever_a_long_text_is_cut(kind: str, filler: str) -> None:
    secret = SECRETS[kind]
    size = 120_000
    text = (filler * (size // len(filler) + 1))[:size]
    borders = (4_000, 8_000, 16_000, 20_000, 40_000)
    spots = {0, size}
    for border in borders:
        for shift in (-len(secret) - 2, -len(secret) // 2, -len(secret) // 3, -20, -2, 0, 3):
            spots |= {max(0, border + shift), min(size, max(0, size - border + shift))}
    for spot in sorted(spots):
        # Letters before and after would make one long word of a key, which is then none.
        kept = safe_text(f"{text[:spot]}\n{secret}\n{text[spot:]}")
        assert not leaks(secret, kept), spot
        assert len(kept) < MAX_TEXT_CHARS + 100
        assert CUT in kept


pieces = st.one_of(
    st.sampled_from(
        [*SECRETS.values(), "\n", " ", "=", '"', "-----BEGIN ", "-----END ", KEY, "word\n" * 900]
    ),
    st.integers(1, 60).map(lambda number: "filling the space; " * 40 * number),
)


@given(st.lists(pieces, min_size=3, max_size=14).map("\n".join))
def test_no_secret_survives_in_any_mixture(text: str) -> None:
    kept = safe_text(text)
    assert len(kept) < MAX_TEXT_CHARS + 100
    for kind in ("github", "pypi"):
        assert not leaks(SECRETS[kind], kept)


@pytest.fixture
def uncollected() -> Iterator[None]:
    """To look through what other tests left in memory is not counted as the time of this one."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(
    "content",
    [
        {"stdout": "10 MB in one text\n" * 600_000},
        {"stdout": "x" * 10_000_000},
        {"stdout": "é" * 10_000_000},
    ],
)
@pytest.mark.usefixtures("uncollected")
def test_ten_megabytes_take_little_time_and_memory(content: dict[str, Any]) -> None:
    # Patterns are compiled when they are first used.
    clean_content("shell_exec", {"stdout": content["stdout"][:10_000]})
    tracemalloc.start()
    started = time.thread_time()
    kept, text = clean_content("shell_exec", {"command": "c", "exitCode": 1, **content})
    seconds = time.thread_time() - started
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert CUT in kept["stdout"]
    assert len(text) < MAX_CONTENT_CHARS
    assert seconds < 0.3
    assert peak < 2_000_000


@pytest.mark.parametrize(
    "build",
    [
        lambda: {"lines": ["a line of output"] * 600_000},
        lambda: {f"key {number}": "value" for number in range(500_000)},
        lambda: {"numbers": list(range(2_000_000))},
        lambda: {"nested": [[["text " * 20] * 100] * 100] * 100},
    ],
    ids=["lines", "keys", "numbers", "nested"],
)
@pytest.mark.usefixtures("uncollected")
def test_ten_megabytes_in_pieces_are_refused_at_once(build: Callable[[], dict[str, Any]]) -> None:
    content = build()
    started = time.thread_time()
    with pytest.raises(InvalidRequestError, match=f"at most {MAX_CONTENT_CHARS} characters"):
        clean_content("anything", content)
    assert time.thread_time() - started < 0.5


def test_a_secret_that_only_its_name_tells_is_redacted() -> None:
    kept, _ = clean_content("anything", {"password": B62[:14], "inner": {"api_key": B62}, "path": "a.py"})
    assert kept == {
        "password": "[redacted:secret]",
        "inner": {"api_key": "[redacted:secret]"},
        "path": "a.py",
    }
