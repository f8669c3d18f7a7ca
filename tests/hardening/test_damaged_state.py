"""Damaged, replaced and newer files of state."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contextls.engine import Engine
from contextls.errors import StoreError
from contextls.memory.events import EventLog
from contextls.model import AssembleRequest, Author, Event, NewEvent, NewNode
from contextls.settings import Settings
from contextls.store.sqlite_pages import Pages, Row

from ..memory.workspaces import SHOP, age, locations, write
from ..protocol.wire import Wire
from ..repositories import git

Attack = Callable[[Path, random.Random], None]

SETTINGS = Settings(workers=1)
QUESTION = AssembleRequest("how is the discounted price computed?")
EVENTS = 240
# What every process of contextls leaves when it is killed: everything acknowledged, and a log beside the database.
KILLED = """
import os, sys
from pathlib import Path
from contextls.engine import Engine
from contextls.model import NewEvent
from contextls.settings import Settings

if __name__ == "__main__":
    engine = Engine.open(Path(sys.argv[1]), Settings(workers=1))
    for number in range(40):
        engine.record(NewEvent("note", {"text": f"kept in the log {number} " * 12}))
    engine.tasks.push("a task that the log holds")
    sys.stdout.flush()
    os._exit(0)
"""


def cli(root: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, in the folder."""
    return subprocess.run(
        [sys.executable, "-m", "contextls.cli.main", *arguments],
        cwd=root,
        env={**os.environ, "CONTEXTLS_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """A workspace and everything that is kept of it, made by real use: (root, home)."""
    base = tmp_path_factory.mktemp("damaged")
    root, home = write(base / "shop", SHOP), base / "home"
    for number in range(3):
        write(root, {"shop/prices.py": SHOP["shop/prices.py"] + f"# {number}\n"})
        if not number:
            git(root, "init", "-q")
        git(root, "add", "-A")
        git(root, "commit", "-qm", f"Change {number}")
    age(root)
    before = os.environ["CONTEXTLS_HOME"]
    os.environ["CONTEXTLS_HOME"] = str(home)
    engine = Engine.open(root, SETTINGS)
    engine.index()
    engine.record(NewEvent("file_read", {"path": "shop/cart.py"}))
    engine.tasks.push("make discounts right")
    engine.tasks.push("look at the prices")
    engine.assemble(QUESTION)
    for number in range(EVENTS - 1):
        engine.record(NewEvent("note", {"text": f"note {number} " + "x" * (number * 37 % 900)}))
    for number in range(30):
        engine.feedback(f"shop/prices.py:{number + 1}-{number + 9}", helpful=number % 3 > 0)
    chat = engine.conversations.create("Discounts").id
    for number in range(40):
        author = (Author.HUMAN, Author.MODEL)[number % 2]
        engine.conversations.append(chat, NewNode(author, f"said {number} " + "so " * (number * 37 % 300)))
    engine._memories.history.catch_up()
    engine.upkeep.follow_git()
    engine.patterns()
    engine._memories.patterns._saved = -10_000  # as after a long day
    engine.close()
    yield root, home
    os.environ["CONTEXTLS_HOME"] = before


@pytest.fixture
def state(healthy: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The workspace and a copy of its state to be attacked: (root, home)."""
    root, home = healthy
    copy = tmp_path / "home"
    shutil.copytree(home, copy, symlinks=True)
    monkeypatch.setenv("CONTEXTLS_HOME", str(copy))
    return root, copy


def file_of(root: Path, pattern: str) -> Path:
    """The one file of state, or the largest of several, that ``pattern`` names."""
    where = locations(root)
    base, _, name = pattern.partition("/")
    folder = where.state if base == "state" else where.cache
    if name.endswith(".lock"):
        (folder / name).touch()
    found = [path for path in folder.glob(name) if path.is_file()]
    return max(found, key=lambda path: path.stat().st_size)


def dice_of(seed: object) -> random.Random:
    """The same throws at each run."""
    return random.Random(str(seed))  # noqa: S311 - nothing is kept secret with it


def flip(path: Path, dice: random.Random) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(dice.choice([1, 1, 3, 12])):
        raw[dice.randrange(len(raw))] ^= 1 << dice.randrange(8)
    path.write_bytes(raw)


def flip_the_beginning(path: Path, dice: random.Random) -> None:
    raw = bytearray(path.read_bytes())
    for _ in range(3):
        raw[dice.randrange(min(120, len(raw)))] ^= 1 << dice.randrange(8)
    path.write_bytes(raw)


def overwrite_a_page(path: Path, dice: random.Random) -> None:
    raw = bytearray(path.read_bytes())
    start = dice.randrange(max(1, len(raw) // 4096)) * 4096
    length = min(4096, len(raw) - start)
    raw[start : start + length] = dice.randbytes(length)
    path.write_bytes(raw)


def empty(path: Path, _: random.Random) -> None:
    path.write_bytes(b"")


def halve(path: Path, _: random.Random) -> None:
    os.truncate(path, path.stat().st_size // 2)


def append_garbage(path: Path, dice: random.Random) -> None:
    path.write_bytes(path.read_bytes() + dice.randbytes(5_000))


def make_folder(path: Path, _: random.Random) -> None:
    path.unlink()
    path.mkdir()
    (path / "inside").write_text("x")


def make_pipe(path: Path, _: random.Random) -> None:
    path.unlink()
    os.mkfifo(path)


def make_dangling_link(path: Path, _: random.Random) -> None:
    path.unlink()
    path.symlink_to(path.parent / "nothing")


def make_endless_link(path: Path, _: random.Random) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def put_another_in_its_place(path: Path, dice: random.Random) -> None:
    path.write_bytes(dice.randbytes(9_000))


def put_another_database_in_its_place(path: Path, _: random.Random) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE other (a); INSERT INTO other VALUES ('x'); PRAGMA user_version=1")
    connection.close()


def garble_the_log(path: Path, dice: random.Random) -> None:
    path.with_name(f"{path.name}-wal").write_bytes(dice.randbytes(20_000))
    path.with_name(f"{path.name}-shm").write_bytes(dice.randbytes(32_768))


def make_companions_folders(path: Path, _: random.Random) -> None:
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).mkdir()


def make_companions_pipes(path: Path, _: random.Random) -> None:
    for ending in ("-wal", "-shm"):
        os.mkfifo(path.with_name(path.name + ending))


def become_newer(path: Path, _: random.Random) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()


REPLACING = (
    empty,
    make_folder,
    make_pipe,
    make_dangling_link,
    make_endless_link,
    put_another_in_its_place,
)
TOUCHING = (halve, append_garbage, overwrite_a_page)
BESIDE = (garble_the_log, make_companions_folders, make_companions_pipes)
DATABASES = (*REPLACING, *TOUCHING, *BESIDE, put_another_database_in_its_place)
FILES: dict[str, tuple[Attack, ...]] = {
    "state/events.sqlite": DATABASES,
    "state/tasks.sqlite": DATABASES,
    "state/feedback.sqlite": DATABASES,
    "state/conversations.sqlite": DATABASES,
    "state/git-moves.json": REPLACING,
    "state/events.sqlite.lock": (make_folder, make_pipe, make_dangling_link),
    "cache/index-*/index.sqlite": (*DATABASES, become_newer),
    "cache/history.sqlite": (*DATABASES, become_newer),
    "cache/patterns.sqlite": (*DATABASES, become_newer),
    "cache/index-*/segments/*.segment": (*REPLACING, *TOUCHING),
    "cache/index-*/segments/*.derived": (*REPLACING, *TOUCHING),
    "cache/index-*/index.lock": (make_folder, make_pipe, make_dangling_link),
}
LONG = pytest.mark.long
# One of each kind in every run; each of them is a use of the workspace in two processes' worth of work.
SHORT: dict[str, tuple[Attack, ...]] = {
    "state/events.sqlite": (overwrite_a_page, halve, make_pipe, garble_the_log),
    "state/tasks.sqlite": (overwrite_a_page,),
    "state/conversations.sqlite": (overwrite_a_page, halve),
    "state/git-moves.json": (make_pipe,),
    "state/events.sqlite.lock": (make_folder,),
    "cache/index-*/index.sqlite": (overwrite_a_page,),
    "cache/history.sqlite": (overwrite_a_page,),
    "cache/index-*/segments/*.segment": (overwrite_a_page, make_pipe),
    "cache/index-*/segments/*.derived": (overwrite_a_page, make_pipe),
}
ONCE = [
    pytest.param(
        name, attack, id=f"{name}-{attack.__name__}", marks=() if attack in SHORT.get(name, ()) else LONG
    )
    for name, attacks in FILES.items()
    for attack in attacks
]
FLIPPED = [name for name in FILES if not name.endswith(".lock")]


def use(root: Path) -> tuple[list[Event], list[str]]:
    """Use the workspace as an editor does; what is in the events then, and what the user was told."""
    told: list[str] = []
    engine = Engine.open(root, SETTINGS)
    try:
        engine.listen(told.append)
        recorded = engine.record(NewEvent("note", {"text": "recorded after the damage"}))
        engine.mend() or engine.index()
        engine._memories.history.catch_up()
        context = engine.assemble(QUESTION)
        assert "return price - price * percent / 100" in context.content
        assert [warning for warning in context.report.warnings if "shallow" not in warning] == []
        engine.tasks.list()
        engine.tasks.push("go on")
        engine.feedback("shop/cart.py:1-9", helpful=True)
        chats = engine.conversations
        for kept in chats.list():
            chats.history(kept.id)
        chat = next((kept for kept in chats.list()), None) or chats.create("Discounts")
        said = chats.append(chat.id, NewNode(Author.HUMAN, "said after the damage"))
        assert chats.path(chat.id).nodes[-1] == said
        engine.upkeep.follow_git()
        engine.patterns()
        engine.entities("cart")
        status = engine.status()
        assert (status.state, status.files, status.chunks) == ("ready", len(SHOP), 5)
        events = list(engine.events(10_000))
        assert recorded in events
        assert status.events == len(events)
    finally:
        engine.close()
    return events, told


def use_and_look_again(root: Path) -> tuple[list[Event], list[str]]:
    """As ``use``; what was put right stays so, and nobody is told twice."""
    events, told = use(root)
    assert look(root) >= {event.id for event in events}
    return events, told


def look(root: Path) -> set[str]:
    """The events, to one who opens a workspace of which everything is in order, and puts nothing right."""
    told: list[str] = []
    engine = Engine.open(root, SETTINGS)
    try:
        engine.listen(told.append)
        status = engine.status()
        assert (status.state, status.files, status.chunks) == ("ready", len(SHOP), 5)
        assert "return price - price * percent / 100" in engine.assemble(QUESTION).content
        engine.tasks.list()
        engine.patterns()
        return {event.id for event in engine.events(10_000)}
    finally:
        engine.close()
        assert told == []


def rows(path: Path) -> list[Row]:
    """The rows of the events in a healthy file."""
    found = [row for row in Pages.of(path.read_bytes(), {}).rows() if len(row.values) == 9]
    assert len(found) >= EVENTS
    return found


def events_in(path: Path) -> dict[str, str]:
    """The content of every event in the file that has the name now, by id; read past the programs under attack."""
    connection = sqlite3.connect(path)
    try:
        found = connection.execute("SELECT id, content FROM events").fetchall()
    finally:
        connection.close()
    return {f"event-{number}": content for number, content in found}


def untouched(before: bytes, path: Path, known: list[Row]) -> set[str]:
    """The events of which no page was altered."""
    after = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    pages = {
        start // 4096 + 1
        for start in range(0, len(before), 4096)
        if before[start : start + 4096] == after[start : start + 4096]
    }
    return {f"event-{row.number}" for row in known if pages.issuperset(row.pages)}


@pytest.mark.parametrize(("name", "attack"), ONCE)
def test_a_file_of_state_is_replaced_or_cut(state: tuple[Path, Path], name: str, attack: Attack) -> None:
    root, _ = state
    check(root, name, attack, dice_of(f"{name}{attack.__name__}"))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=LONG) for seed in range(1, 10))])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "state/events.sqlite" else LONG) for name in FLIPPED],
)
def test_bits_of_a_file_of_state_flip(state: tuple[Path, Path], name: str, seed: int) -> None:
    root, _ = state
    check(root, name, flip if seed % 2 else flip_the_beginning, dice_of(f"{name}{seed}"))


def check(root: Path, name: str, attack: Attack, dice: random.Random) -> None:
    path, events = file_of(root, name), file_of(root, "state/events.sqlite")
    before, known = events.read_bytes(), rows(events)
    attack(path, dice)
    kept = untouched(before, events, known)
    found, told = use_and_look_again(root)
    assert kept <= {event.id for event in found}, told
    for message in told:
        assert "\n" not in message
        assert path.name in message
    if name.startswith("state/events.sqlite") and len(kept) < len(known) and attack is not empty:
        assert len(found) > len(known) or told


NAMED_TRUTH = ("events", "tasks", "feedback", "conversations")


@pytest.mark.parametrize(
    "name", [NAMED_TRUTH[0], *(pytest.param(name, marks=LONG) for name in NAMED_TRUTH[1:])]
)
def test_newer_truth_is_read_and_not_written(state: tuple[Path, Path], name: str) -> None:
    root, home = state
    path = file_of(root, f"state/{name}.sqlite")
    become_newer(path, dice_of(1))
    before = path.read_bytes()
    engine = Engine.open(root, SETTINGS)
    told: list[str] = []
    try:
        engine.listen(told.append)
        engine.mend() or engine.index()
        context = engine.assemble(QUESTION)
        assert "return price - price * percent / 100" in context.content
        assert context.report.warnings == ()
        assert len(engine.events(10_000)) == EVENTS
        assert [frame.goal for frame in engine.tasks.path()] == ["make discounts right", "look at the prices"]
        writes: dict[str, Callable[[], object]] = {
            "events": lambda: engine.record(NewEvent("note", {"text": "t"})),
            "tasks": lambda: engine.tasks.push("more"),
            "feedback": lambda: engine.feedback("shop/cart.py:1-2", helpful=True),
            "conversations": lambda: engine.conversations.create("more"),
        }
        for which, write_one in writes.items():
            if which == name:
                for _ in range(2):
                    with pytest.raises(
                        StoreError, match=rf"{name}\.sqlite was written by a newer contextls.*read"
                    ):
                        write_one()
            else:
                write_one()
        assert [message for message in told if path.name in message] == told
        assert len(told) == 1
        assert any(path.name in warning for warning in engine.status().warnings)
    finally:
        engine.close()
    assert path.read_bytes() == before
    assert list(path.parent.glob(f"{path.name}.damaged*")) == []
    if name == "events":
        done = cli(root, home, "record", "file_read", "--path", "shop/cart.py")
        assert done.returncode == 3
        assert "newer contextls" in done.stderr
        assert "Traceback" not in done.stderr


def test_the_command_line_heals_says_so_once_and_goes_on(state: tuple[Path, Path]) -> None:
    root, home = state
    dice = dice_of(7)
    path = file_of(root, "state/events.sqlite")
    before, known = path.read_bytes(), rows(path)
    overwrite_a_page(path, dice)
    overwrite_a_page(file_of(root, "cache/index-*/index.sqlite"), dice)
    become_newer(file_of(root, "cache/patterns.sqlite"), dice)
    flip(file_of(root, "cache/index-*/segments/*.segment"), dice)
    kept = untouched(before, path, known)
    done = cli(root, home, "record", "file_read", "--path", "shop/prices.py")
    assert done.returncode == 0, done.stderr
    (warning,) = [line for line in done.stderr.splitlines() if "events.sqlite" in line]
    place = Path(warning.rsplit(" ", 1)[-1])
    assert place.is_file()
    listed = events_in(path)
    assert kept <= listed.keys()
    assert f"{len(listed) - 1:,} kept" in warning
    done = cli(root, home, "assemble", "how is the discounted price computed?")
    assert done.returncode == 0, done.stderr
    assert "return price - price * percent / 100" in done.stdout
    assert "events.sqlite" not in done.stderr
    done = cli(root, home, "status")
    assert "ready" in done.stdout
    assert str(place) in done.stderr
    assert "Traceback" not in done.stderr


def test_an_index_without_its_chunks_is_never_called_ready(state: tuple[Path, Path]) -> None:
    root, home = state
    shutil.rmtree(locations(root).segments)
    done = cli(root, home, "status")
    assert "state\tready" not in done.stdout
    assert "the next indexing reads them again" in done.stderr
    done = cli(root, home, "search", "discounted price")
    assert "shop/prices.py" in done.stdout
    look(root)


def killed(root: Path) -> Path:
    """The database of events as a process leaves it that is killed: 40 events lie in the log beside it."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(root)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    path = locations(root).events_database
    assert path.with_name(f"{path.name}-wal").stat().st_size > 40_000
    return path


def corrupt_frame(log: Path, dice: random.Random) -> None:
    raw = bytearray(log.read_bytes())
    raw[32 + 4_120 * 5 + dice.randrange(4_120)] ^= 1 << dice.randrange(8)
    log.write_bytes(raw)


def corrupt_header(log: Path, dice: random.Random) -> None:
    raw = bytearray(log.read_bytes())
    raw[dice.choice([0, 1, 16, 20, 24, 28])] ^= 16
    log.write_bytes(raw)


@pytest.mark.parametrize(
    "attack",
    [
        corrupt_frame,
        *(
            pytest.param(attack, marks=LONG)
            for attack in (
                corrupt_header,
                empty,
                halve,
                append_garbage,
                make_folder,
                make_pipe,
                put_another_in_its_place,
            )
        ),
    ],
)
def test_the_log_of_a_killed_process_is_damaged(state: tuple[Path, Path], attack: Attack) -> None:
    root, _ = state
    path = killed(root)
    known = {f"event-{number}" for number in range(1, EVENTS + 1)}
    attack(path.with_name(f"{path.name}-wal"), dice_of(3))
    events, told = use_and_look_again(root)
    found = {event.id for event in events}
    assert known <= found
    texts = [str(event.content.get("text")) for event in events]
    if attack in (corrupt_frame, corrupt_header):
        # SQLite alone would have dropped 35 of 40, or all, without a word.
        assert sum("kept in the log" in text for text in texts) >= 38
        (message,) = [message for message in told if path.name in message]
        assert "its log" in message
        assert "kept at" in message
    if attack is append_garbage:
        assert sum("kept in the log" in text for text in texts) == 40
        assert told == []


def remove_database(path: Path) -> None:
    path.unlink()


def remove_everything(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def remove_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def replace_database(path: Path) -> None:
    fresh = path.with_name("fresh")
    connection = sqlite3.connect(fresh)
    connection.close()
    fresh.touch()
    fresh.replace(path)


def cut_to_nothing(path: Path) -> None:
    os.truncate(path, 0)


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def write_noise(path: Path) -> None:
    path.write_bytes(dice_of(5).randbytes(path.stat().st_size))


WHILE_SERVING = (
    remove_log,
    cut_in_half,
    write_noise,
    cut_to_nothing,
    remove_database,
    replace_database,
    remove_everything,
)


def test_events_are_attacked_under_a_running_server(
    state: tuple[Path, Path], start: Callable[..., Wire], record_property: Callable[[str, object], None]
) -> None:
    root, home = state
    record_property("attacks", len(WHILE_SERVING))
    wire = start(env={"CONTEXTLS_HOME": str(home)})
    wire.initialize(root)
    wire.ready(root)
    path = locations(root).events_database
    for attack in WHILE_SERVING:
        attack(path)
        identities = []
        for number in range(3):
            event = {"type": "note", "content": {"text": f"after {attack.__name__} {number}"}}
            identities.append(wire.request("context/recordEvent", event)["id"])
            assert "discounted" in wire.assemble("how is the discounted price computed?")["content"]
        listed = wire.request("context/events", {"limit": 100})["events"]
        assert set(identities) <= {event["id"] for event in listed}, attack.__name__
        # Another process reads what was acknowledged from the file that has the name.
        assert any(f"after {attack.__name__} 2" in text for text in events_in(path).values()), attack.__name__
    shown = [str(params["message"]) for params in wire.calls("window/showMessage")]
    assert any("events.sqlite" in message and "kept" in message for message in shown)
    assert wire.end() == 0


@pytest.mark.long
def test_state_that_can_only_be_read(state: tuple[Path, Path]) -> None:
    root, home = state
    without_powers: tuple[str, ...] = ()
    if os.geteuid() == 0:  # who may write wherever root may is not stopped by permissions
        if shutil.which("setpriv") is None:
            pytest.skip("root without setpriv")
        without_powers = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner")
    other = Path(tempfile.mkdtemp(prefix="contextls-read-only-"))
    try:
        copied = shutil.copytree(root, other / "shop", symlinks=True)
        cli(copied, home, "index")
        assert cli(copied, home, "record", "file_read", "--path", "shop/cart.py").returncode == 0
        shutil.copytree(home, other / "home", symlinks=True)
        for place in (other, *other.rglob("*")):
            place.chmod(0o555 if place.is_dir() else 0o444)
        for arguments, status in (
            (("assemble", "how is the discounted price computed?"), 0),
            (("events",), 0),
            (("status",), 0),
            (("record", "file_read", "--path", "shop/cart.py"), 3),
        ):
            done = subprocess.run(
                [*without_powers, sys.executable, "-m", "contextls.cli.main", *arguments],
                cwd=copied,
                env={**os.environ, "CONTEXTLS_HOME": str(other / "home")},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                timeout=120,
            )
            assert done.returncode == status, (arguments, done.stderr)
            assert "Traceback" not in done.stderr
            if arguments[0] == "assemble":
                assert "return price - price * percent / 100" in done.stdout
            if arguments[0] == "events":
                assert "shop/cart.py" in done.stdout
            if status:
                assert "events.sqlite" in done.stderr
    finally:
        for place in (other, *other.rglob("*")):
            if place.is_dir():
                place.chmod(0o755)
        shutil.rmtree(other)


RECORD_ONCE_ALLOWED = """
import sys
from pathlib import Path
from contextls.errors import StoreError
from contextls.memory.events import EventLog
from contextls.model import NewEvent

log = EventLog(Path(sys.argv[1]))
note = NewEvent("note", {"text": "t"})
try:
    log.append(note)
except StoreError as error:
    print("cannot be written" in str(error), log.count())
Path(sys.argv[1]).parent.chmod(0o755)
for place in Path(sys.argv[1]).parent.iterdir():
    place.chmod(0o644)
print(log.append(note).id, log.count(), log.warnings())
"""


def test_state_that_can_be_written_again_is_no_damage(tmp_path: Path) -> None:
    without_powers: tuple[str, ...] = ()
    if os.geteuid() == 0:
        without_powers = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    folder = tmp_path / "state"
    folder.mkdir()
    log = EventLog(folder / "events.sqlite")
    log.append(NewEvent("note", {"text": "before"}))
    log.close()
    for place in (*folder.iterdir(), folder):
        place.chmod(0o555 if place.is_dir() else 0o444)
    done = subprocess.run(
        [*without_powers, sys.executable, "-c", RECORD_ONCE_ALLOWED, folder / "events.sqlite"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.splitlines() == ["True 1", "event-2 2 ()"]
    assert list(folder.glob("*.damaged*")) == []
