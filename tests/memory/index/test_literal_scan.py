"""A question's words are found in files that no index knows yet."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from contextls.memory.index.updating.literal_scan import MAX_WORDS, scan_for, words_to_look_for
from contextls.text.literals import Literals
from contextls.workspace.ignore import IgnoreRules
from contextls.workspace.scan import scan

from ..workspaces import SHOP, write

WORDS = st.lists(st.text("abcdeXYZ", min_size=5, max_size=8), min_size=1, max_size=5, unique_by=str.lower)


def look(root: Path, text: str, seconds: float = 60) -> list[str]:
    files = scan(root, IgnoreRules(root), 1_000_000).files
    return scan_for(text, files, root, 1_000_000, seconds)


def test_the_file_that_holds_the_rare_words_comes_first(tmp_path: Path) -> None:
    common = {f"shop/more_{number}.py": "def price(order):\n    return order.price\n" for number in range(30)}
    write(tmp_path, {**SHOP, **common})
    assert look(tmp_path, "where is the seasonal discount taken off the price?")[0] == "shop/prices.py"


def test_endings_and_case_do_not_count_and_paths_are_abbreviated(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "kernel/sched/fair.c": "struct task *PickNext(void);\n",
            "kernel/fork.c": "int fork(void);\n",
            "lib/next.c": "int next_task;\n",
        },
    )
    assert look(tmp_path, "how does the scheduler pick the next task?")[0] == "kernel/sched/fair.c"


def test_short_words_are_found_as_words_and_as_parts_of_names(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "glossary = 1\n", "b.py": "onLoss = 1\n", "c.py": "packet_loss = 1\n"})
    assert sorted(look(tmp_path, "loss")) == ["b.py", "c.py"]


def test_words_of_any_script_are_found(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "# 東京 weather\n", "b.py": "# Größe der Straße\n", "c.py": "x = 1\n"})
    assert look(tmp_path, "東京") == ["a.py"]
    assert look(tmp_path, "Straße") == ["b.py"]


def test_binary_files_hold_no_words_and_what_is_gone_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"a.bin2": b"zebra\0", "b.py": "zebra = 1\n", "c.py": "zebra = 1\n"})
    files = scan(tmp_path, IgnoreRules(tmp_path), 1_000_000).files
    (tmp_path / "b.py").unlink()
    assert scan_for("zebra", files, tmp_path, 1_000_000, 60) == ["c.py"]


def test_a_notebook_is_looked_into_however_large_its_pictures_are(tmp_path: Path) -> None:
    for name in ("a.ipynb", "b.json"):
        (tmp_path / name).write_text(f'{{"picture": "{"x" * 1_100_000}", "source": "zebra"}}')
    assert look(tmp_path, "zebra") == ["a.ipynb"]


def test_a_link_that_took_a_files_place_is_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    root = write(tmp_path / "root", {"a.py": "zebra = 1\n", "b.py": "zebra = 2\n"})
    write(tmp_path, {"outside.py": "zebra = 3\n"})
    files = scan(root, IgnoreRules(root), 1_000_000).files
    (root / "a.py").unlink()
    (root / "a.py").symlink_to(tmp_path / "outside.py")
    assert scan_for("zebra", files, root, 1_000_000, 60) == ["b.py"]


def test_of_a_long_text_names_and_long_words_are_looked_for() -> None:
    words = words_to_look_for("parseHeader fails " + " ".join(f"w{number:03}ord" for number in range(99)))
    assert len(words) == MAX_WORDS
    assert {"pars", "header"} <= set(words)
    assert words_to_look_for("how is it?") == ()


@given(WORDS, st.text("abcdeXYZ _\n\0é", max_size=200))
def test_words_are_counted_wherever_they_stand(words: list[str], text: str) -> None:
    found = Literals(words).count(text.encode())
    low = text.lower()
    assert (found is not None) == any(word.lower() in low for word in words)
    if found is not None and len(words) == 1:
        assert found.counts == (low.count(words[0].lower()),)


@given(st.text(max_size=300))
def test_any_question_can_be_looked_for(text: str) -> None:
    words = words_to_look_for(text)
    assert len(words) <= MAX_WORDS
    if words:
        Literals(words).count(text.encode("utf-8", "surrogatepass"))
