"""The published packages that the embedder learns from: pin them, download them, read their files.

``training-packages.toml`` beside this file lists them by registry with the exact version and the licence that their
own metadata states; ``package_rules`` says what is refused.

    python tools/packages.py pin      resolve entries without a version, drop what must be refused, rewrite the list
    python tools/packages.py fetch    download exactly what is pinned

Nothing of a package is ever executed: archives are read in place.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from package_rules import RefusedError, check_name, check_upstream, stated_licence

TOOLS = Path(__file__).resolve().parent
WORK = TOOLS.parent / ".training"
LIST = TOOLS / "training-packages.toml"
REGISTRIES = ("pypi", "npm", "debian", "debian-source")

SUFFIXES = frozenset({
    ".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".go", ".rs", ".java", ".rb", ".php", ".c", ".h", ".cc",
    ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".cs", ".hs", ".lua", ".kt", ".scala", ".ex", ".exs", ".md", ".rst",
    ".markdown",
})  # fmt: skip
METADATA = re.compile(
    r"(?i)(^|/)(METADATA|package\.json|Cargo\.toml|copyright|LICEN[CS]E[^/]*|COPYING[^/]*)$"
)
# Copies of other projects that packages carry along: their licences and names were not checked.
VENDORED = frozenset({
    "node_modules", "vendor", "vendored", "third_party", "third-party", "thirdparty", "3rdparty", "_vendor", "_vendored",
    "deps", "dependencies", "extern", "external", "externals", "bundled", "site-packages",
})  # fmt: skip
# Larger source files are generated or data.
MAX_FILE_BYTES = 400_000


@dataclass(frozen=True)
class Package:
    """One pinned package. ``held_out`` keeps it for evaluation."""

    registry: str
    name: str
    version: str = ""
    licence: str = ""
    held_out: bool = False

    @property
    def folder(self) -> Path:
        """Where its archives lie."""
        return WORK / "archives" / self.registry / re.sub(r"[^\w.+-]", "_", self.name)

    @property
    def present(self) -> bool:
        """Whether it was downloaded."""
        return (self.folder / "VERSION").is_file()


def read_list() -> list[Package]:
    """The pinned packages, in the order of the list."""
    data = tomllib.loads(LIST.read_text())
    return [
        Package(
            registry, name, entry.get("version", ""), entry.get("licence", ""), entry.get("held-out", False)
        )
        for registry in REGISTRIES
        for name, entry in data.get(registry, {}).items()
    ]


def check(package: Package) -> str:
    """The licence of a downloaded package; raises ``RefusedError`` when it must not be used."""
    check_name(package.name)
    metadata = {path: data.decode("utf-8", "replace") for path, data in members(package, metadata_only=True)}
    for path, text in metadata.items():
        if path.endswith(("METADATA", "package/package.json", "copyright", "Cargo.toml")):
            check_upstream(package.name, text[:20_000])
    return stated_licence(package.registry, package.name, metadata)


def members(package: Package, *, metadata_only: bool = False) -> Iterator[tuple[str, bytes]]:
    """(path inside the archive, bytes) of the source files of a package, vendored copies left out."""
    archives = sorted(package.folder.iterdir())
    packaged = any(path.name.endswith((".diff.gz", ".debian.tar.xz", ".debian.tar.gz")) for path in archives)
    for archive in archives:
        name = archive.name
        if name.endswith(".whl"):
            with zipfile.ZipFile(archive) as wheel:
                for info in wheel.infolist():
                    if _wanted(info.filename, info.file_size, metadata_only=metadata_only):
                        yield info.filename, wheel.read(info)
        elif name.endswith(".deb"):
            with (
                subprocess.Popen(
                    ["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE
                ) as process,
                tarfile.open(fileobj=process.stdout, mode="r|") as tar,
            ):
                yield from _tar_members(tar, metadata_only=metadata_only)
        elif re.search(r"\.(tgz|tar\.\w+)$", name) and not (metadata_only and packaged and "orig" in name):
            with tarfile.open(archive, mode="r|*") as tar:
                yield from _tar_members(tar, metadata_only=metadata_only)


def _tar_members(tar: tarfile.TarFile, *, metadata_only: bool) -> Iterator[tuple[str, bytes]]:
    for info in tar:
        if info.isfile() and _wanted(info.name, info.size, metadata_only=metadata_only):
            stream = tar.extractfile(info)
            if stream is not None:
                yield info.name.removeprefix("./"), stream.read()


def _wanted(path: str, size: int, *, metadata_only: bool) -> bool:
    if metadata_only:
        return bool(METADATA.search(path)) and size < 2_000_000 and "node_modules" not in path
    folders = {part.lower() for part in PurePosixPath(path).parts}
    return (
        PurePosixPath(path).suffix.lower() in SUFFIXES
        and 0 < size < MAX_FILE_BYTES
        and not folders & VENDORED
    )


def _write_list(packages: list[Package]) -> None:
    lines = [LIST.read_text().split("\n[", 1)[0].rstrip()]
    for registry in REGISTRIES:
        lines.append(f"\n[{registry}]")
        for package in sorted((p for p in packages if p.registry == registry), key=lambda p: p.name):
            fields = [f'version = "{package.version}"', f'licence = "{package.licence}"']
            fields += ["held-out = true"] if package.held_out else []
            lines.append(f'"{package.name}" = {{ {", ".join(fields)} }}')
    LIST.write_text("\n".join(lines) + "\n")


def _run(command: list[str], cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        raise RefusedError(f"{' '.join(command[:3])}: {(done.stderr or done.stdout).strip()[-200:]}")
    return done.stdout


def _apt_options() -> list[str]:
    """Options that give apt source indexes of its own, made from the system's binary sources, in the work folder."""
    base = WORK / "apt"
    parts = base / "sources"
    if not parts.is_dir():
        for folder in (parts, base / "lists" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        for path in Path("/etc/apt/sources.list.d").glob("debian*.sources"):
            (parts / path.name).write_text(path.read_text().replace("Types: deb\n", "Types: deb-src\n"))
    options = ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={parts}"]
    options += ["-o", f"Dir::State::lists={base / 'lists'}", "-o", "APT::Sandbox::User=root"]
    if not list((base / "lists").glob("*Sources*")):
        _run(["apt-get", *options, "update"], base)
    return options


def _download(package: Package) -> Package:
    """Download into ``package.folder`` unless it is there; the result carries the version."""
    folder = package.folder
    mark = folder / "VERSION"
    if package.present and package.version in ("", mark.read_text()):
        return replace(package, version=mark.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    fetchers = {
        "pypi": _from_pypi,
        "npm": _from_npm,
        "debian": _from_debian,
        "debian-source": _from_debian_source,
    }
    version = fetchers[package.registry](package, folder)
    mark.write_text(version)
    return replace(package, version=version)


def _from_pypi(package: Package, folder: Path) -> str:
    spec = package.name + (f"=={package.version}" if package.version else "")
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", "."]
    _run([*pip, spec], folder)
    return next(folder.glob("*.whl")).name.split("-")[1]


def _from_npm(package: Package, folder: Path) -> str:
    spec = package.name + (f"@{package.version}" if package.version else "")
    return str(json.loads(_run(["npm", "pack", spec, "--json", "--ignore-scripts"], folder))[0]["version"])


def _from_debian(package: Package, folder: Path) -> str:
    _run(
        ["apt-get", "download", "-q", package.name + (f"={package.version}" if package.version else "")],
        folder,
    )
    return _run(["dpkg-deb", "-f", str(next(folder.glob("*.deb"))), "Version"], folder).strip()


def _from_debian_source(package: Package, folder: Path) -> str:
    spec = package.name + (f"={package.version}" if package.version else "")
    try:
        _run(["apt-get", *_apt_options(), "source", "-q", "--download-only", spec], folder)
    except RefusedError:
        # Debian's own changes to the upstream source may be gone from a mirror; the upstream archive is enough.
        if not list(folder.glob("*.orig.tar.*")) or not list(folder.glob("*.dsc")):
            raise
    found = re.search(r"(?m)^Version: (.*)$", next(folder.glob("*.dsc")).read_text())
    return found.group(1) if found else ""


def main() -> int:
    """Run what the command line asks for."""
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command not in {"pin", "fetch"}:
        print(__doc__)
        return 2
    kept, refused = [], 0
    for package in read_list():
        try:
            check_name(package.name)
            have = _download(package)
            licence = check(have)
            if package.licence and licence != package.licence:
                raise RefusedError(f"{package.name}: licence is {licence}, the list says {package.licence}")
            kept.append(replace(have, licence=licence))
        except (RefusedError, StopIteration, OSError, subprocess.TimeoutExpired) as error:
            refused += 1
            print(f"refused: {package.registry} {package.name}: {error}", file=sys.stderr)
    if command == "pin":
        _write_list(kept)
    print(f"{len(kept)} packages, {refused} refused")
    return 0 if command == "pin" or not refused else 1


if __name__ == "__main__":
    sys.exit(main())
