"""Moves of git are noticed every other second."""

from __future__ import annotations

from ..repositories import git
from .conftest import SitDown, Workplace


async def test_commits_and_checkouts_are_followed(sit_down: SitDown, workplace: Workplace) -> None:
    root = workplace()
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Open the shop")
    desk = sit_down(watch=True)
    await desk.pass_time(2_000)
    git(root, "checkout", "-q", "-b", "sale")
    (root / "shop/sale.py").write_text("SALE = True\n")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Sell")
    await desk.pass_time(1_999)
    assert await desk.events("git_commit") == []
    await desk.pass_time(1)
    (event,) = await desk.events("git_commit")
    assert (event["subject"], event["branch"], event["paths"]) == ("Sell", "sale", ["shop/sale.py"])
    (moved,) = await desk.events("git_checkout")
    assert (moved["from"], moved["to"]) == ("main", "sale")
