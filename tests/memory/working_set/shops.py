"""A folder with files and a working set in it."""

from __future__ import annotations

from pathlib import Path

from contextls.memory.index.segments.outlines import Outline
from contextls.memory.working_set.memory import WorkingSet
from contextls.memory.working_set.person_changes import PersonChanges
from contextls.model import WorkingSetView

from ..workspaces import write

PATHS = ("a.py", "docs/guide.md", "docs", "src/deep/ünï çode.py", "src/no", "null", "1.0", "- odd #name.py")
FILES = [path for path in PATHS if path != "docs"]
WRITTEN = """# What we work on this week.
protocol: CONTEXT-ASSEMBLY/0.1
budget:
  max_tokens: 28000   # of the model
  effective: 24000

files:
  # the guide first
  - path: "docs/guide.md"
    priority: 1.0 # always
    role: "system"
    truncate_strategy: "never"
    owner: ann

  # then the code
  - path: a.py
    max_lines: 500
    why: |
      because
      of this

exclude:
    - src/no   # nobody wants it
metadata:
  last_updated: "2025-12-30T12:30:00Z"
  assembled_by: model
  team: core
# the end
"""


class Shop:
    """A folder with files and a working set in it."""

    def __init__(self, root: Path, text: str | None = None) -> None:
        self.root = root
        write(root, {path: f"text of {path}\n" for path in FILES})
        self.state = root.parent / "state"
        self.state.mkdir(exist_ok=True)
        self.file = root / ".context" / "working-set.yml"
        if text is not None:
            self.write(text)
        self.memory = self.open()

    def open(self) -> WorkingSet:
        return WorkingSet(self.root.resolve(), self.state, lambda *_: None, dict, 1_000_000)

    @property
    def person(self) -> PersonChanges:
        return PersonChanges(self.memory)

    def write(self, text: str | bytes) -> None:
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def pin(self, path: str, **fields: object) -> WorkingSetView:
        return self.person.pin(self.memory.target(path), **fields)  # type: ignore[arg-type]


def names(view: WorkingSetView) -> list[str]:
    return [each.path for each in view.files]


FOUND = ("a.py", "docs/guide.md", "src/app.py", "src/deep/cart.py", "src/deep/cart.md", "app/[id]/page.tsx")


def outlines(*paths: str) -> dict[str, Outline]:
    return {path: Outline(path, "python", (), (), ()) for path in paths or FOUND}


def make(folder: Path, **files: str) -> Shop:
    """A shop whose files are indexed, with these files in ``.context``: ``team__yml`` is ``team.yml``."""
    shop = Shop(folder)
    for name, text in files.items():
        file = shop.root / ".context" / f"{name.replace('_', '-')}.yml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shop.memory = WorkingSet(shop.root.resolve(), shop.state, lambda *_: None, outlines, 1_000_000)
    return shop
