"""A working set's file that is broken, hostile or no file: told in one warning, never followed, never overwritten."""

from __future__ import annotations

import itertools
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from contextls.errors import StoreError
from contextls.memory.working_set import disk, followed
from contextls.memory.working_set.disk import MAX_BYTES
from contextls.memory.working_set.entries import Manifest, read_manifest

from .shops import WRITTEN, Shop, names

BOMB = "a: &a [x,x]\n" + "".join(f"{n}: &{n} [*{m},*{m}]\n" for m, n in itertools.pairwise("abcdefghij"))
PIECES = (
    *(
        "files:\n",
        "exclude:\n",
        "  - ",
        "path: ",
        "/etc/passwd",
        "../",
        "outside\n",
        "[",
        "{",
        "}",
        "]",
        "#",
        "\n",
    ),
    *(
        "link.py\n",
        "out/secret.txt\n",
        "priority: .inf\n",
        "priority: 1e999\n",
        "max_lines: -1\n",
        "*a",
        "&a ",
    ),
    *(
        "!!python/object/apply:os.system [x]\n",
        "'",
        '"',
        "|\n",
        "\t",
        "a.py\n",
        "role: []\n",
        "? ",
        ": ",
        ", ",
    ),
)
hostile = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200),
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
)


def refusal(shop: Shop, path: str) -> str:
    """What a pin is refused with; empty when it is not."""
    try:
        shop.pin(path)
    except StoreError as error:
        return str(error)
    return ""


@given(content=hostile)
@example(content=BOMB)
@example(content="".join(f"k{n}: 1\n" for n in range(20_000)))
@example(content="? [a]\n: 1\n")
@example(content="[" * 100_000)
@example(content="files: " + "{a: " * 50)
@example(content="files:\n" + "  - a.py\n" * 3_000)
@example(content="x: " + "y" * (MAX_BYTES + 1))
@example(content="files:\n  - path: !!python/object/apply:os.system ['touch hacked']\n")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_a_hostile_file_never_raises_and_never_leads_outside(folder: Path, content: str | bytes) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as place:
        shop = Shop(Path(place) / "shop")
        outside = Path(place) / "outside"
        outside.mkdir()
        (outside / "secret.txt").write_text("OUTSIDE")
        (shop.root / "link.py").symlink_to(outside / "secret.txt")
        (shop.root / "out").symlink_to(outside)
        raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        shop.write(raw)
        view = shop.memory.view()
        for each in view.files:
            if each.problem is None and not each.folder:
                assert "OUTSIDE" not in shop.memory.places.text(each.path)
                assert (shop.root / each.path).resolve().is_relative_to(shop.root.resolve())
        shop.memory.exclusions().hides("a.py")
        if error := refusal(shop, "a.py"):
            assert "line" in error
            assert shop.file.read_bytes() == raw
        else:
            assert "a.py" in names(shop.memory.view())
        assert not (shop.root / "hacked").exists()


@pytest.mark.parametrize(
    ("text", "line"),
    [("files:\n  - path: a\n - b\n", 3), ("files: 5\n", 1), ("- a\n", 1), ("files:\nfiles:\n", 2), (BOMB, 1)],
)
def test_a_broken_file_is_told_and_not_overwritten(tmp_path: Path, text: str, line: int) -> None:
    shop = Shop(tmp_path / "shop", WRITTEN)
    assert len(shop.memory.view().files) == 2
    shop.write(text)
    view = shop.memory.view()
    assert len(view.files) == 2, "what was last understood still counts"
    assert f"line {line}" in view.warnings[0]
    with pytest.raises(StoreError, match=rf"line {line}.*mend it"):
        shop.pin("a.py")
    assert shop.file.read_text() == text
    shop.write("files: [a.py]\n")
    assert (names(shop.memory.view()), shop.memory.view().warnings) == (["a.py"], ())


def test_links_and_pipes_in_place_of_the_file_are_not_followed(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop")
    elsewhere = tmp_path / "elsewhere.yml"
    elsewhere.write_text("files: [a.py]\n")
    shop.file.parent.mkdir()
    shop.file.symlink_to(elsewhere)
    assert shop.memory.view().files == ()
    with pytest.raises(StoreError):
        shop.pin("a.py")
    shop.file.unlink()
    os.mkfifo(shop.file)
    assert shop.memory.view().warnings
    shop.file.unlink()
    shop.file.parent.rmdir()
    shop.file.parent.symlink_to(tmp_path)
    (tmp_path / "working-set.yml").write_text("files: [a.py]\n")
    assert shop.memory.view().files == ()
    assert elsewhere.read_text() == "files: [a.py]\n"


def in_place_of_the_file(shop: Shop, what: str) -> None:
    shop.file.unlink()
    if what == "a folder":
        shop.file.mkdir()
    elif what == "a pipe":
        os.mkfifo(shop.file)
    elif what == "a link out of the workspace":
        (shop.root.parent / "elsewhere.yml").write_text("files: [docs/guide.md]\n")
        shop.file.symlink_to(shop.root.parent / "elsewhere.yml")
    else:
        shop.write(HOSTILE[what])


HOSTILE: dict[str, str | bytes] = {
    "five megabytes": "files:\n" + "  - path: gone/file.py\n" * 200_000,
    "references that multiply": BOMB,
    "deep brackets": "files: " + "[" * 100_000,
    "deep lists": "files:\n" + "- " * 2_000 + "a.py\n",
    "deep fields": "files:\n" + "".join(" " * depth + "a:\n" for depth in range(600)),
    "nothing but values": "x: [" + "1," * 100_000 + "]\n",
    "long lines that end badly": "files:\n" + "  - gone/file.py\n" * 10_000 + " ]\n",
    "bytes that are no text": "files: [\udcff]\n".encode("utf-8", "surrogateescape"),
}


@pytest.mark.parametrize("what", ["a folder", "a pipe", "a link out of the workspace", *HOSTILE])
def test_whatever_is_in_place_of_the_file_is_one_warning_and_what_was_pinned_still_counts(
    tmp_path: Path, what: str
) -> None:
    shop = Shop(tmp_path / "shop", "files: [a.py]\nexclude: [src]\n")
    assert names(shop.memory.view()) == ["a.py"]
    in_place_of_the_file(shop, what)
    view = shop.memory.view()
    assert names(view) == ["a.py"]
    assert shop.memory.exclusions().hides("src/no")
    (warning,) = view.warnings
    assert warning.startswith(".context/working-set.yml, line ")
    assert len(warning) < 300


def test_a_file_that_is_broken_is_parsed_once_however_often_somebody_asks(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def counted(text: str, is_there: Callable[[str], bool], name: str) -> Manifest:
        parsed.append(text)
        return read_manifest(text, is_there, name)

    monkeypatch.setattr(followed, "read_manifest", counted)
    for text in ("files: [a.py\n", "files: [a.py]\n", "files: [a.py\n"):
        parsed.clear()
        shop.write(text)
        for _ in range(3):
            shop.memory.view()
            shop.memory.exclusions()
            shop.memory.version()
        assert parsed == [text]


def test_ten_thousand_entries_are_one_warning(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", "files:\n" + "".join(f"  - f{number}.py\n" for number in range(10_000)))
    view = shop.memory.view()
    assert len(view.files) == 1_000
    assert view.warnings == (
        ".context/working-set.yml, line 1002: files: only the first 1,000 of 10,000 entries are read",
    )


def test_what_is_excluded_stays_so_while_somebody_empties_the_file_and_fills_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "_WRITING_SECONDS", 30.0)  # a busy machine may let the writer wait for long
    texts = ["exclude:\n  - a.py\nfiles:\n" + f"  - {letter}.py\n" * 900 for letter in "bc"]
    shop = Shop(tmp_path / "shop", texts[0])
    done = threading.Event()

    def write() -> None:
        for turn in range(150):
            shop.write(texts[turn % 2])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = 0
    while not done.is_set() or not seen:
        assert shop.memory.exclusions().hides("a.py")
        seen += 1
    writer.join()


def test_a_file_that_stays_empty_pins_and_excludes_nothing(tmp_path: Path) -> None:
    shop = Shop(tmp_path / "shop", "files: [a.py]\nexclude: [src]\n")
    assert names(shop.memory.view()) == ["a.py"]
    shop.write("")
    view = shop.memory.view()
    assert (view.files, view.excluded, view.warnings) == ((), (), ())
