"""Indexing follows the disk: what was added, edited, moved, deleted or ignored, and nothing else is touched."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from contextls.engine import Engine
from contextls.errors import CancelledError, WorkspaceError
from contextls.memory.index.updating.file_analyser import FileAnalyser
from contextls.memory.index.updating.full_run import FullRun
from contextls.model import IndexProgress
from contextls.settings import Settings

from ..workspaces import ONE_WORKER, SHOP, age, found, locations, opened, texts, write


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = write(tmp_path / "shop", SHOP)
    age(root)
    return root


def test_first_index_makes_everything_searchable(shop: Path) -> None:
    with opened(shop, index=False) as engine:
        assert engine.status().state == "empty"
        report = engine.index()
        assert (report.files, report.changed, report.removed) == (5, 5, 0)
        assert report.chunks == engine.status().chunks > 4
        assert engine.status().state == "ready"
        assert engine.status().languages == {"python": 3, "markdown": 1, "typescript": 1}
        assert found(engine, "seasonal discount on the price")[0] == "shop/prices.py"
        assert found(engine, "registerRoute")[0] == "web/router.ts"
        assert engine.search("discount").index_complete


def until_settled() -> None:
    """Until what was written last could not change again without its stamp telling."""
    time.sleep(0.2)


def test_second_index_of_an_unchanged_tree_touches_nothing(shop: Path) -> None:
    until_settled()
    with opened(shop) as engine:
        seen: list[IndexProgress] = []
        report = engine.index(seen.append)
        assert (report.changed, report.removed) == (0, 0)
        assert {step.total for step in seen} == {0}
    with opened(shop, index=False) as engine:
        assert found(engine, "discount")[0] == "shop/prices.py", "a new engine reads what the last one stored"
        assert engine.index().changed == 0


def test_edit_new_file_rename_and_delete_are_followed(shop: Path) -> None:
    with opened(shop) as engine:
        write(
            shop,
            {"shop/prices.py": "def surcharge(price):\n    return price + 1\n", "shop/tax.py": "VAT = 19\n"},
        )
        (shop / "shop/mail.py").rename(shop / "shop/post.py")
        (shop / "web/router.ts").unlink()
        report = engine.index()
        assert (report.changed, report.removed, report.files) == (3, 2, 5)
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        assert "discounted" not in texts(engine, "shop/prices.py")
        assert found(engine, "send_receipt")[0] == "shop/post.py"
        everything = set(found(engine, "surcharge VAT send_receipt registerRoute discounted cart route mail"))
        assert everything <= {"shop/prices.py", "shop/tax.py", "shop/post.py", "shop/cart.py", "README.md"}
    with opened(shop, index=False) as engine:
        assert "web/router.ts" not in found(engine, "registerRoute")
        assert found(engine, "surcharge")[0] == "shop/prices.py"


def test_ignoring_a_file_later_takes_it_out_and_back(shop: Path) -> None:
    with opened(shop) as engine:
        write(shop, {".gitignore": "mail.py\n"})
        assert engine.index().removed == 1
        assert "shop/mail.py" not in found(engine, "send_receipt")
        (shop / ".gitignore").unlink()
        engine.index()
        assert found(engine, "send_receipt")[0] == "shop/mail.py"


def test_update_with_an_ignore_file_takes_effect_at_once(shop: Path) -> None:
    with opened(shop) as engine:
        write(shop, {".contextlsignore": "*.ts\n"})
        engine.update_files([".contextlsignore"])
        assert "web/router.ts" not in found(engine, "registerRoute")


def test_a_touched_file_is_not_parsed_again(shop: Path) -> None:
    with opened(shop) as engine:
        later = time.time() - 60
        os.utime(shop / "shop/cart.py", (later, later))
        until_settled()
        assert engine.index().changed == 0
        seen: list[IndexProgress] = []
        engine.index(seen.append)
        assert {step.total for step in seen} == {0}, "its new time was noted"


def test_an_edit_within_one_tick_of_the_clock_is_found(shop: Path) -> None:
    path = shop / "shop/prices.py"
    before = path.read_text()
    # Its tick is not over when it is read, however long opening takes.
    os.utime(path, (time.time() + 60, time.time() + 60))
    stamp = path.stat()
    with opened(shop) as engine:
        path.write_text(before.replace("discounted", "surcharged"))
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        assert (path.stat().st_size, path.stat().st_mtime_ns) == (stamp.st_size, stamp.st_mtime_ns)
        assert engine.index().changed == 1
        assert found(engine, "surcharged")[0] == "shop/prices.py"


def test_a_file_that_becomes_binary_leaves_the_index(shop: Path) -> None:
    with opened(shop) as engine:
        write(shop, {"shop/mail.py": b"\x00\x01send_receipt\x00"})
        report = engine.index()
        assert report.skipped == {"binary": 1}
        assert "shop/mail.py" not in found(engine, "send_receipt")
        assert engine.index().changed == 0
        write(shop, {"shop/mail.py": SHOP["shop/mail.py"]})
        engine.index()
        assert found(engine, "send_receipt")[0] == "shop/mail.py"


def test_encoded_data_is_left_out_of_chunks_and_lines_stay(shop: Path) -> None:
    write(shop, {"otter.json": f'{{\n "image/png": "{"iVBORw0KGgo" * 700}",\n "source": "dive_otter"\n}}\n'})
    with opened(shop) as engine:
        (hit,) = [hit for hit in engine.search("dive_otter", 5).hits if hit.path == "otter.json"]
        assert '"image/png": "… (7,700 characters of encoded data)"' in hit.text
        assert (hit.start_line, hit.end_line) == (1, 4)


def test_files_that_are_left_out_are_not_counted_as_indexed(shop: Path) -> None:
    write(shop, {"shop/logo": b"\x00\x01", "shop/app.min.js": "a(1);" * 2_000})
    with opened(shop) as engine:
        engine.clear()
        report = engine.index()
        assert report.changed == report.files == engine.status().files
        assert sum(report.skipped.values()) == 2


def test_a_binary_file_is_read_once(shop: Path) -> None:
    write(shop, {"shop/logo": b"\x00\x01"})
    until_settled()
    with opened(shop) as engine:
        read = engine.status().analyzed
        assert engine.index().skipped == {"binary": 1}
        assert engine.status().analyzed == read


def test_a_file_that_grows_too_large_leaves_the_index(shop: Path) -> None:
    with opened(shop, Settings(workers=1, max_file_bytes=2_000)) as engine:
        write(shop, {"shop/mail.py": SHOP["shop/mail.py"] * 20})
        report = engine.index()
        assert (report.removed, report.skipped) == (1, {"size": 1})
        assert "shop/mail.py" not in found(engine, "send_receipt")
        write(shop, {"shop/cart.py": SHOP["shop/cart.py"] * 20})
        engine.update_files(["shop/cart.py"])
        assert "shop/cart.py" not in found(engine, "Cart add quantity")


def test_an_empty_workspace_is_complete(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        assert engine.status().state == "ready"
        assert engine.search("anything").hits == ()
        assert engine.search("anything").index_complete


def test_a_workspace_that_goes_away_keeps_its_index(shop: Path, tmp_path: Path) -> None:
    with opened(shop) as engine:
        shop.rename(tmp_path / "elsewhere")
        with pytest.raises(WorkspaceError, match="cannot be read"):
            engine.index()
        assert found(engine, "discount")[0] == "shop/prices.py"
    with pytest.raises(WorkspaceError, match="no such folder"):
        Engine.open(shop)


def test_links_never_lead_out_of_the_root(shop: Path, tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.py": "def outside_only():\n    return 1\n"})
    (shop / "linked.py").symlink_to(outside / "secret.py")
    (shop / "linked").symlink_to(outside, target_is_directory=True)
    with opened(shop) as engine:
        engine.update_files(
            ["linked.py", "linked/secret.py", "../outside/secret.py", str(outside / "secret.py")]
        )
        engine.set_overlay("../outside/secret.py", "def outside_only():\n    return 2\n")
        engine.set_overlay("linked/secret.py", "def outside_only():\n    return 3\n")
        assert not any("outside_only" in hit.text for hit in engine.search("outside_only", 100).hits)


def test_pipes_and_sockets_do_not_hang_the_index(shop: Path) -> None:
    os.mkfifo(shop / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(shop / "socket.py"))
        with opened(shop) as engine:
            engine.update_files(["pipe.py", "socket.py"])
            assert engine.status().files == 5


def test_odd_texts_are_found_at_their_lines(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "latin.py": "# Gr\xfc\xdfe\ndef gruesse_senden():\n    return 1\n".encode("latin-1"),
            "dos.py": "import os\r\n\r\n\r\ndef carriage():\r\n    return 1\r\n",
            "mark.py": b"\xef\xbb\xbfdef marked():\n    return 1\n",
            "wide.txt": "wide words in sixteen bits\n".encode("utf-16"),
            "long.txt": "word " * 190_000 + "\nneedle_behind_it\n",
            "empty.py": "",
            "nameless/äöü 😋 'q\".py": "def quoted_name():\n    return 1\n",
            "deep.json": "[" * 5_000 + "]" * 5_000,
        },
    )
    with opened(root, Settings(workers=1, include_noise=True)) as engine:
        for query, path, line in (
            ("gruesse_senden", "latin.py", 2),
            ("carriage", "dos.py", 4),
            ("marked", "mark.py", 1),
            ("sixteen bits", "wide.txt", 1),
            ("needle_behind_it", "long.txt", 2),
            ("quoted_name", "nameless/äöü 😋 'q\".py", 1),
        ):
            hits = [hit for hit in engine.search(query, 20).hits if hit.path == path]
            assert any(hit.start_line <= line <= hit.end_line for hit in hits), query
        assert engine.status().files == 8


def test_the_setting_for_noise_takes_effect_both_ways_without_a_new_index(tmp_path: Path) -> None:
    generated = "# Code generated by protoc. DO NOT EDIT.\ndef needle_made_by_protoc():\n    return 1\n"
    root = write(tmp_path, {"made.py": generated, "plain.py": "def plain():\n    return 1\n"})
    age(root)
    for include in (False, True, False):
        with opened(root, Settings(workers=1, include_noise=include)) as engine:
            assert ("made.py" in found(engine, "needle_made_by_protoc")) == include
            assert "plain.py" in found(engine, "plain")
            assert engine.index().changed == 0


def test_a_deleted_file_that_was_left_out_as_noise_is_forgotten(tmp_path: Path) -> None:
    root = write(tmp_path, {"made.js": "var a=1;" * 20_000, "plain.py": "def plain():\n    return 1\n"})
    age(root)
    with opened(root) as engine:
        assert engine.status().skipped == {"minified": 1}
    (root / "made.js").unlink()
    with opened(root, Settings(workers=1, include_noise=True)) as engine:
        assert engine.status().skipped == {}


def test_cancelling_keeps_what_was_done_and_the_next_run_goes_on(tmp_path: Path) -> None:
    root = write(
        tmp_path, {f"part{number:03}.py": f"def work_{number}():\n    return 1\n" for number in range(200)}
    )
    age(root)
    cancel = threading.Event()

    def stop_midway(step: IndexProgress) -> None:
        if step.phase == "index" and step.done >= 50:
            cancel.set()

    with opened(root, index=False) as engine:
        with pytest.raises(CancelledError, match="of 200 files"):
            engine.index(stop_midway, cancel)
        kept = engine.status().files
        assert 50 <= kept < 200
        assert engine.status().state == "stale"
        assert not engine.search("work_1").index_complete
        report = engine.index()
        assert (report.files, report.changed) == (200, 200 - kept)
        assert len(engine.search("work", 1000).hits) == report.chunks == 200


def test_closing_ends_a_run_promptly_and_stores_the_save_behind_it_however_slow_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = FullRun._commit

    def slowly(run: FullRun, *given: Any) -> None:  # noqa: ANN401 - passed on as it comes
        if run.cancel.is_set():
            time.sleep(1.5)
        commit(run, *given)

    monkeypatch.setattr(FullRun, "_commit", slowly)
    monkeypatch.setattr("contextls.memory.index.updating.saves.PATIENCE_SECONDS", 1.0)
    root = write(tmp_path, {f"part{n:04}.py": "def work():\n    return 1\n" * 50 for n in range(600)})
    engine = Engine.open(root, ONE_WORKER)
    begun, ended = threading.Event(), []

    def run() -> None:
        try:
            engine.index(lambda step: begun.set() if step.done else None)
        except CancelledError as error:
            ended.append(str(error))

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(60)
    write(root, {"part0000.py": "def saved_meanwhile():\n    return 1\n"})
    engine.update_files(["part0000.py"])
    assert found(engine, "saved_meanwhile") == ["part0000.py"], "a save is searchable while a run is at work"
    engine.close()
    thread.join(60)
    assert not thread.is_alive()
    assert ended
    with opened(root, index=False) as engine:
        assert "part0000.py" in found(engine, "saved_meanwhile"), "the save waiting behind the run was stored"


def test_a_saved_file_is_searchable_at_once_and_stored_after_close(shop: Path) -> None:
    with opened(shop) as engine:
        write(
            shop,
            {
                "shop/prices.py": "def surcharge(price):\n    return price + 1\n",
                "new/tax.py": "def vat(): ...\n",
            },
        )
        engine.update_files(["shop/prices.py", "new"])
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        assert found(engine, "vat")[0] == "new/tax.py"
        (shop / "shop/mail.py").rename(shop / "shop/post.py")
        engine.update_files(["shop/mail.py", "shop/post.py"])
        assert found(engine, "send_receipt")[0] == "shop/post.py"
        assert "shop/mail.py" not in found(engine, "send_receipt")
    with opened(shop, index=False) as engine:
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        assert found(engine, "send_receipt")[0] == "shop/post.py"
        assert "shop/mail.py" not in found(engine, "send_receipt")
        assert engine.status().chunks == engine.status().files == 6, "no row is there twice"


class HeardLock:
    """A lock that signals when it is asked for."""

    def __init__(self, heard: threading.Event) -> None:
        self._heard = heard
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._heard.set()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_closing_waits_for_an_update_that_is_under_way_and_stores_it(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, closes = threading.Event(), threading.Event()
    analyse = FileAnalyser.analyse

    def analyse_while_closing(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - passed on as it comes
        reads.set()
        assert closes.wait(60)
        return analyse(*given, **named)

    with opened(shop) as engine:
        write(shop, {"shop/tax.py": "def value_added(price):\n    return price * 1.19\n"})
        monkeypatch.setattr(FileAnalyser, "analyse", analyse_while_closing)
        monkeypatch.setattr(engine._memories.content.indexer, "_one_run", HeardLock(closes))
        with ThreadPoolExecutor(1) as saving:
            update = saving.submit(engine.update_files, ["shop/tax.py"])
            assert reads.wait(60)
            engine.close()
            update.result()
    with opened(shop, index=False) as engine:
        assert found(engine, "value_added")[0] == "shop/tax.py"


def test_many_saves_in_a_row_leave_few_files_behind(shop: Path) -> None:
    with opened(shop) as engine:
        for number in range(24):
            write(shop, {"shop/prices.py": f"def price_{number}():\n    return {number}\n"})
            engine.update_files(["shop/prices.py"])
        assert "price_23" in texts(engine, "shop/prices.py")
    assert len(list(locations(shop).segments.iterdir())) < 10


def test_a_permission_that_comes_back_is_noticed(shop: Path) -> None:
    (shop / "shop/mail.py").chmod(0)
    if os.access(
        shop / "shop/mail.py", os.R_OK
    ):  # the superuser reads everything: take the file away instead
        (shop / "shop/mail.py").unlink()
        (shop / "shop/mail.py").mkdir()
    with opened(shop) as engine:
        assert "shop/mail.py" not in found(engine, "send_receipt")
        if (shop / "shop/mail.py").is_dir():
            (shop / "shop/mail.py").rmdir()
            write(shop, {"shop/mail.py": SHOP["shop/mail.py"]})
        (shop / "shop/mail.py").chmod(0o644)
        engine.index()
        assert found(engine, "send_receipt")[0] == "shop/mail.py"


def test_clear_and_index_again(shop: Path) -> None:
    with opened(shop) as engine:
        engine.set_overlay("shop/mail.py", "def unsaved_text():\n    return 1\n")
        assert found(engine, "unsaved_text") == ["shop/mail.py"]
        engine.clear(index=True)
        assert engine.status().files == 1
        assert engine.status().state != "ready"
        assert engine.index().changed == 5
        assert found(engine, "discounted")[0] == "shop/prices.py"
        assert found(engine, "unsaved_text") == ["shop/mail.py"]


def test_a_save_during_a_run_is_not_undone_by_it(shop: Path) -> None:
    def save_after_it_was_read(step: IndexProgress) -> None:
        if step.path == "shop/prices.py":
            write(shop, {"shop/prices.py": "def saved_meanwhile():\n    return 1\n"})
            engine.update_files(["shop/prices.py"])
            assert "saved_meanwhile" in texts(engine, "shop/prices.py")

    with opened(shop, index=False) as engine:
        engine.index(save_after_it_was_read)
        assert "saved_meanwhile" in texts(engine, "shop/prices.py")
        assert "discounted" not in texts(engine, "shop/prices.py")
    with opened(shop, index=False) as engine:
        assert "saved_meanwhile" in texts(engine, "shop/prices.py")
        assert "discounted" not in texts(engine, "shop/prices.py")
        assert engine.index().changed == 0


def test_readers_and_writers_side_by_side(shop: Path) -> None:
    """Whatever a reader catches is one whole version of a file."""
    with opened(shop) as engine:
        seen: list[set[int]] = []
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                hits = engine.search("version marker", 50).hits
                versions = {int(word) for hit in hits for word in re.findall(r"version_(\d+)", hit.text)}
                seen.append(versions)
                engine.status()

        readers = [threading.Thread(target=read) for _ in range(3)]
        for reader in readers:
            reader.start()
        for number in range(12):
            body = "".join(f"def marker_{n}():\n    return version_{number}\n\n\n" * 12 for n in range(3))
            write(shop, {"shop/marker.py": body})
            engine.update_files(["shop/marker.py"])
            if number % 5 == 4:
                engine.index()
        done.set()
        for reader in readers:
            reader.join()
        assert all(len(versions) <= 1 for versions in seen)
        assert {11} == {int(word) for word in re.findall(r"version_(\d+)", texts(engine, "shop/marker.py"))}


def test_a_renamed_file_is_never_at_both_places_nor_at_none(shop: Path) -> None:
    """Neither in the process that follows the disk nor in another one that reads what it stores."""
    with opened(shop) as engine, opened(shop, index=False) as other:
        names = {"shop/mail.py", "shop/post.py"}
        steps: list[set[str]] = []
        done = threading.Event()

        def places(reader: Engine) -> set[str]:
            return names.intersection(found(reader, "send_receipt"))

        def watch(reader: Engine) -> None:
            while not done.is_set():
                steps.append(places(reader))

        readers = [threading.Thread(target=watch, args=(each,)) for each in (engine, other)]
        for reader in readers:
            reader.start()
        for old, new in [("shop/mail.py", "shop/post.py"), ("shop/post.py", "shop/mail.py")] * 8:
            (shop / old).rename(shop / new)
            engine.update_files([old, new])
            while places(other) == {old}:  # stored behind the scenes
                pass
        done.set()
        for reader in readers:
            reader.join()
        assert {len(step) for step in steps} == {1}


def test_a_file_that_kills_its_parser_is_found_by_its_words(shop: Path) -> None:
    nested = "".join(f"{' ' * depth}a:\n" for depth in range(900))
    write(shop, {"deploy/nested.yaml": f"# needle_of_the_haystack\n{nested}"})
    with opened(shop, Settings(workers=1, include_noise=True)) as engine:
        assert found(engine, "needle_of_the_haystack")[0] == "deploy/nested.yaml"
        assert engine.status().files == 6
        assert engine.status().state == "ready"
        assert engine.index().changed == 0


def test_closing_does_not_wait_for_an_ignore_file_to_take_effect(tmp_path: Path) -> None:
    root = write(tmp_path, {f"part{n:04}.py": "def work():\n    return 1\n" * 50 for n in range(600)})
    engine = Engine.open(root, ONE_WORKER)
    write(root, {".gitignore": "part0000.py\n"})
    outcome: list[BaseException] = []

    def follow() -> None:
        try:
            engine.update_files([".gitignore"])
        except CancelledError as error:
            outcome.append(error)

    thread = threading.Thread(target=follow)
    thread.start()
    while not engine.status().chunks and engine.status().state != "indexing":
        time.sleep(0.01)
    engine.close()
    thread.join(60)
    assert not thread.is_alive()
    assert outcome


def test_another_process_that_holds_the_index_delays_but_never_hangs(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("contextls.memory.index.updating.saves.PATIENCE_SECONDS", 0.3)
    with opened(shop):
        pass
    cancel = threading.Event()
    with FileLock(locations(shop).index_lock):
        engine = Engine.open(shop, ONE_WORKER)
        write(shop, {"shop/prices.py": "def surcharge(price):\n    return price\n"})
        engine.update_files(["shop/prices.py"])
        assert found(engine, "surcharge")[0] == "shop/prices.py"
        threading.Timer(0.3, cancel.set).start()
        with pytest.raises(CancelledError, match="held the content index"):
            engine.index(cancel=cancel)
        started = time.monotonic()
        engine.close()
        assert time.monotonic() - started < 3
    with opened(shop, index=False) as engine:
        assert engine.index().changed == 1, "what could not be stored is found by the next run"
        assert found(engine, "surcharge")[0] == "shop/prices.py"


def test_a_save_that_two_servers_see_is_stored_once(shop: Path) -> None:
    with opened(shop) as first, opened(shop) as second:
        generations = []
        for text, path in (
            ("def rebate(): ...\n", "shop/prices.py"),
            ("def voucher(): ...\n", "shop/new.py"),
        ):
            write(shop, {path: text})
            for engine in (first, second):
                engine.update_files([path])
                assert path in found(engine, text.split()[1].removesuffix("():")), "each shows it at once"
                engine._memories.content.indexer.flush()
                stored = engine._memories.content.store.record(path)
                assert stored is not None
                generations.append(stored.generation)
        assert generations[0] == generations[1] < generations[2] == generations[3]
        (shop / "shop/new.py").unlink()
        for engine in (first, second):
            engine.update_files(["shop/new.py"])
            engine._memories.content.indexer.flush()
            assert "shop/new.py" not in found(engine, "voucher")
    with opened(shop, index=False) as third:
        assert "shop/prices.py" in found(third, "rebate")
        assert "shop/new.py" not in found(third, "voucher")
