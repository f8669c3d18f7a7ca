"""The rules beyond git's own: security, noise, settings, ``.contextlsignore``, and where they meet."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.workspace.builtin_rules import is_internal, is_noise, is_ordinary, is_secret
from contextls.workspace.ignore import IgnoreRules, is_ignore_file
from contextls.workspace.roots import open_root
from contextls.workspace.scan import scan

from ..memory.workspaces import write
from ..repositories import git


@pytest.mark.parametrize(
    "path",
    [".env", ".env.local", "app/.env.production", "prod.env", "a/server.pem", "tls.key", "id_rsa",
     "id_ed25519.pub", "k.p12",
     "k.PFX", ".npmrc", ".pypirc", ".netrc", ".aws/credentials", "home/.aws/config", ".ssh/config",
     "credentials.json",
     "credentials-prod.json", "p.kdbx", "config/secrets.yml", "secrets.yaml", ".git-credentials",
     "terraform.tfstate",
     "terraform.tfstate.backup", ".docker/config.json", ".ENV"],
)  # fmt: skip
def test_secrets_stay_out_whatever_the_patterns_say(tmp_path: Path, path: str) -> None:
    write(tmp_path, {".contextlsignore": f"!{path}\n!**\n", ".gitignore": f"!{path}\n"})
    rules = IgnoreRules(tmp_path, patterns=[f"!{path}", "!*"], include_noise=True)
    assert rules.reason(path) == "security"


@pytest.mark.parametrize(
    "path",
    [".env.example", ".env.sample", "config/.env.template", "src/credentials.py", "environment.ts",
     "keys.go", "public.keys",
     "docs/secrets.md", "src/env.rs", "tests/a.py", "docs/index.md", "examples/build/x.py", "src/dist/lib.py",
     "src/build/rules.py", "app/models/vendor/invoice.rb", "target/readme.md",
     ".github/workflows/ci.yml", "Makefile", "LICENSE", ".cargo/config.toml", ".m2/settings.xml", "pkg/mod/a.go"],
)  # fmt: skip
def test_ordinary_files_are_accepted(tmp_path: Path, path: str) -> None:
    write(tmp_path, {path: "x"})
    assert IgnoreRules(tmp_path).reason(path) is None


@pytest.mark.parametrize(
    "path",
    ["package-lock.json", "Cargo.lock", "go.sum", "a.min.js", "s.min.css", "m.js.map",
     "node_modules/x/i.js", "a/node_modules/b", "gradlew", "app/mvnw.cmd",
     ".phpunit.result.cache", ".phpunit.cache/test-results", ".eslintcache", "spec/.rspec_status",
     ".npm/_cacache/x.json", ".nvm/nvm.sh", ".rustup/toolchains/x.rs", ".m2/repository/a/b.pom", "go/pkg/mod/x/y.go",
     ".cargo/registry/src/z.rs",
     ".venv/lib/x.py", "venv/x.py", "lib/site-packages/y.py", "third_party/z.c", "a/__pycache__/b.py",
     "x.pb.go", "y_pb2.py",
     "api.generated.ts", "m.g.dart", "t.snap", "logo.PNG", "f.woff2", "z.tar.gz", "lib.so", "data.parquet"],
)  # fmt: skip
def test_noise_is_left_out_unless_asked_for(tmp_path: Path, path: str) -> None:
    assert IgnoreRules(tmp_path).reason(path) == "noise"
    assert IgnoreRules(tmp_path, include_noise=True).reason(path) is None


@pytest.mark.parametrize(
    "name", [".git/config", "sub/.git/HEAD", ".hg/x", ".svn/x", ".context/working-set.yml"]
)
def test_what_belongs_to_tools_stays_out_always(tmp_path: Path, name: str) -> None:
    rules = IgnoreRules(tmp_path, patterns=["!.git", "!.context"], include_noise=True)
    assert rules.reason(name) == "noise"


@pytest.mark.parametrize(
    ("folder", "evidence"),
    [("vendor", "go.mod"), ("vendor", "vendor/autoload.php"), ("build", "build/CMakeCache.txt"),
     ("target", "target/CACHEDIR.TAG"), ("dist", "dist/pkg-1.0-py3-none-any.whl"), ("dist",
     "dist/app.min.js")],
)  # fmt: skip
def test_ambiguous_folders_are_output_only_by_evidence(tmp_path: Path, folder: str, evidence: str) -> None:
    write(tmp_path, {f"{folder}/x.py": "x"})
    assert IgnoreRules(tmp_path).reason(f"{folder}/x.py") is None
    write(tmp_path, {evidence: ""})
    assert IgnoreRules(tmp_path).reason(f"{folder}/x.py") == "noise"


def test_order_of_the_rules(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.log\n*.gen\ndata/\n",
            ".contextlsignore": "!keep.gen\nprivate/\n!dist.lock\n!data/keep.txt\n",
            "deep/.contextlsignore": "!*.log\n",
        },
    )
    rules = IgnoreRules(tmp_path, patterns=["/settings.txt", "!wanted.gen"])
    assert rules.reason("a.gen") == "gitignore"
    assert rules.reason("keep.gen") is None
    assert rules.reason("wanted.gen") is None
    assert rules.reason("private/x") == "contextlsignore"
    assert rules.reason("dist.lock") is None
    assert rules.reason("other.lock") == "noise"
    assert rules.reason("data/keep.txt") == "gitignore"
    assert rules.reason("settings.txt") == "settings"
    assert rules.reason("deep/settings.txt") is None
    assert rules.reason("deep/a.log") is None
    assert rules.reason("a.log") == "gitignore"


def test_ignore_files_are_read_again_when_they_change(tmp_path: Path) -> None:
    rules = IgnoreRules(tmp_path)
    assert rules.reason("a.txt") is None
    write(tmp_path, {".gitignore": "a.txt\n"})
    assert rules.reason("a.txt") == "gitignore"
    write(tmp_path, {".gitignore": "other.txt\n"})
    assert rules.reason("a.txt") is None
    (tmp_path / ".gitignore").unlink()
    assert rules.reason("other.txt") is None
    assert is_ignore_file("x/.gitignore")
    assert not is_ignore_file("gitignore")


def test_nothing_is_said_of_an_ignore_file_that_is_gone(tmp_path: Path) -> None:
    rules = IgnoreRules(tmp_path)
    file = tmp_path / ".gitignore"
    file.write_text("[a-\n")
    assert not rules.reason("a.py")
    assert [text.partition(":")[0] for text in rules.warnings()] == [".gitignore"]
    file.unlink()
    assert not rules.reason("a.py")
    assert rules.warnings() == ()


def test_a_change_of_the_same_size_and_time_is_seen(tmp_path: Path) -> None:
    rules = IgnoreRules(tmp_path)
    ignore = tmp_path / ".gitignore"
    for left_out in ("one", "two", "six") * 3:
        write(tmp_path, {".gitignore": f"{left_out}\n"})
        os.utime(ignore, ns=(10**18, 10**18))
        found = {name: rules.reason(name) for name in ("one", "two", "six")}
        assert found == {name: "gitignore" if name == left_out else None for name in found}


def test_a_root_inside_a_repository_obeys_what_lies_above(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", ".gitignore": "*.out\n/sub/private/\nignored/\n", "sub/x/y": ""})
    write(tmp_path, {".git/info/exclude": "secretly\n", "ignored/z": ""})
    rules = IgnoreRules(open_root(tmp_path / "sub"))
    assert rules.reason("a.out") == "gitignore"
    assert rules.reason("private/b") == "gitignore"
    assert rules.reason("secretly") == "gitignore"
    assert rules.reason("x/y") is None
    assert IgnoreRules(open_root(tmp_path / "ignored")).reason("z") is None


def test_linked_worktrees_share_the_exclude_file(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "commit", "-qm", "x", "--allow-empty")
    git(main, "worktree", "add", "-q", "../side")
    write(main, {".git/info/exclude": "hidden\n"})
    assert IgnoreRules(tmp_path / "side").reason("hidden") == "gitignore"


names = st.sampled_from(["a", "b", "src", "x.py", ".env", "node_modules", "k.log", "vendor"])
trees = st.lists(st.lists(names, min_size=1, max_size=3).map("/".join), max_size=12)


@given(
    tree=trees, ignored=st.lists(st.sampled_from(["a", "!a", "b/", "/src/*", "*.py", "!x.py"]), max_size=4)
)
def test_scan_and_single_questions_agree(
    tmp_path_factory: pytest.TempPathFactory, tree: list[str], ignored: list[str]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    write(root, {".gitignore": "\n".join(ignored)})
    for path in tree:
        try:
            write(root, {path: "x"})
        except OSError:
            continue
    rules = IgnoreRules(root)
    everything = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
    scanned = {file.path for file in scan(root, rules, 100).files}
    assert scanned == {path for path in everything if rules.reason(path) is None}


def test_in_a_folder_that_its_repository_ignores_no_rule_of_that_holds(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "/out/\n*.draft\n", "src/run.draft": ""},
    )
    write(tmp_path, {"out/run.draft": "", "out/.gitignore": "*.tmp\n", "out/run.tmp": ""})
    assert IgnoreRules(tmp_path / "src").reason("run.draft") == "gitignore"
    assert IgnoreRules(tmp_path / "out").reason("run.draft") is None
    assert IgnoreRules(tmp_path / "out").reason("run.tmp") == "gitignore"


_PARTS = st.sampled_from(
    ["a", "Test", "-", "_", ".", "7", "A" * 9, ".min", ".bundle", ".generated", ".g", "_pb", "_pb2", "zz_generated.", ".env",
     "id_rsa", "credentials", "secrets", "client_secret", "service-account", "AKIAIOSFODNN7EXAMPLE", "token=", "hosts",
     "config", "gradlew", "Thumbs", "package-lock", "go", "master", "bun", "terraform"]
)  # fmt: skip
_ENDINGS = st.sampled_from(
    ["", "~", ".py", ".js", ".d.ts", ".go", ".cs", ".php", ".key", ".sum", ".json", ".yml", ".cmd", ".db"]
)


@given(st.lists(_PARTS, max_size=4).map("".join), _ENDINGS)
def test_no_rule_speaks_of_a_file_that_one_look_takes_for_an_ordinary_one(stem: str, ending: str) -> None:
    name = stem + ending
    spoken_of = is_secret(name, is_dir=False) or is_internal(name) or is_noise(Path(), name, is_dir=False)
    assert not (is_ordinary(name) and spoken_of)
    assert is_ordinary("RouteServiceProvider.php")
