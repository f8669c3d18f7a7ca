"""Which files are indexed first."""

from __future__ import annotations

import threading

from contextls.code.model import Import
from contextls.memory.index.updating.file_queue import FileQueue
from contextls.memory.index.updating.order_of_use import HUGE_BYTES, ImportTargets, order_by_use
from contextls.workspace.scan import FileStat
from contextls.workspace.stamps import NO_STAMP

IMPORT_CART = [Import("shop.cart", (), 1)]


def stats(*paths: str, **sizes: int) -> list[FileStat]:
    return [FileStat(path, NO_STAMP._replace(size=sizes.get(path.partition(".")[0], 10))) for path in paths]


def test_source_comes_before_tests_documents_and_data_and_small_files_before_huge_ones() -> None:
    files = stats(
        "CHANGES.md", "data.json", "huge.py", "small.py", "tests/test_small.py", huge=HUGE_BYTES + 1
    )
    assert [stat.path for stat in order_by_use(files)] == [
        "small.py",
        "huge.py",
        "tests/test_small.py",
        "CHANGES.md",
        "data.json",
    ]


def test_a_small_folder_does_not_wait_for_a_large_one() -> None:
    drivers = [f"drivers/net/card_{number:03}.c" for number in range(300)]
    ordered = [stat.path for stat in order_by_use(stats(*drivers, "kernel/fork.c"))]
    assert ordered.index("kernel/fork.c") < 20
    assert sorted(ordered) == sorted([*drivers, "kernel/fork.c"])


def test_what_a_question_prefers_comes_next_and_each_file_once() -> None:
    queue = FileQueue(stats("a.py", "b.py", "c.py", "d.py"))
    drawn = iter(queue)
    assert next(drawn).path == "a.py"
    queue.prefer(["d.py", "a.py", "c.py", "gone.py"])
    assert [stat.path for stat in drawn] == ["d.py", "c.py", "b.py"]


def test_what_a_preferred_file_imports_follows_it() -> None:
    queue = FileQueue(stats("a.py", "b.py", "c.py", "shop/cart.py"))
    queue.prefer(["c.py"])
    drawn = iter(queue)
    queue.note(next(drawn).path, lambda: IMPORT_CART)
    assert [stat.path for stat in drawn] == ["shop/cart.py", "a.py", "b.py"]


def test_what_any_other_file_imports_waits_for_its_turn() -> None:
    queue = FileQueue(stats("a.py", "b.py", "shop/cart.py"))
    drawn = iter(queue)
    queue.note(next(drawn).path, lambda: IMPORT_CART)
    assert [stat.path for stat in drawn] == ["b.py", "shop/cart.py"]


def test_a_file_is_missing_until_it_is_committed_or_shown() -> None:
    queue = FileQueue(stats("a.py", "b.py"), indexed=3)
    queue.note(next(iter(queue)).path)
    assert queue.extent() == (3, 5)
    queue.commit()
    assert queue.extent() == (4, 5)
    assert [stat.path for stat in queue.missing()] == ["b.py"]
    queue.show(["b.py"])
    assert queue.extent() == (5, 5)
    assert not queue.missing()


def test_a_paused_queue_goes_on_when_the_question_is_answered() -> None:
    queue = FileQueue(stats("a.py"))
    drawn: list[str] = []
    with queue.paused():
        drawing = threading.Thread(target=lambda: drawn.extend(stat.path for stat in queue))
        drawing.start()
        assert not drawn
    drawing.join()
    assert drawn == ["a.py"]


def test_an_import_means_the_file_whose_path_ends_like_it_and_then_the_nearest() -> None:
    targets = ImportTargets(
        ["old/shop/cart.py", "web/cart.py", "web/shop/cart.py", "shop/__init__.py", "lib/task.h"]
    )
    assert targets.find("web/views.py", IMPORT_CART) == ["web/shop/cart.py"]
    assert targets.find("old/views.py", IMPORT_CART) == ["old/shop/cart.py"]
    assert targets.find("web/views.py", [Import("shop", (), 1)]) == ["shop/__init__.py"]
    assert targets.find("lib/task.c", [Import("lib/task.h", (), 1)]) == ["lib/task.h"]
    assert targets.find("web/views.py", [Import("os", ("path",), 1)]) == []
