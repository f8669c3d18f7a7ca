"""``contextls compress`` and ``contextls tokens``: texts made to fit a budget, and counted; prompts of some paths only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run

LOG = "".join(f"10:00:{n % 60:02d} unit {n} compiled\n" for n in range(200)) + "error: unit 7 is missing\n"
CODE = "".join(
    f"def step_{n}(order):\n    total = order.total * {n}\n    return total\n\n\n" for n in range(20)
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "build.log").write_text(LOG)
    (tmp_path / "steps.py").write_text(CODE)
    return tmp_path


def test_code_becomes_its_skeleton_and_the_figures_go_to_standard_error(inline: Run, files: Path) -> None:
    done = inline("compress", str(files / "steps.py"), "--max-tokens", "300")
    assert done.returncode == 0
    assert "def step_19(order):" in done.stdout
    assert "order.total" not in done.stdout
    assert "of 300 tokens (o200k_base), skeleton" in done.stderr


def test_a_log_on_standard_input_keeps_its_error(contextls: Run) -> None:
    done = contextls("compress", "--max-tokens", "40", "--json", stdin=LOG)
    answer = json.loads(done.stdout)
    assert "error: unit 7 is missing" in answer["text"]
    assert answer["method"] == "fold"
    assert answer["tokenCount"] <= 40


def test_a_traceback_within_a_log_keeps_what_was_raised_and_where(contextls: Run) -> None:
    trace = 'Traceback (most recent call last):\n  File "unit.py", line 7, in build\n    1 / 0\nZeroDivisionError: x\n'
    done = contextls("compress", "--max-tokens", "50", stdin=LOG[: LOG.index("error:")] + trace + LOG)
    assert done.stdout.startswith("… (200 lines omitted)\n")
    assert '  File "unit.py", line 7, in build\n    1 / 0\nZeroDivisionError: x\n' in done.stdout


def test_of_a_log_that_is_too_long_to_read_both_ends_count(contextls: Run, tmp_path: Path) -> None:
    with (tmp_path / "long.log").open("w") as log:
        log.writelines(f"10:00:00 INFO worker {n} handled a request\n" for n in range(400_000))
        log.write("error: worker 7 is gone\n")
    done = contextls("compress", "long.log", "--max-tokens", "100", cwd=tmp_path, check=0)
    assert "error: worker 7 is gone" in done.stdout
    assert "only the first and the last 4,000,000 are looked at" in done.stderr


@pytest.mark.parametrize("command", ["compress", "tokens"])
def test_a_device_without_end_is_no_text(contextls: Run, command: str) -> None:
    done = contextls(command, "/dev/zero", check=2)
    assert done.stderr.startswith("contextls: FILE: expected a")


def test_a_picture_is_not_shortened(contextls: Run, tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 40)
    done = contextls("compress", "logo.png", cwd=tmp_path, check=2)
    assert done.stderr == "contextls: FILE: expected a text; this is binary, got 'logo.png'\n"


def test_a_text_from_windows_is_read_as_it_is_written(inline: Run, tmp_path: Path) -> None:
    (tmp_path / "out.log").write_bytes(LOG.encode("utf-16"))
    done = inline("compress", str(tmp_path / "out.log"), "--max-tokens", "40")
    assert "error: unit 7 is missing" in done.stdout
    (tmp_path / "plain.log").write_text(LOG)
    counts = [inline("tokens", str(tmp_path / name)).stdout for name in ("out.log", "plain.log")]
    assert counts[0] == counts[1]


def test_tokens_are_counted_for_each_file_and_together(inline: Run, files: Path) -> None:
    done = inline("tokens", str(files / "steps.py"), str(files / "build.log"))
    numbers = [int(line.split("\t")[0]) for line in done.stdout.splitlines()]
    assert len(numbers) == 3
    assert numbers[0] + numbers[1] == numbers[2]
    estimated = inline("tokens", str(files / "steps.py"), "--tokenizer", "claude-sonnet-4")
    assert estimated.stdout.startswith("~")


def test_tokens_are_listed_by_names_in_one_line_each(contextls: Run, tmp_path: Path) -> None:
    for name in ("a\nb\x1b[31m.py", "other.py"):
        (tmp_path / name).write_text("x = 1\n")
    listed = contextls("tokens", "a\nb\x1b[31m.py", "other.py", cwd=tmp_path, check=0).stdout.splitlines()
    assert [line.partition("\t")[2] for line in listed] == ["a␊b␛[31m.py", "other.py", "total"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("compress", "nowhere.txt"), "a file that can be read"),
        (("compress", "steps.py", "--max-tokens", "0"), "--max-tokens"),
        (("tokens", "steps.py", "--tokenizer", "p50k_base"), "--tokenizer"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    inline: Run, files: Path, arguments: tuple[str, ...], said: str
) -> None:
    given = [str(files / each) if each.endswith((".py", ".txt")) else each for each in arguments]
    done = inline(*given)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_prompt_of_some_paths_only(inline: Run, workspace: Path) -> None:
    done = inline("assemble", "how is mail delivered or a route matched?", str(workspace), "--path", "web/")
    assert "web/router.ts" in done.stdout
    assert "app/mail.py" not in done.stdout
