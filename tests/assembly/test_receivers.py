"""Of calls of members that are called the same, those on values of the type that is asked for are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from contextls.model import AssembleRequest, Section

from ..memory.workspaces import opened, write

PYTHON = {
    "shop/folder.py": "class Folder:\n    def list_items(self):\n        return []\n",
    "shop/view.py": "class SideView:\n    def list_items(self):\n        return 'none'\n\n"
    "    def draw(self):\n        self.list_items()\n",
    "shop/page.py": "def show(side_view):\n    return side_view.list_items()\n",
    "shop/mail.py": "def send(letter):\n    return letter.sent_folder.list_items()\n",
    "shop/box.py": "def pack(it: Folder, width):\n    return it.list_items()[:width]\n",
    "shop/shelf.py": "class Shelf:\n    def __init__(self):\n        self.inner = Folder()\n\n"
    "    def list_items(self):\n        return self.inner.list_items()\n",
    "shop/window.py": "class Window:\n    @property\n    def side(self):\n        return SideView()\n\n"
    "    def redraw(self):\n        self.side.list_items()\n",
    "shop/note.py": "def note(side_view):\n    # list_items may be slow\n    return side_view.list_items()\n",
    "shop/drawer.py": "class Drawer(Folder):\n    width = 7\n",
    "shop/pull.py": "def pull(side_view: Drawer):\n    return side_view.list_items()\n",
    "shop/any.py": "def count(thing):\n    return len(thing.list_items())\n",
}
GO = {
    "server/topic.go": "package server\n\ntype topic struct{ id int }\n\n"
    "func (t *topic) Subscribe(n int) int {\n\treturn t.id + n\n}\n",
    "client/client.go": "package client\n\ntype Client struct{ url string }\n\n"
    "func (c *Client) Subscribe(name string) string {\n\treturn c.url + name\n}\n",
    "server/serve.go": "package server\n\nfunc serve(v *topic) int {\n\treturn v.Subscribe(1)\n}\n",
    "cmd/run.go": 'package cmd\n\nfunc run(it *client.Client) string {\n\treturn it.Subscribe("a")\n}\n',
    "cmd/again.go": 'package cmd\n\nfunc again() string {\n\tcl := connect()\n\treturn cl.Subscribe("b")\n}\n',
}
TYPESCRIPT = {
    "src/store.ts": "export interface Store {\n  loadAll(): string[];\n}\n",
    "src/disk.ts": "import { Store } from './store';\n\n"
    "export class DiskStore implements Store {\n  loadAll() {\n    return ['disk'];\n  }\n}\n",
    "src/cache.ts": "export class Cache {\n  loadAll() {\n    return ['cache'];\n  }\n}\n",
    "src/start.ts": "import { Store } from './store';\n\n"
    "export function start(from: Store) {\n  return from.loadAll();\n}\n",
    "src/warm.ts": "import { Cache } from './cache';\n\n"
    "export function warm(cache: Cache) {\n  return cache.loadAll();\n}\n",
}


GO_INTERFACE = {
    "store/reader.go": "package store\n\ntype Reader interface {\n\tFetch(key string) string\n}\n",
    "store/disk.go": "package store\n\ntype Disk struct{ at string }\n\n"
    "func (d *Disk) Fetch(key string) string {\n\treturn d.at + key\n}\n",
    "cmd/start.go": 'package cmd\n\nfunc start(disk *store.Disk) string {\n\treturn disk.Fetch("a")\n}\n',
}


@pytest.mark.parametrize(
    ("files", "question", "shown", "kept_out"),
    [
        (PYTHON, "who calls Folder.list_items?", "folder mail box shelf pull any", "page window note"),
        (PYTHON, "who calls SideView.list_items?", "view page window note", "mail box pull"),
        (PYTHON, "what breaks if I remove `list_items` from SideView?", "view page window", "mail box"),
        (GO, "who calls topic.Subscribe?", "topic serve", "client run again"),
        (GO, "what breaks if Client.Subscribe panics?", "client run again", "topic serve"),
        (GO, "what breaks if I remove `Subscribe` from `Client`?", "client run again", "topic serve"),
        (TYPESCRIPT, "who calls DiskStore.loadAll?", "disk start", "warm cache"),
        (GO_INTERFACE, "who calls Reader.Fetch?", "disk start", ""),
        (TYPESCRIPT, "who calls Store.loadAll?", "store start", ""),
        (TYPESCRIPT, "who calls Cache.loadAll?", "cache warm", "disk"),
    ],
)
def test_a_call_on_a_value_of_another_type_is_no_user(
    tmp_path: Path, files: dict[str, str], question: str, shown: str, kept_out: str
) -> None:
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest(question))
    stems = {Path(one.path or "").stem for one in found.components if one.type is Section.SEMANTIC}
    assert set(shown.split()) <= stems
    assert not stems & set(kept_out.split())


def test_who_asks_for_a_member_of_any_type_gets_the_calls_of_all(tmp_path: Path) -> None:
    with opened(write(tmp_path, PYTHON)) as engine:
        found = engine.assemble(AssembleRequest("who calls list_items?"))
    stems = {Path(one.path or "").stem for one in found.components}
    assert {"folder", "view", "page", "mail", "box", "shelf", "window", "any"} <= stems


def test_of_a_member_that_nearly_every_module_has_the_calls_on_the_asked_one_are_shown(
    tmp_path: Path,
) -> None:
    names = [f"Fold{first}{second}" for first in "abcdefgh" for second in "uvwxyz"]
    files = {
        **{
            f"lib/{name.lower()}.rb": f"module {name}\n  module_function\n\n"
            f"  def call(sheet)\n    sheet.{name.lower()}\n  end\nend\n"
            for name in names
        },
        **{
            f"app/{name.lower()}_job.rb": f"class {name}Job\n  def perform(sheet)\n    {name}.call(sheet)\n  end\nend\n"
            for name in names
        },
    }
    with opened(write(tmp_path, files)) as engine:
        found = engine.assemble(AssembleRequest("who calls Foldcx.call?"))
    stems = {Path(one.path or "").stem for one in found.components if one.type is Section.SEMANTIC}
    assert stems == {"foldcx", "foldcx_job"}
