"""tiktoken, fed with the same ranks from a folder, is the judge of exact counts."""

import gzip
import random
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
import tiktoken
from hypothesis import example, given
from hypothesis import strategies as st

from contextls.errors import InvalidRequestError
from contextls.text.tokens import get_tokenizer

# The names under which tiktoken looks for its ranks in TIKTOKEN_CACHE_DIR.
RANKS = {
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}
SUFFIXES = {
    ".py",
    ".h",
    ".json",
    ".js",
    ".md",
    ".txt",
    ".toml",
    ".c",
    ".rst",
    ".css",
    ".html",
    ".pyi",
    ".scm",
}
ODD = [
    "<|endoftext|>", "<|fim_prefix|>", "😀🏽‍🚀", "龍馬の道", "   ", "\t\t", "\n\n", "\r\n", "HTTPServer",
    "don't", "1234567", "é",
    "\u0301", "\u200d", "\u2028", "\x85", "\xa0", "\x00", "\ufeff", "ſ", "İ", "{}();", "//////", "_",
    "ǅ", "٣",
]  # fmt: skip
texts = st.one_of(
    st.text(max_size=200), st.lists(st.one_of(st.sampled_from(ODD), st.text(max_size=4))).map("".join)
)
with_surrogates = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], int]:
    package = find_spec("bpe_openai")
    assert package is not None
    assert package.submodule_search_locations is not None
    data = Path(package.submodule_search_locations[0]) / "data"
    cache = tmp_path_factory.mktemp("ranks")
    for name, cached_as in RANKS.items():
        (cache / cached_as).write_bytes(gzip.decompress((data / f"{name}.tiktoken.gz").read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
        encodings = {name: tiktoken.get_encoding(name) for name in RANKS}
    return lambda name, text: len(encodings[name].encode_ordinary(text))


@pytest.mark.parametrize("name", RANKS)
@given(text=texts)
@example(text="<|endoftext|>")
@example(text=" " * 5_000 + "x")
@example(text="a" * 20_000)
@example(text="".join(ODD) * 30)
def test_counts_equal_tiktoken(judge: Callable[[str, str], int], name: str, text: str) -> None:
    assert get_tokenizer(name).count(text) == judge(name, text)


@pytest.mark.parametrize("name", RANKS)
@given(text=with_surrogates)
@example(text="a\ud800b\udfff")
def test_lone_surrogates_count_as_tiktoken_counts_them(
    judge: Callable[[str, str], int], name: str, text: str
) -> None:
    assert get_tokenizer(name).count(text) == judge(name, text)


@pytest.mark.parametrize("name", RANKS)
def test_counts_of_real_files_equal_tiktoken(judge: Callable[[str, str], int], name: str) -> None:
    for text in real_files(60):
        assert get_tokenizer(name).count(text) == judge(name, text)


@pytest.mark.parametrize("name", [*RANKS, "estimate"])
@given(text=st.one_of(texts, with_surrogates, texts.map(lambda t: t * 20)), limit=st.integers(-2, 60))
@example(text="龘" * 50, limit=7)
@example(text=" " * 3_000_000, limit=3)
@example(text="x" * 300_000, limit=4)
def test_prefix_never_counts_more_than_asked(name: str, text: str, limit: int) -> None:
    tokenizer = get_tokenizer(name)
    prefix = tokenizer.prefix(text, limit)
    assert text.startswith(prefix)
    assert tokenizer.count(prefix) <= max(limit, 0)
    if tokenizer.count(text) <= limit:
        assert prefix == text


@pytest.mark.parametrize("name", RANKS)
def test_prefix_of_real_files_uses_the_budget(name: str) -> None:
    tokenizer = get_tokenizer(name)
    for text in real_files(20):
        used = tokenizer.count(tokenizer.prefix(text, 300))
        assert min(tokenizer.count(text), 297) <= used <= 300


def test_estimate_is_hardly_ever_below_the_exact_count() -> None:
    estimate, exact = get_tokenizer("claude-sonnet-4"), get_tokenizer("o200k_base")
    files = real_files(1_000)
    below = sum(estimate.count(text) < exact.count(text) for text in files)
    assert below <= len(files) * 0.004


@pytest.mark.parametrize(
    "text", ["龍馬がゆく" * 50, "안녕하세요 세계" * 40, "Привет, мир! " * 40, "😀🏽‍🚀" * 30, "สวัสดี" * 30]
)
def test_estimate_is_safe_for_other_scripts(text: str) -> None:
    for name in RANKS:
        assert get_tokenizer("gemini-2.5-pro").count(text) >= get_tokenizer(name).count(text)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("gpt-4o", "o200k_base"), ("gpt-4o-mini-2024-07-18", "o200k_base"), ("openai/gpt-4.1", "o200k_base"),
        ("GPT-5-mini", "o200k_base"), ("o3", "o200k_base"), ("o4-mini", "o200k_base"), ("gpt-oss-20b",
        "o200k_base"),
        ("chatgpt-4o-latest", "o200k_base"), ("ft:gpt-4o:acme", "o200k_base"), ("o200k_base", "o200k_base"),
        ("gpt-4", "cl100k_base"), ("gpt-4-32k", "cl100k_base"), ("gpt-3.5-turbo", "cl100k_base"),
        ("gpt-35-turbo", "cl100k_base"), (" cl100k_base ", "cl100k_base"), ("text-embedding-3-small",
        "cl100k_base"),
        ("claude-opus-4-1", "estimate"), ("gemini-2.5-pro", "estimate"), ("llama3.3:70b",
        "estimate"), ("qwen3", "estimate"),
        ("mistral-large", "estimate"), ("deepseek/deepseek-chat", "estimate"), ("o3x",
        "estimate"), ("estimate", "estimate"),
    ],
)  # fmt: skip
def test_models_find_their_tokenizer(model: str, name: str) -> None:
    tokenizer = get_tokenizer(model)
    assert tokenizer.name == name
    assert tokenizer.exact == (name != "estimate")


@pytest.mark.parametrize(
    "name", ["", "   ", "12345", "???", "a\nb", "two words", "p50k_base", "gpt2", "x" * 200, "-"]
)
def test_nonsense_names_the_field(name: str) -> None:
    with pytest.raises(InvalidRequestError) as raised:
        get_tokenizer(name)
    assert raised.value.field == "tokenizer"


def test_needs_no_network_and_loads_lazily() -> None:
    program = (
        "import socket, sys\n"
        "def refuse(*_): raise AssertionError('network')\n"
        "socket.socket.connect = refuse; socket.getaddrinfo = refuse\n"
        "from contextls.text.tokens import get_tokenizer\n"
        "tokenizer = get_tokenizer('gpt-4o')\n"
        "assert not any('bpe_openai' in name or 'tiktoken' in name for name in sys.modules)\n"
        "print(tokenizer.count('hello world'))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "2"


def real_files(number: int) -> list[str]:
    """Sources and data files that are on every machine that runs these tests, the same for each run."""
    small = small_files()
    chosen = random.Random(1).sample(  # noqa: S311
        small, min(number, len(small))
    )
    return [path.read_text("utf-8", "replace") for path in chosen]


@cache
def small_files() -> list[Path]:
    places = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("include")]
    found = [p for place in places for p in Path(place).rglob("*") if p.suffix in SUFFIXES and p.is_file()]
    return sorted(path for path in found if 0 < path.stat().st_size < 60_000)
