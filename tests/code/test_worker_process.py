"""Worker processes of every supported Python start apart from the current folder, its variables and the main module."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from contextls.isolation import find_program

SERVER = Path(__file__).parents[2] / "server"
INTERPRETERS = [
    sys.executable,
    *filter(
        None, (find_program(f"python3.{minor}", Path.home() / ".pyenv/shims") for minor in (11, 12, 13, 14))
    ),
    *map(str, Path.home().glob(".pyenv/versions/3.1[1-9]*/bin/python")),
]

PARENT = f"""
import multiprocessing, os, sys
sys.path.append({str(SERVER)!r})
os.environ["PYTHONPATH"] = "."  # too late for this process, in time for what it starts
if {{method!r}} == "spawn":
    multiprocessing.get_all_start_methods = lambda: ["spawn"]
from contextls.code.worker_process import METHOD, worker_context
assert METHOD == {{method!r}}, METHOD

def main():
    context = worker_context(["contextls.code.worker_process"])
    lock, (reader, writer) = context.RLock(), context.Pipe(duplex=False)
    worker = context.Process(target=exec, args=({{work!r}}, {{{{"connection": writer, "lock": lock}}}}))
    worker.start()
    writer.close()
    for value in reader.recv():
        print(value)
    worker.join()

if __name__ == "__main__":
    print("main")
    main()
else:
    print("main was imported again")
"""
WORK = """
import os, sys, token
with lock:
    connection.send([os.getcwd(), sys.path[0], token.__file__, os.path.basename(sys.argv[0])])
"""


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
@pytest.mark.parametrize("python", dict.fromkeys(INTERPRETERS))
def test_a_worker_takes_nothing_from_the_current_folder(python: str, method: str, tmp_path: Path) -> None:
    known = subprocess.run(
        [python, "-I", "-c", "import token; print(token.__file__)"], capture_output=True, text=True
    )
    trap = "a trap was sprung"
    for name in ("token", "random", "pickle", "socket", "multiprocessing", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit({trap!r})", "utf-8")
    script = tmp_path.with_name(f"{tmp_path.name}-parent.py")
    script.write_text(PARENT.format(method=method, work=WORK), "utf-8")
    done = subprocess.run(
        [python, str(script)],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, trap in done.stderr) == (0, False), done.stderr
    first, folder, path, module, _ = done.stdout.splitlines()
    assert (first, folder, module) == ("main", os.sep, known.stdout.strip())
    assert Path(path) != tmp_path
