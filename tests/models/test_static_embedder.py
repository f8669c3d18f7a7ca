"""The offline embedder: what a user of search may rely on."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.errors import StoreError
from contextls.models.embedders import static
from contextls.models.embedders.choose import open_embedder
from contextls.models.embedders.features import MAX_WORD_CHARS, Features, parts
from contextls.models.embedders.static import WEIGHTS, StaticEmbedder
from contextls.settings import Settings

FUNCTIONS = {
    "read_config": """src/settings/loader.py load
def load(path):
    with open(path) as stream:
        data = json.load(stream)
    return Options(**data)
""",
    "send_mail": """src/notify/smtp.go Sender.Deliver
func (s *Sender) Deliver(to string, subject string) error {
    conn, err := smtp.Dial(s.host)
    if err != nil {
        return err
    }
    return conn.Mail(to, subject)
}
""",
    "resize": """lib/images/scale.js thumbnail
function thumbnail(image, width) {
  const ratio = width / image.width;
  return canvas.drawImage(image, width, image.height * ratio);
}
""",
    "retry": """net/backoff.rs with_retries
fn with_retries<F>(mut call: F, attempts: u32) -> Result<(), Error> {
    for n in 0..attempts {
        if call().is_ok() { return Ok(()); }
        sleep(Duration::from_millis(100 << n));
    }
    Err(Error::Timeout)
}
""",
    "sum_prices": """app/models/cart.rb Cart#total
def total
  items.sum { |item| item.price * item.quantity } + shipping_cost
end
""",
    "login": """src/main/java/auth/Session.java Session.login
public boolean login(String user, String password) {
    Account account = accounts.find(user);
    return account != null && hasher.verify(password, account.getHash());
}
""",
    "parse_args": """cmd/main.c parse_options
int parse_options(int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "vho:")) != -1) {
        if (c == 'h') usage();
    }
    return optind;
}
""",
}
QUESTIONS = {
    "parse json configuration file": "read_config",
    "where do we send an email": "send_mail",
    "create a smaller version of a picture": "resize",
    "how are failed calls repeated with increasing delay": "retry",
    "compute the total price of the shopping cart": "sum_prices",
    "check the user's password": "login",
    "command line option parsing": "parse_args",
    "thumbnail": "resize",
    "Session.login": "login",
}

ROUNDING = 0.004
"""How far from 1 the length of 256 numbers may be, each rounded to a multiple of 1/2048: half of it, times 16."""


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder.load()


@pytest.mark.parametrize(("question", "answer"), QUESTIONS.items())
def test_a_question_is_nearest_to_the_function_that_answers_it(
    embedder: StaticEmbedder, question: str, answer: str
) -> None:
    similarity = embedder.embed_documents(list(FUNCTIONS.values())) @ embedder.embed_query(question)
    assert list(FUNCTIONS)[int(similarity.argmax())] == answer


def test_the_same_task_in_another_language_is_nearer_than_another_task(embedder: StaticEmbedder) -> None:
    here, there, other = embedder.embed_documents(
        [
            "def read_lines(path):\n    with open(path) as stream:\n        return stream.readlines()",
            "function readLines(path) { return fs.readFileSync(path, 'utf8').split('\\n'); }",
            "function drawCircle(ctx, x, y, radius) { ctx.arc(x, y, radius, 0, 2 * Math.PI); ctx.stroke(); }",
        ]
    )
    assert here @ there > here @ other + 0.1


def test_what_a_chunk_is_called_says_more_than_the_same_words_in_its_code(embedder: StaticEmbedder) -> None:
    called, uses = embedder.embed_documents(
        [
            "src/app/start.py parse_options\nfor receiver in team:\n    send_mail(receiver)",
            "src/app/start.py send_mail\nfor receiver in team:\n    parse_options(receiver)",
        ]
    )
    assert (
        called @ embedder.embed_query("parse options") > uses @ embedder.embed_query("parse options") + 0.15
    )
    assert uses @ embedder.embed_query("send mail") > called @ embedder.embed_query("send mail") + 0.15


@pytest.mark.parametrize(
    "lines",
    [("load file", "save it"), ("return value", "x = 1"), ("src/a.py", "def load()"), ("docs/a b c.md", "d")],
    ids=["words", "code", "path alone", "no single symbol"],
)
def test_without_a_line_of_path_and_symbol_all_words_count_the_same(
    embedder: StaticEmbedder, lines: tuple[str, str]
) -> None:
    here, there = embedder.embed_documents(["\n".join(lines), "\n".join(reversed(lines))])
    assert here == pytest.approx(there, abs=1e-6)


@given(st.text(max_size=300))
def test_every_vector_has_length_one_or_is_zero_where_there_is_no_word(text: str) -> None:
    embedder = shared()
    for vector in (embedder.embed_documents([text])[0], embedder.embed_query(text)):
        length = float(np.linalg.norm(vector))
        assert length == pytest.approx(1, abs=ROUNDING) or length == 0
        assert np.isfinite(vector).all()


@given(st.lists(st.text(alphabet="abcXYZ_09 ßé漢\n.()", max_size=80), max_size=8))
def test_a_text_gives_the_same_bytes_alone_in_a_batch_and_again(texts: list[str]) -> None:
    embedder = shared()
    batch = embedder.embed_documents(texts)
    assert batch.shape == (len(texts), embedder.dimensions)
    assert batch.dtype == np.float32
    for row, text in zip(batch, texts, strict=True):
        assert row.tobytes() == embedder.embed_documents([text])[0].tobytes()
    assert batch.tobytes() == StaticEmbedder.load().embed_documents(texts).tobytes()


@pytest.mark.parametrize("text", ["", "   \n\t", "+-*/ {}();", "\0\x01"])
def test_a_text_without_words_is_the_zero_vector(embedder: StaticEmbedder, text: str) -> None:
    assert not embedder.embed_documents([text]).any()
    assert not embedder.embed_query(text).any()


@pytest.mark.parametrize(
    "text",
    [
        "x" * 2_000_000,
        "word " * 400_000,
        "\ud800 lone surrogate",
        "中文注释 解析配置文件",
        "a_b" * 100_000,
        "🙂🙂 emoji",
        "١٢٣ digits ٤",
    ],
    ids=["one long word", "many words", "surrogate", "chinese", "underscores", "emoji", "arabic digits"],
)
def test_odd_and_huge_texts_are_embedded_quickly(embedder: StaticEmbedder, text: str) -> None:
    began = time.process_time()
    vector = embedder.embed_documents([text])[0]
    assert time.process_time() - began < 1
    assert np.linalg.norm(vector) == pytest.approx(1, abs=ROUNDING)


def test_words_that_were_never_seen_still_find_their_like(embedder: StaticEmbedder) -> None:
    query = embedder.embed_query("flurbozinator")
    near, far = embedder.embed_documents(["class FlurbozinatorFactory: pass", "class Quuxolotlizer: pass"])
    assert query @ near > query @ far + 0.2


def test_the_identity_is_stable_and_follows_weights_and_reading(
    embedder: StaticEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert StaticEmbedder.load().identity == embedder.identity
    with np.load(WEIGHTS) as stored:
        changed = {key: stored[key].copy() for key in stored}
    changed["table"][0, 0] ^= 1
    np.savez(tmp_path / "other.npz", **changed)
    assert StaticEmbedder.load(tmp_path / "other.npz").identity != embedder.identity
    monkeypatch.setattr(static, "READING_VERSION", static.READING_VERSION + 1)
    assert StaticEmbedder.load().identity != embedder.identity


_KERNELS: dict[str, tuple[str, dict[str, str]]] = {
    "this one": ("", {}),
    "one thread": ("", {"OPENBLAS_NUM_THREADS": "1"}),
    "oldest": (
        "",
        {
            "OPENBLAS_CORETYPE": "Prescott",
            "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512_SKX X86_V3 X86_V4",
        },
    ),
    "nehalem": ("", {"OPENBLAS_CORETYPE": "Nehalem"}),
    "sandybridge": ("avx", {"OPENBLAS_CORETYPE": "Sandybridge"}),
    "haswell": ("avx2", {"OPENBLAS_CORETYPE": "Haswell"}),
    "zen": ("avx2", {"OPENBLAS_CORETYPE": "Zen"}),
    "skylake": ("avx512vl", {"OPENBLAS_CORETYPE": "SkylakeX"}),
}
"""What a processor must be able to do to stand in for another one, and what makes numpy and its BLAS do so."""


def _able(machine: str) -> bool:
    needed, _ = _KERNELS[machine]
    known = Path("/proc/cpuinfo")
    return not needed or (known.exists() and needed in known.read_text("utf-8").split())


_READ_ALL = """
import hashlib, json, sys
from contextls.models.embedders.static import StaticEmbedder
embedder = StaticEmbedder.load()
texts = json.load(sys.stdin)
documents = embedder.embed_documents(texts)
queries = [embedder.embed_query(text) for text in texts]
similar = b"".join((documents @ query).tobytes() for query in queries)
vectors = documents.tobytes() + b"".join(query.tobytes() for query in queries)
print(embedder.identity, hashlib.sha256(vectors).hexdigest(), hashlib.sha256(similar).hexdigest())
"""


def _read_all(texts: list[str], environment: dict[str, str]) -> list[str]:
    """Another process's identity, and digests of its vectors of ``texts`` and of all their similarities."""
    known = {"PYTHONPATH": str(Path(static.__file__).parents[3]), "PYTHONHASHSEED": "5"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _READ_ALL],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        env=known | environment,
    )
    return done.stdout.split()


@pytest.fixture(scope="module")
def many_texts() -> list[str]:
    """Three hundred texts of all lengths: a few lines up to whole files."""
    sources = [
        path.read_text("utf-8") for path in sorted(Path(static.__file__).parents[2].rglob("*.py"))[:100]
    ]
    return [text for source in sources for text in (source[:60], source[60:1_500], source)]


@pytest.mark.parametrize("machine", [*filter(_able, _KERNELS)])
def test_vectors_and_similarities_are_the_same_bytes_on_every_machine(
    machine: str, many_texts: list[str], embedder: StaticEmbedder
) -> None:
    """Whatever processor numpy and its BLAS were told to be on: an index made elsewhere is the same index."""
    documents = embedder.embed_documents(many_texts)
    queries = [embedder.embed_query(text) for text in many_texts]
    vectors = documents.tobytes() + b"".join(query.tobytes() for query in queries)
    similar = b"".join((documents @ query).tobytes() for query in queries)
    here = [embedder.identity, hashlib.sha256(vectors).hexdigest(), hashlib.sha256(similar).hexdigest()]
    assert _read_all(many_texts, _KERNELS[machine][1]) == here


def test_the_known_vector_of_a_known_text(embedder: StaticEmbedder) -> None:
    """Written down once: a change of the reading that forgets to raise READING_VERSION is found here."""
    text = "src/budget.py enforce\ndef enforce(tokens, budget):\n    return tokens[:budget]\n"
    vectors = embedder.embed_documents([text]).tobytes() + embedder.embed_query(text).tobytes()
    digest = hashlib.sha256(vectors).hexdigest()[:16]
    assert (embedder.identity, digest) == ("contextls-static-3-0d22fa72869b91df", "5960883513d1b71e")


def test_no_sum_overflows_however_often_one_word_stands_in_a_text() -> None:
    """The largest numbers that a table may hold: one feature alone, and as many as a text may have."""
    table = np.full((300, 8), -128, np.int8)
    scale = np.full(300, 1e30, np.float32)
    embedder = StaticEmbedder(table, scale, scale, ["word"], "test")
    for text in ("word", "word " * 4_000, " ".join(f"feature{number}" for number in range(2_000))):
        vector = embedder.embed_query(text)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=ROUNDING)
        assert (vector == vector[0]).all()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not really", b"\x00" * 100])
def test_damaged_weights_are_named_in_the_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.npz"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"table\.npz"):
        StaticEmbedder.load(path)
    with pytest.raises(StoreError, match=r"missing\.npz"):
        StaticEmbedder.load(tmp_path / "missing.npz")


def test_weights_that_cannot_be_used_where_they_lie_are_named_in_the_error(tmp_path: Path) -> None:
    with np.load(WEIGHTS) as stored:
        np.savez_compressed(tmp_path / "small.npz", **stored)
    with pytest.raises(StoreError, match=r"small\.npz.*compressed"):
        StaticEmbedder.load(tmp_path / "small.npz")


def test_all_open_folders_share_one_table() -> None:
    assert open_embedder(Settings()) is open_embedder(Settings())


def test_the_weights_fit_the_wheel() -> None:
    assert WEIGHTS.stat().st_size <= 10_000_000


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("token", ["token"]),
        ("readHTTPHeader2", ["read", "http", "header", "readhttpheader2"]),
        ("MAX_CHUNK_SIZE", ["max", "chunk", "size", "maxchunksize"]),
        ("parseURLs", ["parse", "urls", "parseurls"]),
        ("utf8", ["utf", "utf8"]),
        ("naïve_größe", ["naïve", "größe", "naïvegröße"]),
        ("__init__", ["init"]),
        ("_", []),
        ("x", []),
    ],
)
def test_identifiers_split_where_programmers_split_them(word: str, expected: list[str]) -> None:
    assert parts(word) == expected


def test_the_memory_of_words_is_bounded() -> None:
    features = Features({"word": 0}, 64)
    for number in range(130_000):
        list(features.of(f"word{number}"))
        list(features.of(f"{number}" * 20))
    assert len(features._memo) <= 60_000
    assert max(map(len, features._memo)) <= MAX_WORD_CHARS
    assert set(features.of("word")) == {0}


@given(st.text(max_size=200))
def test_features_stay_inside_the_table(text: str) -> None:
    features = Features({"read": 0, "file": 1}, 8)
    assert all(0 <= feature < features.count == 10 for feature in features.of(text))


@given(st.text(alphabet=st.characters(categories=["L", "N", "Pc"]), min_size=1, max_size=400))
def test_parts_are_lower_case_and_short(word: str) -> None:
    assert all(2 <= len(part) <= 3 * MAX_WORD_CHARS for part in parts(word))


_SHARED: list[StaticEmbedder] = []


def shared() -> StaticEmbedder:
    if not _SHARED:
        _SHARED.append(StaticEmbedder.load())
    return _SHARED[0]
