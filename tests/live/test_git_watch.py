"""Moves of git are noticed every other second."""

from __future__ import annotations

from pathlib import Path

import pytest

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


async def test_merges_are_told_by_what_was_merged(sit_down: SitDown, workplace: Workplace) -> None:
    root = workplace()

    def commit(folder: Path, name: str, branch: str = "main") -> None:
        git(folder, "checkout", "-q", "-B", branch)
        (folder / f"{name}.py").write_text(f"{name.upper()} = 1\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"Add {name}")
        git(folder, "checkout", "-q", "main")

    git(root, "init", "-q")
    commit(root, "till")
    theirs = root.parent / "theirs" / "their shop"
    theirs.parent.mkdir()
    git(root.parent, "clone", "-q", str(root), str(theirs))
    desk = sit_down(watch=True)
    await desk.pass_time(2_000)
    commit(root, "sale", "sale")
    git(root, "merge", "-q", "sale")
    commit(root, "returns", "returns")
    git(root, "merge", "-q", "--no-ff", "--no-edit", "returns")
    commit(root, "vouchers", "vouchers")
    git(root, "merge", "-q", "--no-ff", "-m", "Bring the vouchers home", "vouchers")
    commit(theirs, "gifts")
    git(root, "pull", "-q", "--no-rebase", "--no-edit", str(theirs), "main")
    await desk.pass_time(2_000)
    prompt = await desk.ask("what did I do today?")
    for told in (
        " from `sale`",
        "Committed: Merge branch 'returns' (`",
        "Committed: Bring the vouchers home (`",
        "Committed: Merge branch 'main' of their shop (`",
    ):
        assert told in prompt
    assert "strategy" not in prompt


async def test_what_git_ignores_for_oneself_leaves_a_running_server(
    sit_down: SitDown, workplace: Workplace
) -> None:
    root = workplace()
    git(root, "init", "-q")
    (root / "shop/walrus.py").write_text("def walrus_price():\n    return 'tusk'\n")
    desk = sit_down(watch=True)
    await desk.index()
    await desk.pass_time(2_000)
    exclude = root / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("walrus.py\n")
    await desk.pass_time(2_000)
    assert "tusk" not in await desk.ask("walrus price")
    assert "walrus.py" not in await desk.ask("walrus price")
    exclude.write_text("# nothing\n")
    await desk.pass_time(2_000)
    assert "tusk" in await desk.ask("walrus price")


async def test_what_the_user_ignores_everywhere_leaves_a_running_server(
    sit_down: SitDown, workplace: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    root = workplace()
    git(root, "init", "-q")
    (root / "shop/walrus.py").write_text("def walrus_price():\n    return 'tusk'\n")
    desk = sit_down(watch=True)
    await desk.index()
    await desk.pass_time(2_000)
    assert "tusk" in await desk.ask("walrus price")
    (tmp_path / "home").mkdir()
    (tmp_path / "home/mine").write_text("walrus.py\n")
    (tmp_path / "home/.gitconfig").write_text("[core]\n\texcludesFile = ~/mine\n")
    await desk.pass_time(2_000)
    assert "tusk" not in await desk.ask("walrus price")
    (tmp_path / "home/mine").write_text("seal.py\n")
    await desk.pass_time(2_000)
    assert "tusk" in await desk.ask("walrus price")


async def test_an_ignore_file_above_the_folder_that_is_open_is_followed(
    sit_down: SitDown, workplace: Workplace
) -> None:
    root = workplace()
    git(root, "init", "-q")
    (root / "shop/walrus.py").write_text("def walrus_price():\n    return 'tusk'\n")
    desk = sit_down(watch=True)
    inner = root / "shop"
    desk.live.change_folders([inner], [root])
    desk.root = inner
    await desk.index()
    await desk.pass_time(2_000)
    assert "tusk" in await desk.ask("walrus price")
    (root / ".gitignore").write_text("walrus.py\n")
    await desk.pass_time(2_000)
    assert "tusk" not in await desk.ask("walrus price")
