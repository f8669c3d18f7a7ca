"""The offline embedder: what a user of search may rely on."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contextls.errors import StoreError
from contextls.store.embedders import static
from contextls.store.embedders.features import MAX_WORD, Features, parts
from contextls.store.embedders.static import WEIGHTS, StaticEmbedder

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


@settings(deadline=None)
@given(st.text(max_size=300))
def test_every_vector_has_length_one_or_is_zero_where_there_is_no_word(text: str) -> None:
    embedder = shared()
    for vector in (embedder.embed_documents([text])[0], embedder.embed_query(text)):
        length = float(np.linalg.norm(vector))
        assert length == pytest.approx(1, abs=1e-5) or length == 0
        assert np.isfinite(vector).all()


@settings(deadline=None)
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
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


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


def test_the_vectors_are_the_same_in_another_process(embedder: StaticEmbedder) -> None:
    script = (
        "from contextls.store.embedders.static import StaticEmbedder; import sys\n"
        "e = StaticEmbedder.load(); print(e.identity, e.embed_query('where is the token budget enforced?').tobytes().hex())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(static.__file__).parents[3]), "PYTHONHASHSEED": "5"},
    )
    query = embedder.embed_query("where is the token budget enforced?")
    assert done.stdout.split() == [embedder.identity, query.tobytes().hex()]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not really", b"\x00" * 100])
def test_damaged_weights_are_named_in_the_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.npz"
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"table\.npz"):
        StaticEmbedder.load(path)
    with pytest.raises(StoreError, match=r"missing\.npz"):
        StaticEmbedder.load(tmp_path / "missing.npz")


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
    assert max(map(len, features._memo)) <= MAX_WORD
    assert set(features.of("word")) == {0}


@given(st.text(max_size=200))
def test_features_stay_inside_the_table(text: str) -> None:
    features = Features({"read": 0, "file": 1}, 8)
    assert all(0 <= feature < features.count == 10 for feature in features.of(text))


@given(st.text(alphabet=st.characters(categories=["L", "N", "Pc"]), min_size=1, max_size=400))
def test_parts_are_lower_case_and_short(word: str) -> None:
    assert all(2 <= len(part) <= 3 * MAX_WORD for part in parts(word))


_SHARED: list[StaticEmbedder] = []


def shared() -> StaticEmbedder:
    if not _SHARED:
        _SHARED.append(StaticEmbedder.load())
    return _SHARED[0]
