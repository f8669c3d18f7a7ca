"""Changes on disk become events, each once, however often they are reported."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from .conftest import SitDown, Workplace


class CountedPath(type(Path())):  # type: ignore[misc]
    """A path that counts how often it is looked up, all of them together."""

    lookups = 0

    def __hash__(self) -> int:
        CountedPath.lookups += 1
        return hash(str(self))


async def test_a_rename_in_the_editor_is_one_event(sit_down: SitDown) -> None:
    desk = sit_down()
    old, new = desk.root / "shop/cart.py", desk.root / "shop/basket.py"
    old.rename(new)
    desk.live.changes.rename([(old, new)])
    desk.live.changes.touch([old, new])
    events = [event for event in await desk.events() if event["type"].startswith("file")]
    assert events == [{"type": "file_rename", "path": "shop/basket.py", "from": "shop/cart.py"}]
    assert "shop/basket.py" in await desk.ask("discount of a large order")


async def test_a_rename_outside_of_the_editor_is_recognised(sit_down: SitDown) -> None:
    desk = sit_down()
    await desk.index()
    old, new = desk.root / "shop/cart.py", desk.root / "shop/basket.py"
    old.rename(new)
    desk.live.changes.touch([old, new])
    (event,) = await desk.events("file_rename")
    assert (event["path"], event["from"]) == ("shop/basket.py", "shop/cart.py")
    assert await desk.events("file_delete") == []


@pytest.mark.parametrize("files", [2, 80])
@pytest.mark.parametrize("reports_files", [True, False])
async def test_a_folder_that_is_moved_is_one_event(
    sit_down: SitDown, workplace: Workplace, files: int, *, reports_files: bool
) -> None:
    for folder in ("shop", "shop/till"):  # of the empty ones nothing tells which is which but where they are
        (workplace() / folder).mkdir(exist_ok=True)
        (workplace() / folder / "__init__.py").write_text("")
        for number in range(files // 2):
            (workplace() / folder / f"drawer{number}.py").write_text(f"DRAWER = '{folder} {number}'\n")
    desk = sit_down()
    await desk.index()
    old, new = desk.root / "shop", desk.root / "stores/main"
    new.parent.mkdir()
    old.rename(new)
    desk.live.changes.touch([old, *(new.rglob("*") if reports_files else [new])])
    events = [event for event in await desk.events() if event["type"].startswith("file")]
    assert events == [{"type": "file_rename", "path": "stores/main", "from": "shop"}]
    assert "Renamed: `stores/main` from `shop`" in await desk.ask("what did I change?")
    assert "stores/main/cart.py" in await desk.ask("discount of a large order")


async def test_what_was_changed_on_the_way_of_a_folder_is_told_beside_its_move(sit_down: SitDown) -> None:
    desk = sit_down()
    (desk.root / "shop/till.py").write_text("TILL = 1\n")
    await desk.index()
    old, new = desk.root / "shop", desk.root / "store"
    shutil.copytree(old, new, copy_function=shutil.copyfile)
    shutil.rmtree(old)
    (new / "till.py").write_text("TILL = 2\n")
    (new / "gifts.py").write_text("GIFTS = 1\n")
    desk.live.changes.touch([old, *(old / each.name for each in new.iterdir()), *sorted(new.iterdir())])
    told = [
        (event["type"], event["path"]) for event in await desk.events() if event["type"].startswith("file")
    ]
    assert told == [
        ("file_rename", "store"),
        ("file_write", "store/gifts.py"),
        ("file_write", "store/till.py"),
    ]


async def test_a_folder_in_the_place_of_another_is_not_its_move(sit_down: SitDown) -> None:
    desk = sit_down()
    await desk.index()
    old, new = desk.root / "shop", desk.root / "store"
    names = [path.name for path in old.iterdir()]
    shutil.rmtree(old)
    new.mkdir()
    for name in names:
        (new / name).write_text(f"# another {name}\n")
    desk.live.changes.touch([old, *new.iterdir()])
    assert [event["path"] for event in await desk.events("file_delete")] == ["shop"]
    assert await desk.events("file_rename") == []


async def test_a_folder_that_has_a_former_name_again_is_found(sit_down: SitDown) -> None:
    desk = sit_down()
    await desk.index()
    for old, new in [("shop", "store"), ("store", "shop"), ("shop", "store")]:
        (desk.root / old).rename(desk.root / new)
        desk.live.changes.touch([desk.root / old, *(desk.root / new).iterdir()])
        await desk.settle()
    assert "store/cart.py" in await desk.ask("discount of a large order")


async def test_a_deleted_file_is_told(sit_down: SitDown) -> None:
    desk = sit_down()
    await desk.index()
    (desk.root / "shop/cart.py").unlink()
    desk.live.changes.touch([desk.root / "shop/cart.py"])
    assert [event["path"] for event in await desk.events("file_delete")] == ["shop/cart.py"]


async def test_what_came_and_went_without_being_known_is_no_loss(sit_down: SitDown) -> None:
    desk = sit_down()
    await desk.index()
    (desk.root / "shop/cart.py").unlink()
    desk.live.changes.touch([desk.root / name for name in ("shop/tmp-cache-1x9", "shop/cart.py")])
    assert [event["path"] for event in await desk.events("file_delete")] == ["shop/cart.py"]


async def test_a_deletion_that_is_reported_again_is_one_event(sit_down: SitDown) -> None:
    desk = sit_down()
    await desk.index()
    (desk.root / "shop/cart.py").unlink()
    for _ in range(3):
        desk.live.changes.touch([desk.root / "shop/cart.py"])
        await desk.pass_time(500)
    assert len(await desk.events("file_delete")) == 1


async def test_thousands_of_deletions_cost_what_each_costs(sit_down: SitDown) -> None:
    desk = sit_down()
    paths = [CountedPath(desk.root / f"shop/item_{number}.py") for number in range(2_000)]
    CountedPath.lookups = 0
    for _ in range(2):
        desk.live.changes.touch(paths)
    assert [event["count"] for event in await desk.events("files_changed")] == [2_000]
    assert CountedPath.lookups <= 100 * 2_000


async def test_a_rename_has_no_echo_after_ten_seconds(sit_down: SitDown) -> None:
    desk = sit_down()
    old, new = desk.root / "shop/cart.py", desk.root / "shop/basket.py"
    old.rename(new)
    desk.live.changes.rename([(old, new)])
    await desk.settle()
    for wait, told in ((9_999, 0), (1, 1)):
        await desk.clock.advance(wait)
        new.write_text("NUMBER = 1\n" * (told + 1))
        os.utime(new, (0, 0))  # as old as when it was renamed
        desk.live.changes.touch([new])
        assert len(await desk.events("file_write")) == told


async def test_saving_again_at_once_is_one_event(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=60.0)
    path = desk.open("shop/cart.py")
    for number in range(5):
        path.write_text(f"NUMBER = {number}\n" * (number + 1))
        desk.live.open_files.save_file(path)
        await desk.pass_time(399)
    assert len(await desk.events("file_write")) == 1
    desk.close(path)
    assert "NUMBER = 4" in await desk.ask("NUMBER")


async def test_a_save_is_one_event_although_it_is_reported_twice(sit_down: SitDown) -> None:
    desk = sit_down()
    path = desk.open("shop/cart.py")
    for number in range(2):
        desk.save(path, f"NUMBER = {number}\n")
        await desk.pass_time(5_000)
        desk.live.changes.touch([path])
    assert len(await desk.events("file_write")) == 2
