"""Set up Windows' Python with contextls in it, on a machine that runs Linux.

usage: python tools/windows/set_up.py FOLDER

Wine runs it, under the rules of Windows: drives, backslashes, no sockets of Unix, no file replaced that is open. The
interpreter comes out of the wheel of panda3d for Windows, which carries one for the programs that it packs; the standard
library is that of the Python that runs this.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parents[1]
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
INTERPRETER = f"python{VERSION.replace('.', '')}.dll"
COMPILER, LISTER = "x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-objdump"
# Of later versions Wine 8 lacks functions.
PACKAGES = ("numpy<2.1", "pytest")
_EXPORT = re.compile(r"^\s*\[ *\d+\](?: \+base\[ *\d+\] +[0-9a-f]+)? (\w+)$", re.MULTILINE)


def set_up(folder: Path) -> None:
    """Make ``folder`` hold ``python`` (the interpreter and its packages) and ``wine`` (the disk of Windows)."""
    for program in ("wine", COMPILER, LISTER):
        if shutil.which(program) is None:
            sys.exit(f"{program} is missing; apt-get install wine wine64 gcc-mingw-w64-x86-64")
    python = folder / "python"
    if not (python / "python.exe").exists():
        _unpack_interpreter(folder, python)
        _compile(python)
    _start(["wine", "wineboot", "--init"], folder)
    _start(["wine", "winecfg", "-v", "win10"], folder)
    _install(python)


def environment(folder: Path) -> dict[str, str]:
    """The variables with which Wine starts a program of ``folder``."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    modules = {"PYTHONPYCACHEPREFIX": r"C:\compiled", "WINEPATH": f"Z:{folder / 'python'}".replace("/", "\\")}
    return {**kept, **modules, "WINEPREFIX": str(folder / "wine"), "WINEARCH": "win64", "WINEDEBUG": "-all"}


def _unpack_interpreter(folder: Path, python: Path) -> None:
    downloads = folder / "downloads"
    wanted = ["--platform", "win_amd64", "--python-version", VERSION, "--only-binary=:all:", "--no-deps"]
    _run([sys.executable, "-m", "pip", "download", "--quiet", *wanted, "--dest", downloads, "panda3d"])
    (python / "DLLs").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(next(downloads.glob("panda3d-*.whl"))) as wheel:
        for name in wheel.namelist():
            place, _, file = name.rpartition("/")
            if place == "deploy_libs" and file.endswith((".dll", ".pyd")) and not file.startswith("api-ms"):
                is_start = file.lower() in (INTERPRETER, "vcruntime140.dll")
                (python / ("" if is_start else "DLLs") / file).write_bytes(wheel.read(name))
    left_out = shutil.ignore_patterns("site-packages", "lib-dynload", "test", "__pycache__", "*.so")
    shutil.copytree(sysconfig.get_path("stdlib"), python / "Lib", ignore=left_out, dirs_exist_ok=True)


def _compile(python: Path) -> None:
    listed = _run([LISTER, "-p", python / INTERPRETER], capture=True)
    names = _EXPORT.findall(listed[listed.index("[Ordinal/Name Pointer] Table") :])
    # What is built for all versions of Python asks a DLL without a number, which passes everything on.
    forwards = "\n".join(f"  {name} = {Path(INTERPRETER).stem}.{name}" for name in names)
    listing = python / "python3.def"
    listing.write_text(f"LIBRARY python3\nEXPORTS\n{forwards}\n")
    _build(python / "python3.dll", listing, "-shared", "-nostdlib", "-Wl,--entry=0")
    _build(python / "bcryptprimitives.dll", HERE / "bcryptprimitives.c", "-shared", "-ladvapi32")
    _build(python / "python.exe", HERE / "python.c", "-municode", f'-DPYTHON_DLL=L"{INTERPRETER}"')


def _build(target: Path, source: Path, *options: str) -> None:
    _run([COMPILER, "-o", target, source, *options])


def _install(python: Path) -> None:
    uv, wheels = Path(sys.executable).with_name("uv"), python.with_name("wheel")
    _run([uv, "build", "--quiet", "--wheel", "--out-dir", wheels, PROJECT])
    options = ["--quiet", "--only-binary=:all:", "--reinstall-package=contextls"]
    options += ["--python-platform=x86_64-pc-windows-msvc", f"--python-version={VERSION}"]
    options += [f"--target={python / 'Lib' / 'site-packages'}"]
    _run([uv, "pip", "install", *options, *PACKAGES, *wheels.glob("contextls-*.whl")])


def _start(command: Sequence[str], folder: Path) -> None:
    subprocess.run(
        command, env=environment(folder), stdin=subprocess.DEVNULL, capture_output=True, check=False
    )


def _run(command: Sequence[str | Path], *, capture: bool = False) -> str:
    done = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE if capture else None)
    return done.stdout or ""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    set_up(Path(sys.argv[1]).resolve())
