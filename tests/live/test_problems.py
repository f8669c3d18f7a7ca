"""Problems that appear and go become events once they have held still."""

from __future__ import annotations

from contextls.live.problems import Problem

from .conftest import SitDown


class CountedText(str):
    """Text that counts how often it is looked up, in all its copies together."""

    lookups = 0

    def __hash__(self) -> int:
        CountedText.lookups += 1
        return super().__hash__()


async def test_problems_that_appear_and_go_are_told_once_they_hold_still(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")

    def report(*problems: Problem) -> None:
        desk.live.problems.replace(path, problems)

    report(Problem("old error", 1), Problem("old warning", 1, "warning"))
    await desk.pass_time(19_999)
    assert await desk.events("diagnostic") == []
    await desk.pass_time(1)
    assert len(await desk.events("diagnostic")) == 1
    report(Problem("half typed", 1))
    await desk.pass_time(19_999)
    report(Problem("old error", 8), Problem("unused", 3, "warning"), Problem("a hint", 1, "hint"))
    await desk.pass_time(20_000)
    assert len(await desk.events("diagnostic")) == 3
    report()
    await desk.pass_time(20_000)
    found = await desk.events("diagnostic")
    assert [(event["state"], event["message"], event["severity"]) for event in found] == [
        ("appeared", "old error", "error"),
        ("gone", "old warning", "warning"),
        ("appeared", "unused", "warning"),
        ("gone", "old error", "error"),
        ("gone", "unused", "warning"),
    ]
    assert found[0]["path"] == "shop/cart.py"


async def test_of_equal_problems_as_many_are_told_as_went(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    for lines in ((1, 2, 3), (2,), (2, 5)):
        desk.live.problems.replace(path, [Problem("missing semicolon", line) for line in lines])
        await desk.pass_time(20_000)
    found = await desk.events("diagnostic")
    assert [(event["state"], event["line"]) for event in found] == [
        ("appeared", 1),
        ("appeared", 2),
        ("appeared", 3),
        ("gone", 2),
        ("gone", 3),
        ("appeared", 5),
    ]


async def test_thousands_of_equal_problems_are_told_apart_one_by_one(sit_down: SitDown) -> None:
    desk = sit_down()
    message = CountedText("missing semicolon")
    CountedText.lookups = 0
    desk.live.problems.replace(
        desk.open("shop/cart.py"), [Problem(message, line) for line in range(1, 2_001)]
    )
    assert CountedText.lookups <= 10 * 2_000


async def test_what_comes_along_with_requests_is_told_once(sit_down: SitDown) -> None:
    desk = sit_down()
    path = desk.open("shop/cart.py")
    for _ in range(3):
        desk.live.problems.mention(path, [Problem("no such name", 3), Problem("unused", 1, "warning")])
    (error,) = await desk.events()
    assert error == {"type": "error", "path": "shop/cart.py", "message": "no such name", "line": 3}


async def test_a_file_whose_problems_are_all_known_needs_no_mention(sit_down: SitDown) -> None:
    desk = sit_down(edit_seconds=20.0)
    path = desk.open("shop/cart.py")
    desk.live.problems.replace(path, [])
    desk.live.problems.mention(path, [Problem("no such name", 3)])
    await desk.pass_time(20_000)
    assert await desk.events("error") == []
