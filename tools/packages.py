"""The published packages that the embedder learns from: pin them, download them, read their files.

``training-packages.toml`` beside this file lists them by registry with the exact version and the licence that their
own metadata states. A package is refused when that licence is not permissive, or when its name or any upstream URL
in its metadata belongs to a project of ``excluded-projects.txt``.

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

TOOLS = Path(__file__).resolve().parent
WORK = TOOLS.parent / ".training"
LIST = TOOLS / "training-packages.toml"
REGISTRIES = ("pypi", "npm", "debian", "debian-source")

SUFFIXES = frozenset(
    [".py", ".pyi", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".go", ".rs", ".java", ".rb", ".php", ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".cs", ".hs", ".lua", ".kt", ".scala", ".ex", ".exs", ".swift", ".md", ".rst", ".markdown"]
)
METADATA = re.compile(
    r"(?i)(^|/)(METADATA|package\.json|Cargo\.toml|copyright|LICEN[CS]E[^/]*|COPYING[^/]*)$"
)
# Copies of other projects that packages carry along: their licences and names were not checked.
VENDORED = frozenset(
    ["node_modules", "vendor", "vendored", "third_party", "third-party", "thirdparty", "_vendor", "_vendored", "deps", "extern", "external", "externals", "bundled", "contrib-libs", "site-packages", "3rdparty"]
)
MAX_FILE = 400_000

# First match wins; the order puts what must be refused before what would also match inside it.
LICENCES = (
    (
        "refused",
        r"\b(A|L)?GPL|General Public|MPL|Mozilla Public|EPL|Eclipse Public|CDDL|CC-BY-NC|SSPL|BUSL|Elastic License|UNLICENSED",
    ),
    ("Apache-2.0", r"apache"),
    ("BSD", r"\bBSD|^Go$|redistribution and use in source and binary forms"),
    ("MIT", r"\bMIT|\bX11\b|expat|permission is hereby granted, free of charge"),
    ("ISC", r"\bISC|permission to use, copy, modify, and(/or)? distribute"),
    ("BSL-1.0", r"boost|BSL"),
    ("Zlib", r"zlib|libpng|permission is granted to anyone to use this software for any purpose"),
    ("PSF", r"PSF|python software foundation"),
    ("PostgreSQL", r"postgresql"),
    ("Unlicense", r"unlicense|public[- ]domain|CC0|0BSD"),
    ("HPND", r"HPND"),
)


@dataclass(frozen=True)
class Package:
    """One pinned package. ``language`` overrides what ``.h`` means; ``held_out`` keeps it for evaluation."""

    registry: str
    name: str
    version: str = ""
    licence: str = ""
    held_out: bool = False

    @property
    def folder(self) -> Path:
        return WORK / "archives" / self.registry / re.sub(r"[^\w.+-]", "_", self.name)


class RefusedError(Exception):
    """A package that must not be used, with the reason."""


def read_list() -> list[Package]:
    data = tomllib.loads(LIST.read_text())
    return [
        Package(
            registry, name, entry.get("version", ""), entry.get("licence", ""), entry.get("held-out", False)
        )
        for registry in REGISTRIES
        for name, entry in data.get(registry, {}).items()
    ]


def write_list(packages: list[Package]) -> None:
    head = LIST.read_text().split("\n[", 1)[0].rstrip()
    lines = [head]
    for registry in REGISTRIES:
        lines.append(f"\n[{registry}]")
        for package in sorted((p for p in packages if p.registry == registry), key=lambda p: p.name):
            fields = [f'version = "{package.version}"', f'licence = "{package.licence}"']
            fields += ["held-out = true"] if package.held_out else []
            lines.append(f'"{package.name}" = {{ {", ".join(fields)} }}')
    LIST.write_text("\n".join(lines) + "\n")


# --- what may be used ---------------------------------------------------------------------------------------------


def excluded_projects() -> list[tuple[str, str]]:
    """(owner, name) pairs, lower-cased."""
    lines = (TOOLS / "excluded-projects.txt").read_text().split("\n")
    return [
        tuple(line.strip().lower().split("/")) for line in lines if line.strip() and not line.startswith("#")
    ]  # type: ignore[misc]


def check_name(name: str) -> None:
    """Refuse a package whose name is that of an excluded project, in any registry's spelling."""
    plain = name.lower()
    scope, _, rest = plain.rpartition("/")
    core = re.sub(
        r"^(golang-github-|golang-|librust-|ruby-|php-|haskell-|libghc-|node-|python3?-|lua-|lib)", "", rest
    )
    core = re.sub(r"(-dev|-java|-perl|\d*-src|-doc)$", "", core)
    spellings = {
        plain,
        rest,
        core,
        re.sub(r"(-?\d+(\.\d+)*|\.js|\.nvim)$", "", core),
        f"{scope.lstrip('@')}/{rest}",
        f"{scope.lstrip('@')}-{rest}",
    }
    for owner, project in excluded_projects():
        stem = project.removesuffix(".nvim").removesuffix(".js").replace(".", "-")
        forbidden = {f"{owner}-{project}", f"{owner}/{project}", project, stem}
        if stem not in {"cli", "core", "fd", "bat", "next"} and spellings & forbidden:
            raise RefusedError(f"{name} is {owner}/{project}, which is excluded from training")
        if spellings & {f"{owner}-{project}", f"{owner}/{project}"}:
            raise RefusedError(f"{name} is {owner}/{project}, which is excluded from training")


def check_upstream(name: str, metadata: str) -> None:
    """Refuse a package whose metadata names an excluded repository as its own home."""
    homes = re.findall(
        r'(?im)^(?:\s*"?(?:repository|homepage|home-page|project-url|source|upstream-contact|url)"?\s*[:=].*)$',
        metadata,
    )
    found = {
        (owner, project.removesuffix(".git"))
        for line in homes
        for owner, project in re.findall(r"github\.com[/:]([\w.-]+)/([\w.-]+)", line.lower())
    }
    for pair in excluded_projects():
        if pair in found:
            raise RefusedError(f"{name} comes from {'/'.join(pair)}, which is excluded from training")


def stated_licence(package: Package) -> str:
    """The licence that the package's own metadata states, by the short names of ``LICENCES``."""
    text = licence_text(package)
    for short, pattern in LICENCES:
        if re.search(pattern, text, re.IGNORECASE if short != "refused" else 0):
            # Dual licences that offer a permissive choice name it with "or".
            if short == "refused" and re.search(
                r"(MIT|Apache-2.0|BSD\S*|Artistic) (or|OR) |(or|OR) (MIT|Apache|BSD)", text
            ):
                continue
            if short == "refused":
                break
            return short
    raise RefusedError(f"{package.name}: no permissive licence in its metadata ({text[:80]!r})")


def licence_text(package: Package) -> str:
    files = metadata_files(package)
    if package.registry == "pypi":
        head = next((text for path, text in files.items() if path.endswith("METADATA")), "").split("\n\n")[0]
        lines = re.findall(r"(?m)^(?:License-Expression: .*|License: .*|Classifier: License :: .*)$", head)
        return "\n".join(line[:200] for line in lines)
    if package.registry == "npm":
        data = json.loads(files.get("package/package.json") or next(iter(files.values())))
        return json.dumps(data.get("license", data.get("licenses", "")))
    stated = [text for path, text in files.items() if path.endswith("copyright")]
    stated += [
        text
        for path, text in files.items()
        if re.fullmatch(r"[^/]+/(LICEN[CS]E|COPYING)[^/]*", path, re.IGNORECASE)
    ]
    text = stated[0] if stated else ""
    stanza = re.search(r"(?ms)^Files:\s*(\*|[^:]*?\s\*)\s*$.*?(?=^\s*$)", text)
    named = re.findall(r"(?m)^License: *(.*)$", stanza.group(0) if stanza else text[:8000])
    if named and named[0].strip():
        return str(named[0])
    return text[:1500]


def metadata_files(package: Package) -> dict[str, str]:
    return {path: data.decode("utf-8", "replace") for path, data in members(package, metadata_only=True)}


def check(package: Package) -> str:
    """The package's licence, or ``RefusedError``."""
    check_name(package.name)
    own = {
        path: text
        for path, text in metadata_files(package).items()
        if path.endswith(("METADATA", "package/package.json", "copyright", "Cargo.toml"))
    }
    for text in own.values():
        check_upstream(package.name, text[:20_000])
    return stated_licence(package)


# --- downloading --------------------------------------------------------------------------------------------------


def run(command: list[str], cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        raise RefusedError(f"{' '.join(command[:3])}: {(done.stderr or done.stdout).strip()[-200:]}")
    return done.stdout


def apt_options() -> list[str]:
    """Options that give apt source indexes of its own, made from the system's binary sources, under the work folder."""
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
        run(["apt-get", *options, "update"], base)
    return options


def download(package: Package) -> Package:
    """Download into ``package.folder`` unless it is there; the result carries the version."""
    folder = package.folder
    mark = folder / "VERSION"
    if mark.is_file() and package.version in ("", mark.read_text()):
        return replace(package, version=mark.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    wanted = package.version
    if package.registry == "pypi":
        spec = package.name + (f"=={wanted}" if wanted else "")
        run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "-q",
                "--no-deps",
                "--only-binary=:all:",
                "-d",
                ".",
                spec,
            ],
            folder,
        )
        version = next(folder.glob("*.whl")).name.split("-")[1]
    elif package.registry == "npm":
        spec = package.name + (f"@{wanted}" if wanted else "")
        version = json.loads(run(["npm", "pack", spec, "--json", "--ignore-scripts"], folder))[0]["version"]
    elif package.registry == "debian":
        spec = package.name + (f"={wanted}" if wanted else "")
        run(["apt-get", "download", "-q", spec], folder)
        version = run(["dpkg-deb", "-f", str(next(folder.glob("*.deb"))), "Version"], folder).strip()
    else:
        spec = package.name + (f"={wanted}" if wanted else "")
        try:
            run(["apt-get", *apt_options(), "source", "-q", "--download-only", spec], folder)
        except RefusedError:
            # Debian's own changes to the upstream source may be gone from a mirror; the upstream archive is enough.
            if not list(folder.glob("*.orig.tar.*")) or not list(folder.glob("*.dsc")):
                raise
        text = next(folder.glob("*.dsc")).read_text()
        version = re.search(r"(?m)^Version: (.*)$", text).group(1)  # type: ignore[union-attr]
    mark.write_text(version)
    return replace(package, version=version)


# --- reading ------------------------------------------------------------------------------------------------------


def members(package: Package, *, metadata_only: bool = False) -> Iterator[tuple[str, bytes]]:
    """(path inside the archive, bytes) of the source files of a package, vendored copies left out."""
    packaged = any(
        path.name.endswith((".diff.gz", ".debian.tar.xz", ".debian.tar.gz"))
        for path in package.folder.iterdir()
    )
    for archive in sorted(package.folder.iterdir()):
        name = archive.name
        if name.endswith(".whl"):
            with zipfile.ZipFile(archive) as wheel:
                for info in wheel.infolist():
                    if wanted(info.filename, info.file_size, metadata_only=metadata_only):
                        yield info.filename, wheel.read(info)
        elif name.endswith(".deb"):
            with subprocess.Popen(
                ["dpkg-deb", "--fsys-tarfile", str(archive)], stdout=subprocess.PIPE
            ) as process, tarfile.open(fileobj=process.stdout, mode="r|") as tar:
                yield from tar_members(tar, metadata_only=metadata_only)
        elif re.search(r"\.(tgz|tar\.\w+)$", name) and not (metadata_only and packaged and "orig" in name):
            with tarfile.open(archive, mode="r|*") as tar:
                yield from tar_members(tar, metadata_only=metadata_only)


def tar_members(tar: tarfile.TarFile, *, metadata_only: bool) -> Iterator[tuple[str, bytes]]:
    for info in tar:
        if info.isfile() and wanted(info.name, info.size, metadata_only=metadata_only):
            stream = tar.extractfile(info)
            if stream is not None:
                yield info.name.removeprefix("./"), stream.read()


def wanted(path: str, size: int, *, metadata_only: bool) -> bool:
    if metadata_only:
        return bool(METADATA.search(path)) and size < 2_000_000 and "node_modules" not in path
    parts = {part.lower() for part in PurePosixPath(path).parts}
    return PurePosixPath(path).suffix.lower() in SUFFIXES and 0 < size < MAX_FILE and not parts & VENDORED


def excluded_path(path: str) -> bool:
    """Whether a path inside a package looks like a copy of an excluded project."""
    parts = {part.lower() for part in PurePosixPath(path).parts[:-1]}
    return bool(parts & {project for _, project in excluded_projects() if len(project) > 5})


def main() -> int:
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command not in {"pin", "fetch"}:
        print(__doc__)
        return 2
    kept, refused = [], 0
    for package in read_list():
        try:
            check_name(package.name)
            have = download(package)
            licence = check(have)
            if package.licence and licence != package.licence:
                raise RefusedError(f"{package.name}: licence is {licence}, the list says {package.licence}")
            kept.append(replace(have, licence=licence))
        except (RefusedError, StopIteration, OSError, subprocess.TimeoutExpired) as error:
            refused += 1
            print(f"refused: {package.registry} {package.name}: {error}", file=sys.stderr)
    if command == "pin":
        write_list(kept)
    print(f"{len(kept)} packages, {refused} refused")
    return 0 if command == "pin" or not refused else 1


if __name__ == "__main__":
    sys.exit(main())
