"""Content that was indexed once is not parsed again, wherever it turns up: moved, copied, or back with its branch."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

from contextls.engine import Engine
from contextls.memory.index.segments.stored_contents import MAX_COPIES, StoredContents
from contextls.workspace.read import digest

from ..workspaces import SHOP, age, found, locations, opened, texts, write

TOOL = "#!/usr/bin/env python3\n'''Prints what a customer owes.'''\n\n\ndef owed(cart):\n    return cart.total()\n"
TREE: Mapping[str, str] = {**SHOP, "bin/owed": TOOL}
QUERIES = (
    "discounted price",
    "mail a receipt",
    "registerRoute",
    "Cart total",
    "what a customer owes",
    "version",
)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Path]:
    root = write(tmp_path / "shop", TREE)
    age(root)
    yield root
    shutil.rmtree(locations(root).cache, ignore_errors=True)


def held(engine: Engine) -> dict[str, object]:
    """Everything that the index holds of each file, vectors and terms included."""
    snapshot = engine._memories.content.memory.catch_up()
    view = snapshot.view
    found: dict[str, object] = {}
    for path in snapshot.files.paths:
        refs = view.chunks_of(path)
        outline = snapshot.outlines[path]
        terms = [
            sorted(
                (int(segment.terms.keys[at]), int(count))
                for at in range(len(segment.terms.keys))
                for owner, count in zip(
                    *(
                        column[segment.terms.starts[at] : segment.terms.starts[at + 1]]
                        for column in (segment.terms.owners, segment.terms.counts)
                    ),
                    strict=True,
                )
                if owner == ref.position
            )
            for ref in refs
            for segment in (view.segments[ref.segment],)
        ]
        found[path] = (
            [astuple(view.row(ref)) for ref in refs],
            view.vectors(refs).tobytes(),
            terms,
            snapshot.files.kind(path),
            (
                outline.definitions,
                outline.references,
                outline.imports,
                outline.calls,
                outline.bodies,
                outline.doc,
            ),
        )
    return found


def analysed_by(engine: Engine) -> int:
    """How many files were parsed since this was asked for the last time."""
    indexer = engine._memories.content.indexer
    before = getattr(engine, "_analysed_before", 0)
    engine._analysed_before = indexer.analyzed  # type: ignore[attr-defined]
    return indexer.analyzed - before


def test_a_file_that_is_moved_or_copied_is_not_parsed_again(shop: Path) -> None:
    with opened(shop) as engine:
        analysed_by(engine)
        (shop / "shop/prices.py").rename(shop / "shop/discounts.py")
        shutil.copytree(shop / "web", shop / "worktree/web")
        assert engine.index().changed == 2
        assert analysed_by(engine) == 0
        assert found(engine, "discounted")[0] == "shop/discounts.py"
        assert {"web/router.ts", "worktree/web/router.ts"} <= set(found(engine, "registerRoute"))
        (shop / "shop/discounts.py").rename(shop / "shop/rebates.py")
        engine.update_files(["shop/discounts.py", "shop/rebates.py"])
        assert analysed_by(engine) == 0
        assert "shop/rebates.py" in found(engine, "discounted")


def test_nor_is_one_that_comes_back_with_its_branch(shop: Path) -> None:
    branch = {"shop/mail.py": TREE["shop/mail.py"].replace("send_receipt", "post_receipt")}
    write(shop, {f"shop/part_{n}.py": f"def part_{n}(): ...\n" for n in range(10)})
    with opened(shop) as engine:
        write(shop, branch)
        assert engine.index().changed == 1
        analysed_by(engine)
        for text, name in ((TREE["shop/mail.py"], "send_receipt"), (branch["shop/mail.py"], "post_receipt")):
            size = sum(file.stat().st_size for file in locations(shop).segments.glob("*.segment"))
            write(shop, {"shop/mail.py": text})
            assert engine.index().changed == 1
            assert found(engine, name)[0] == "shop/mail.py"
            assert size == sum(file.stat().st_size for file in locations(shop).segments.glob("*.segment"))
        assert analysed_by(engine) == 0


def test_of_many_copies_that_at_the_path_is_taken_and_few_others_are_looked_at(tmp_path: Path) -> None:
    write(tmp_path, {f"rules/{number}.md": "# A rule\n" for number in range(100)})
    with opened(tmp_path):
        places = [str(place) for place in locations(tmp_path).segments.glob("*.segment")]
        found = list(StoredContents().find(places, digest(b"# A rule\n"), "rules/99.md"))
    assert found[0].path == "rules/99.md"
    assert len(found) == len({each.path for each in found}) <= 1 + MAX_COPIES


def test_nothing_comes_back_from_a_damaged_segment(shop: Path) -> None:
    with opened(shop) as engine:
        write(shop, {"shop/mail.py": TREE["shop/mail.py"].replace("send_receipt", "post_receipt")})
        engine.index()
        for file in locations(shop).segments.glob("*.segment"):
            data = file.read_bytes()
            header = 8 + int.from_bytes(data[:8], "little")
            _, (size,), at = json.loads(data[8:header])["blocks.data"]
            with file.open("r+b") as damaged:
                damaged.seek(header + at)
                damaged.write(bytes(size))
        write(shop, {"shop/mail.py": TREE["shop/mail.py"]})
        analysed_by(engine)
        engine.index()
        assert analysed_by(engine) == 1
        assert "Mail the receipt" in texts(engine, "shop/mail.py")


def test_what_is_deleted_or_ignored_leaves_no_text_behind(shop: Path) -> None:
    with opened(shop) as engine:
        (shop / "shop/mail.py").unlink()
        write(shop, {".gitignore": "web/\n"})
        engine.index()
        paths = [segment.paths for segment in engine._memories.content.memory.catch_up().files.segments]
        assert {"shop/mail.py", "web/router.ts"}.isdisjoint(path for each in paths for path in each)


def test_a_name_that_means_another_language_is_parsed_as_such(shop: Path) -> None:
    with opened(shop) as engine:
        (shop / "shop/prices.py").rename(shop / "shop/prices.md")
        engine.index()
        assert {hit.language for hit in engine.search("discounted").hits if hit.path == "shop/prices.md"} == {
            "markdown"
        }


PATHS = (
    *TREE,
    "shop/new.py",
    "tests/test_cart.py",
    "copy/shop/cart.py",
    "shop/cart.md",
    "old/owed",
    "v1/shop/cart.py",
)
steps = st.lists(
    st.tuples(
        st.sampled_from(("edit", "move", "copy", "delete", "switch", "back")),
        st.sampled_from(PATHS),
        st.sampled_from(PATHS),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


def change(root: Path, action: str, path: Path, other: Path, number: int) -> None:
    """Do one thing that people do to their files."""
    other.parent.mkdir(parents=True, exist_ok=True)
    if action == "edit":
        write(
            root, {str(path.relative_to(root)): f"'''Version {number}.'''\n\n\ndef version(): ...\n" * number}
        )
    elif action == "move" and path.exists():
        path.replace(other)
    elif action == "copy" and path.exists() and path != other:
        shutil.copyfile(path, other)
    elif action == "delete":
        path.unlink(missing_ok=True)
    elif action == "switch":
        write(root, {name: f"{TREE[name]}\n# on a branch\n" for name in list(TREE)[:2]})
    elif action == "back":
        write(root, TREE)


@settings(max_examples=15)
@given(steps)
def test_after_any_changes_the_index_is_the_one_that_is_made_at_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str, bool]]
) -> None:
    root = write(tmp_path_factory.mktemp("changes") / "shop", TREE)
    age(root)
    with opened(root) as engine:
        for number, (action, path, other, at_once) in enumerate(steps, 1):
            change(root, action, root / path, root / other, number)
            if at_once:
                engine.update_files(PATHS)
            else:
                engine.index()
        engine.index()
        engine._memories.content.indexer.flush()  # what was shown before it was stored
        assert (grown := held(engine))
        answers = [engine.search(query, 20).hits for query in QUERIES]
    shutil.rmtree(locations(root).cache)
    with opened(root) as engine:
        assert grown == held(engine)
        assert answers == [engine.search(query, 20).hits for query in QUERIES]
    shutil.rmtree(locations(root).cache)
