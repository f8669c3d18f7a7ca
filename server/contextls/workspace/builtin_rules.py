"""Rules that hold without asking: secrets stay out always; noise, unless the settings ask for it."""

from __future__ import annotations

import fnmatch
import os
import re
from pathlib import Path

from msgspec import Struct

from contextls.regex import compile_late
from contextls.text.gate import secret_in_name


class _Names(Struct, frozen=True):
    """Names of entries, with stars. Every entry of a workspace is asked about: expressions would take twice as long."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]
    others: re.Pattern[str] | None

    @classmethod
    def of(cls, patterns: str) -> _Names:
        """The names that ``patterns`` match, in which ``*`` is the only wildcard."""
        whole, beginnings, endings, others = set(), [], [], []
        for pattern in patterns.split():
            if "*" not in pattern:
                whole.add(pattern)
            elif "*" not in pattern[:-1]:
                beginnings.append(pattern[:-1])
            elif "*" not in pattern[1:]:
                endings.append(pattern[1:])
            else:
                others.append(fnmatch.translate(pattern))
        rest = compile_late("|".join(others)) if others else None
        return cls(frozenset(whole), tuple(beginnings), tuple(endings), rest)

    def has(self, name: str) -> bool:
        """Whether ``name`` is one of them."""
        return (
            name in self.whole
            or name.endswith(self.endings)
            or name.startswith(self.beginnings)
            or (self.others is not None and self.others.match(name) is not None)
        )


_SECRET_FILE = _Names.of("""
    .env .env.* *.env .envrc *.pem *.key *.p8 *.p12 *.pfx *.pkcs12 *.jks *.keystore *.ppk *.kdbx *.kdb
    *.gpg *.age id_rsa* id_dsa* id_ecdsa* id_ed25519* .npmrc .pypirc .netrc _netrc .htpasswd .pgpass
    .my.cnf .git-credentials .dockercfg .boto .s3cfg .vault-token credentials credentials*.json
    credentials.yml credentials.yaml credentials.toml credentials.ini credentials.xml credentials.csv
    credentials.txt credentials.properties credentials.yml.enc client_secret*.json service-account*.json
    service_account*.json secrets.y*ml secrets.json secrets.toml secrets.properties master.key
    terraform.tfstate* *.tfstate *.tfvars .bash_history .zsh_history .python_history
""")
_SECRET_FILE_ALLOWED = _Names.of("""
    .env.example .env.sample .env.template .env.dist .env.defaults *.example *.sample *.template
""")
_SECRET_FOLDER = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".password-store"})
_SECRET_PATHS = ("/.docker/config.json", "/.kube/config", "/.config/gh/hosts.yml")
_SECRET_PATH_NAMES = frozenset(path.rpartition("/")[2] for path in _SECRET_PATHS)

# Repositories of version control, and what contextls itself keeps: never content, whatever the settings say.
_INTERNAL = frozenset({".git", ".hg", ".svn", ".jj", ".bzr", "_darcs", "CVS", ".context"})

# What git keeps in a repository without a `.git`: a bare one.
_GIT_MARKS = ("HEAD", "objects", "refs")
_KEPT_BY_GIT = """
    branches config config.worktree description fetch_head head hooks index info lfs logs modules objects
    orig_head packed-refs refs rr-cache shallow worktrees
"""
_GIT_OWN = frozenset(_KEPT_BY_GIT.split())

_NOISE_FOLDER = _Names.of("""
    node_modules bower_components jspm_packages site-packages __pycache__ __pypackages__ .venv venv
    .virtualenv .tox .nox .mypy_cache .pytest_cache .ruff_cache .hypothesis .eggs *.egg-info *.dist-info
    .gradle .next .nuxt .svelte-kit .parcel-cache .turbo .angular .terraform .serverless .dart_tool
    .yarn .pnpm-store .bundle .stack-work .elixir_ls .cache .nyc_output htmlcov .ipynb_checkpoints .idea
    .vs pods carthage deriveddata third_party third-party _vendor
    .phpunit.cache .npm .nvm .rustup .pyenv .rbenv .ivy2 .gem .pub-cache .nuget .vscode-server
""")
# What package managers keep in a home folder, next to settings that people write.
_NOISE_PATHS = ("/.m2/repository", "/.cargo/registry", "/.cargo/git", "/go/pkg/mod", "/.local/share/pnpm")
_NOISE_FILE = _Names.of("""
    *.min.js *.min.mjs *.min.css *.bundle.js *.chunk.js *.map *.lock package-lock.json
    npm-shrinkwrap.json pnpm-lock.yaml bun.lockb go.sum *.lockfile .terraform.lock.hcl
    packages.lock.json package.resolved *.pb.go *.pb.gw.go *.pb.cc *.pb.h *_pb2.py *_pb2.pyi
    *_pb2_grpc.py *_pb.js *_pb.d.ts *.generated.* *.g.dart *.freezed.dart *.designer.cs *.g.cs *.g.i.cs
    *.snap *.tsbuildinfo zz_generated.* .ds_store thumbs.db *.swp *.swo *~ .coverage .coverage.* *.log
    *.pid gradlew gradlew.bat mvnw mvnw.cmd .phpunit.result.cache .php-cs-fixer.cache .eslintcache
    .stylelintcache .rspec_status
""")
_IMAGES_SOUND_FONTS = """
    png jpg jpeg gif bmp ico icns tif tiff webp avif heic psd ai eps xcf raw mp3 mp4 m4a m4v ogg oga ogv
    wav flac aac avi mov mkv webm wmv ttf otf woff woff2 eot
"""
_ARCHIVES = """
    zip tar gz tgz bz2 tbz xz txz zst lz4 lzma 7z rar jar war ear aar apk ipa deb rpm dmg iso img msi
    cab whl egg gem nupkg crate vsix
"""
_COMPILED = """
    o a so dylib dll exe lib obj pdb class pyc pyo pyd wasm node bin elf ko beam rlib rmeta hi dex
"""
_DOCUMENTS_DATA = """
    pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi sqlite sqlite3 db db3 mdb parquet arrow feather
    avro orc npy npz pkl pickle h5 hdf5 mat onnx pt pth ckpt safetensors gguf tflite pb dat lance idx
    pack mo glb gltf fbx blend
"""
_BINARY_SUFFIXES = frozenset(f"{_IMAGES_SOUND_FONTS} {_ARCHIVES} {_COMPILED} {_DOCUMENTS_DATA}".split())
_PROJECT_FILES = frozenset(
    {
        "go.mod",
        "composer.json",
        "Gemfile",
        "Cargo.toml",
        "package.json",
        "bower.json",
        "pyproject.toml",
        ".git",
    }
)


# Most files of most workspaces: a name of letters, too few capitals in a row for a secret, and a language.
_ORDINARY = compile_late(
    r"(?>(?:[A-Z]{0,15}+[a-z-]++)+)[A-Z]{0,15}+\."
    r"(?:c|cc|cpp|cs|css|ex|exs|go|h|hpp|html|java|js|jsx|kt|lua|md|php|py|rb|rs|rst|scala|scss|sh|sql|swift|ts|tsx|txt|vue)"
)


def is_ordinary(name: str) -> bool:
    """Whether surely no rule of this module concerns a file of this name: one check, as trying each takes far longer."""
    return _ORDINARY.fullmatch(name) is not None


def is_secret(path: str, is_dir: bool) -> bool:
    """Whether files like this one hold secrets, or its own name does. ``path`` is relative to the root."""
    name = path[path.rfind("/") + 1 :]
    if secret_in_name(name):
        return True
    name = name.lower()
    if is_dir:
        return name in _SECRET_FOLDER
    if _SECRET_FILE.has(name):
        return not _SECRET_FILE_ALLOWED.has(name)
    return name in _SECRET_PATH_NAMES and f"/{path.lower()}".endswith(_SECRET_PATHS)


def is_internal(name: str) -> bool:
    """Whether an entry of this name belongs to version control or to contextls itself."""
    return name in _INTERNAL


def is_noise(root: Path, path: str, is_dir: bool) -> bool:
    """Whether this is noise: dependencies, build output, generated and binary files, git's own."""
    name = path[path.rfind("/") + 1 :].lower()
    if name in _GIT_OWN and _is_git_folder((root / path).parent):
        return True
    if is_dir:
        kept = _NOISE_FOLDER.has(name) or f"/{path}".endswith(_NOISE_PATHS)
        return kept or (name in _AMBIGUOUS and _is_output(root / path, name))
    return _has_binary_suffix(name) or _NOISE_FILE.has(name)


def has_binary_name(path: str) -> bool:
    """Whether files of this name are binary: pictures, archives, compiled code, documents."""
    return _has_binary_suffix(path[path.rfind("/") + 1 :].lower())


def _has_binary_suffix(name: str) -> bool:
    dot = name.rfind(".")
    return dot >= 0 and name[dot + 1 :] in _BINARY_SUFFIXES


def _is_git_folder(folder: Path) -> bool:
    return all(os.path.lexists(folder / mark) for mark in _GIT_MARKS)


def _is_output(folder: Path, name: str) -> bool:
    """Whether a folder with an ambiguous name shows by what is in it or next to it that it is not source."""
    try:
        inside = {entry.name for entry in folder.iterdir()}
        beside = {entry.name for entry in folder.parent.iterdir()}
    except OSError:
        return False
    return _AMBIGUOUS[name](inside, beside)


def _vendor(inside: set[str], beside: set[str]) -> bool:
    return bool(inside & {"modules.txt", "autoload.php", "bundle"}) or not beside.isdisjoint(_PROJECT_FILES)


def _build(inside: set[str], _beside: set[str]) -> bool:
    marks = {
        "CMakeCache.txt",
        "CMakeFiles",
        ".ninja_log",
        "asset-manifest.json",
        "CACHEDIR.TAG",
        "intermediates",
    }
    python = any(name.startswith(("bdist.", "lib.", "temp.")) for name in inside)
    gradle = len(inside & {"classes", "libs", "tmp", "generated", "reports", "resources"}) >= 2
    return python or gradle or bool(inside & marks)


def _dist(inside: set[str], _beside: set[str]) -> bool:
    return any(
        name.endswith((".whl", ".tar.gz", ".min.js", ".js.map", ".bundle.js", ".umd.js")) for name in inside
    )


def _target(inside: set[str], beside: set[str]) -> bool:
    maven = "pom.xml" in beside and bool(inside & {"classes", "test-classes", "maven-status"})
    return maven or bool(inside & {"CACHEDIR.TAG", ".rustc_info.json"})


_AMBIGUOUS = {"vendor": _vendor, "build": _build, "dist": _dist, "out": _build, "target": _target}
