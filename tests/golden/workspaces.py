"""Small repositories with a git history at fixed times, and engines on them in which fixed things happened.

Every time is in the past: the event log trusts no event that comes from the future.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from types import TracebackType

from contextls.engine import Engine
from contextls.settings import Settings

from ..repositories import START, git

FIXTURES = Path(__file__).parent / "fixtures"
DAY = 86_400  # seconds
NOW = (START + 40 * DAY) * 1000  # ms; every question is asked at this moment
ONE_WORKER = Settings(workers=1)

Scene = Callable[[Engine], None]


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit in which these files grew; the last one that names a file gives it its final text."""

    subject: str
    author: str
    paths: tuple[str, ...]


HISTORY = {
    "library": (
        Commit("Lend books and compute fines", "Ann", ("library/loans.py", "library/fines.py", "tests/test_fines.py")),
        Commit("Keep loans in SQLite", "Bea", ("library/store.py", "tests/test_loans.py")),
        Commit("Let children pay half", "Ann", ("library/fines.py", "tests/test_fines.py", "docs/lending.md")),
        Commit("Serve the desk over HTTP", "Bea", ("library/app.py", "library/store.py")),
        Commit("Block lending above ten euros", "Ann", ("library/fines.py", "tests/test_fines.py", "library/loans.py")),
        Commit("Never fine more than the price", "Ann", ("library/fines.py", "tests/test_fines.py")),
        Commit("Remind members by mail", "Cid", ("library/reminders.py", "library/config.py", "docs/configuration.md")),
        Commit("Renew loans twice at most", "Bea", ("library/loans.py", "tests/test_loans.py", "docs/lending.md")),
    ),
    "parcels": (
        Commit("Find parcels by their prefix", "Bea", ("src/tracker.ts", "src/carriers.ts", "test/tracker.test.ts")),
        Commit("Check tracking numbers", "Bea", ("src/numbers.ts", "test/numbers.test.ts")),
        Commit("Ask silent carriers again", "Cid", ("src/retry.ts", "src/tracker.ts", "README.md")),
        Commit("Tell listeners about moves", "Cid", ("src/tracker.ts", "test/tracker.test.ts")),
    ),
    "tides": (
        Commit("Read gauges", "Ann", ("gauge/gauge.go", "watch/watch.go")),
        Commit("Keep a day of readings", "Cid", ("history/ring.go", "history/ring_test.go")),
        Commit("Warn of floods", "Ann", ("alarm/alarm.go", "alarm/alarm_test.go", "watch/watch.go")),
        Commit("Warn of a fast rise", "Ann", ("alarm/alarm.go", "alarm/alarm_test.go")),
    ),
    "garden": (
        Commit("Water three beds", "Cid", ("config/beds.yaml", "config/station.toml", "docs/watering.md")),
        Commit("Check the configuration", "Cid", ("scripts/check_config.py", ".github/workflows/check.yml")),
        Commit("Plant berries", "Ann", ("config/beds.yaml", "config/station.toml")),
        Commit("Move the north sensor", "Ann", ("config/station.toml", "config/beds.yaml", "docs/troubleshooting.md")),
    ),
}  # fmt: skip


def build(name: str, root: Path) -> Path:
    """The fixture of this name as a git repository at ``root``, every file committed."""
    source = FIXTURES / name
    paths = [path.relative_to(source).as_posix() for path in sorted(source.rglob("*")) if path.is_file()]
    mentioned = [path for commit in HISTORY[name] for path in commit.paths]
    first = Commit("Start", "Ann", tuple(path for path in paths if path not in mentioned))
    left = {path: mentioned.count(path) for path in mentioned}
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for number, commit in enumerate((first, *HISTORY[name])):
        for path in commit.paths:
            final = (source / path).read_text(encoding="utf-8").splitlines(keepends=True)
            times = mentioned.count(path) or 1
            left[path] = left.get(path, 1) - 1
            grown = final[: ceil(len(final) * (times - left[path]) / times)]
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text("".join(grown), encoding="utf-8", newline="")
        git(root, "add", "-A")
        git(root, "commit", "-qm", commit.subject, author=commit.author, date=START + number * DAY)
    return root


class Desk:
    """Opens what a case is asked of; the cases of one scene share its engine, since asking changes nothing."""

    def __init__(self, folder: Path) -> None:
        """Workspaces are made in ``folder``."""
        self._folder = folder
        self._key: Hashable = None
        self._engine: Engine | None = None
        self._number = 0

    def engine(self, workspace: str, scene: Scene, settings: Settings, key: Hashable) -> Engine:
        """An engine on a fresh ``workspace`` after ``scene``; the one of before while ``key`` is the same."""
        if self._engine is None or key != self._key:
            self.close()
            self._number += 1
            root = self._folder / str(self._number) / workspace
            shutil.copytree(self._template(workspace), root)
            self._engine, self._key = Engine.open(root, settings), key
            self._engine.index()
            self._engine.read_history()
            scene(self._engine)
        return self._engine

    def _template(self, workspace: str) -> Path:
        """The workspace as it is before anything happens, made once."""
        root = self._folder / "templates" / workspace
        return root if root.exists() else build(workspace, root)

    def close(self) -> None:
        """Let go of the engine and delete its workspace."""
        if self._engine is not None:
            self._engine.close()
            shutil.rmtree(self._engine.root.parent)
            self._engine = None

    def __enter__(self) -> Desk:
        """Nothing is opened yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close what is open."""
        self.close()
