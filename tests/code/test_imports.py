from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.code.imports import expand_module, resolve
from contextls.code.languages import default_languages
from contextls.code.model import Import
from contextls.code.path_index import PathIndex

PATHS = [
    "server/app/__init__.py",
    "server/app/util.py",
    "server/app/pkg/__init__.py",
    "server/app/pkg/deep.py",
    "tests/util.py",
    "web/src/app.ts",
    "web/src/util/index.ts",
    "web/src/util/format.tsx",
    "web/src/data.json",
    "web/src/old.js",
    "go.mod",
    "cmd/main.go",
    "internal/store/store.go",
    "internal/store/store_test.go",
    "internal/store/index.go",
    "errors/errors.go",
    "tpl/reflect/reflect.go",
    "go/src/unicode/utf8/utf8.go",
    "services/shop/cart/cart.go",
    "crates/core/src/lib.rs",
    "crates/core/src/a.rs",
    "crates/core/src/a/b.rs",
    "crates/core/src/c/mod.rs",
    "java/src/main/java/app/util/Names.java",
    "java/src/main/java/app/core/Engine.java",
    "native/engine.c",
    "native/engine.h",
    "native/include/util/list.h",
    "ruby/lib/app.rb",
    "ruby/lib/app/list.rb",
    "php/src/Models/User.php",
    "php/src/helpers.php",
    "php/src/Http/Kernel.php",
    "lua/app/util.lua",
    "lua/app/init.lua",
    "lib/my_app/user_auth.ex",
    "hs/src/App/Util.hs",
    "zig/main.zig",
    "zig/lib/util.zig",
    "bin/run.sh",
    "bin/lib/util.sh",
    "Sources/Core/Engine.swift",
    "infra/network/main.tf",
    "infra/network/outputs.tf",
    "infra/network/notes.md",
    "infra/shop/main.tf",
    "ps/Shop.psm1",
    "ps/lib/Tools.ps1",
    "dart/lib/src/cart.dart",
    "dart/lib/page.dart",
    "dart/packages/store/lib/store.dart",
    "dart/widgets/material.dart",
    "cs/App/Core/Engine.cs",
    "css/site.css",
    "css/base.css",
    "perl/lib/Shop/Cart.pm",
    "r/R/fines.R",
    "erl/src/shop_cart.erl",
    "erl/include/shop.hrl",
    "clj/src/shop/cart_lines.clj",
    "sol/contracts/token/Coin.sol",
    "api/library/v1/book.proto",
    "gql/schema/book.graphql",
    "build/cmake/Fines.cmake",
    "build/shelf/CMakeLists.txt",
    "make/rules.mk",
    "groovy/src/library/Fines.groovy",
    "emacs/lisp/loans-fines.el",
    "racket/fines.scm",
    "vim/autoload/loans/fines.vim",
    "godot/rules/fines.gd",
    "gpu/noise.glsl",
    "ocaml/src/loan_store.ml",
    "ocaml/src/loan_store.mli",
    "julia/src/fines.jl",
    "objc/Shop/LBShelf.h",
    "fsharp/src/Shelves.fs",
    "nim/src/library/shelf.nim",
    "fortran/src/fines.f90",
    "pascal/src/Shelf.pas",
    "vb/Library/Shelves.vb",
    "crystal/src/library/fines.cr",
    "gleam/src/library/fines.gleam",
    "elm/src/Library/Fines.elm",
]
INDEX = PathIndex(PATHS)


@pytest.mark.parametrize(
    ("language", "importer", "module", "names", "found"),
    [
        ("python", "tests/t.py", "app.util", "", "server/app/util.py"),
        ("python", "tests/t.py", "app.pkg", "deep", "server/app/pkg/deep.py"),
        ("python", "server/app/pkg/deep.py", "..util", "f", "server/app/util.py"),
        ("python", "server/app/pkg/deep.py", ".", "x", "server/app/pkg/__init__.py"),
        ("python", "tests/t.py", "os.path", "", ""),
        ("typescript", "web/src/app.ts", "./util", "", "web/src/util/index.ts"),
        ("typescript", "web/src/app.ts", "./util/format.js", "", "web/src/util/format.tsx"),
        ("typescript", "web/src/util/index.ts", "../old", "", "web/src/old.js"),
        ("typescript", "web/src/app.ts", "react", "", ""),
        ("javascript", "web/src/old.js", "./data.json", "", "web/src/data.json"),
        ("go", "cmd/main.go", "github.com/x/y/internal/store", "", "internal/store/index.go internal/store/store.go"),
        ("go", "cmd/main.go", "fmt", "", ""),
        ("go", "cmd/main.go", "reflect", "", ""),
        ("go", "cmd/main.go", "errors", "", ""),
        ("go", "cmd/main.go", "github.com/x/y/errors", "", "errors/errors.go"),
        ("go", "cmd/main.go", "github.com/x/y/tpl/reflect", "", "tpl/reflect/reflect.go"),
        ("go", "go/src/fmt/print.go", "unicode/utf8", "", "go/src/unicode/utf8/utf8.go"),
        ("go", "cmd/main.go", "shop/cart", "", "services/shop/cart/cart.go"),
        ("rust", "crates/core/src/lib.rs", "self::a", "", "crates/core/src/a.rs"),
        ("rust", "crates/core/src/a.rs", "self::b", "", "crates/core/src/a/b.rs"),
        ("rust", "crates/core/src/a/b.rs", "crate::c::Thing", "", "crates/core/src/c/mod.rs"),
        ("rust", "crates/core/src/a/b.rs", "super::super::c", "", "crates/core/src/c/mod.rs"),
        ("rust", "crates/core/src/c/deep.rs", "super::Thing", "", "crates/core/src/c/mod.rs"),
        ("rust", "crates/core/src/a/b.rs", "crate::Thing", "", "crates/core/src/lib.rs"),
        ("rust", "crates/core/src/a.rs", "std::fmt", "", ""),
        ("java", "java/src/main/java/app/core/Engine.java", "app.util.Names.upper", "",
         "java/src/main/java/app/util/Names.java"),
        ("java", "java/src/main/java/app/core/Engine.java", "java.util.List", "", ""),
        ("c", "native/engine.c", "engine.h", "", "native/engine.h"),
        ("c", "native/engine.c", "util/list.h", "", "native/include/util/list.h"),
        ("c", "native/engine.c", "stdio.h", "", ""),
        ("ruby", "ruby/lib/app.rb", "./app/list", "", "ruby/lib/app/list.rb"),
        ("ruby", "ruby/bin/x.rb", "app/list", "", "ruby/lib/app/list.rb"),
        ("php", "php/src/Http/Kernel.php", "App\\Models\\User", "", "php/src/Models/User.php"),
        ("php", "php/src/Http/Kernel.php", "../helpers.php", "", "php/src/helpers.php"),
        ("lua", "lua/main.lua", "app.util", "", "lua/app/util.lua"),
        ("elixir", "lib/x.ex", "MyApp.UserAuth", "", "lib/my_app/user_auth.ex"),
        ("haskell", "hs/app/Main.hs", "App.Util", "", "hs/src/App/Util.hs"),
        ("zig", "zig/main.zig", "lib/util.zig", "", "zig/lib/util.zig"),
        ("zig", "zig/main.zig", "std", "", ""),
        ("bash", "bin/run.sh", "./lib/util.sh", "", "bin/lib/util.sh"),
        ("bash", "bin/run.sh", "$HERE/util.sh", "", "bin/lib/util.sh"),
        ("swift", "Tests/t.swift", "Core", "", "Sources/Core/Engine.swift"),
        ("hcl", "infra/shop/main.tf", "../network", "", "infra/network/main.tf infra/network/outputs.tf"),
        ("hcl", "infra/shop/main.tf", "../nowhere", "", ""),
        ("perl", "perl/bin/run.pl", "Shop::Cart", "", "perl/lib/Shop/Cart.pm"),
        ("r", "r/app.R", "R/fines.R", "", "r/R/fines.R"),
        ("r", "r/app.R", "tibble", "", ""),
        ("erlang", "erl/src/shop.erl", "shop_cart", "", "erl/src/shop_cart.erl"),
        ("erlang", "erl/src/shop.erl", "shop.hrl", "", "erl/include/shop.hrl"),
        ("erlang", "erl/src/shop.erl", "lists", "", ""),
        ("clojure", "clj/src/shop/core.clj", "shop.cart-lines", "", "clj/src/shop/cart_lines.clj"),
        ("solidity", "sol/contracts/Shop.sol", "./token/Coin.sol", "", "sol/contracts/token/Coin.sol"),
        ("solidity", "sol/test/Shop.sol", "shop/contracts/token/Coin.sol", "", "sol/contracts/token/Coin.sol"),
        ("proto", "api/library/v1/loans.proto", "library/v1/book.proto", "", "api/library/v1/book.proto"),
        ("proto", "api/library/v1/loans.proto", "google/protobuf/timestamp.proto", "", ""),
        ("graphql", "gql/schema/schema.graphql", "./book.graphql", "", "gql/schema/book.graphql"),
        ("cmake", "build/CMakeLists.txt", "cmake/Fines.cmake", "", "build/cmake/Fines.cmake"),
        ("cmake", "build/CMakeLists.txt", "shelf", "", "build/shelf/CMakeLists.txt"),
        ("make", "make/Makefile", "rules.mk", "", "make/rules.mk"),
        ("groovy", "groovy/test/LoansSpec.groovy", "library.Fines.cents", "", "groovy/src/library/Fines.groovy"),
        ("lisp", "emacs/loans.el", "loans-fines", "", "emacs/lisp/loans-fines.el"),
        ("lisp", "emacs/loans.el", "cl-lib", "", ""),
        ("scheme", "racket/loans.scm", "fines.scm", "", "racket/fines.scm"),
        ("vim", "vim/plugin/loans.vim", "loans#fines#blocks", "", "vim/autoload/loans/fines.vim"),
        ("gdscript", "godot/ui/loans.gd", "res://rules/fines.gd", "", "godot/rules/fines.gd"),
        ("shaders", "gpu/water.frag", "noise.glsl", "", "gpu/noise.glsl"),
        ("ocaml", "ocaml/src/shop.ml", "Loan_store", "", "ocaml/src/loan_store.ml"),
        ("ocaml", "ocaml/src/shop.ml", "List", "", ""),
        ("julia", "julia/src/Library.jl", "fines.jl", "", "julia/src/fines.jl"),
        ("julia", "julia/test/runtests.jl", "../src/fines.jl", "", "julia/src/fines.jl"),
        ("objc", "objc/Shop/Loans.m", "LBShelf.h", "", "objc/Shop/LBShelf.h"),
        ("objc", "objc/Tests/Loans.m", "LibraryShop/LBShelf.h", "", "objc/Shop/LBShelf.h"),
        ("fsharp", "fsharp/src/Loans.fs", "Library.Shelves", "", "fsharp/src/Shelves.fs"),
        ("fsharp", "fsharp/src/Loans.fs", "System.IO", "", ""),
        ("nim", "nim/src/loans.nim", "library/shelf", "", "nim/src/library/shelf.nim"),
        ("nim", "nim/src/loans.nim", "strutils", "", ""),
        ("fortran", "fortran/src/loans.f90", "fines", "", "fortran/src/fines.f90"),
        ("pascal", "pascal/src/Loans.pas", "Shelf", "", "pascal/src/Shelf.pas"),
        ("vb", "vb/Loans.vb", "Library.Shelves", "", "vb/Library/Shelves.vb"),
        ("crystal", "crystal/src/loans.cr", "./library/fines", "", "crystal/src/library/fines.cr"),
        ("crystal", "crystal/src/loans.cr", "json", "", ""),
        ("gleam", "gleam/src/loans.gleam", "library/fines", "", "gleam/src/library/fines.gleam"),
        ("elm", "elm/src/Loans.elm", "Library.Fines", "", "elm/src/Library/Fines.elm"),
        ("powershell", "ps/Run.ps1", "./Shop.psm1", "", "ps/Shop.psm1"),
        ("powershell", "ps/Run.ps1", "$PSScriptRoot\\lib\\Tools.ps1", "", "ps/lib/Tools.ps1"),
        ("powershell", "ps/Run.ps1", ".\\lib\\Tools.ps1", "", "ps/lib/Tools.ps1"),
        ("dart", "dart/lib/page.dart", "src/cart.dart", "", "dart/lib/src/cart.dart"),
        ("dart", "dart/lib/src/cart.dart", "../page.dart", "", "dart/lib/page.dart"),
        ("dart", "dart/test/page_test.dart", "package:shop/src/cart.dart", "", "dart/lib/src/cart.dart"),
        ("dart", "dart/test/page_test.dart", "package:shop/page.dart", "", "dart/lib/page.dart"),
        ("dart", "dart/lib/page.dart", "package:store/store.dart", "", "dart/packages/store/lib/store.dart"),
        ("dart", "dart/lib/page.dart", "package:flutter/material.dart", "", ""),
        ("dart", "dart/lib/page.dart", "dart:async", "", ""),
        ("csharp", "cs/t.cs", "App.Core", "", "cs/App/Core/Engine.cs"),
        ("css", "css/site.css", "base.css", "", "css/base.css"),
        ("json", "a.json", "x", "", ""),
        ("text", "a.txt", "x", "", ""),
    ],
)  # fmt: skip
def test_an_import_leads_to_its_files(
    language: str, importer: str, module: str, names: str, found: str
) -> None:
    assert resolve(importer, Import(module, tuple(names.split()), 1), language, INDEX) == tuple(found.split())


@pytest.mark.parametrize(
    ("written", "modules"),
    [
        ("std::fmt", ["std::fmt"]),
        ("a::{b, c::{d as e, f}, g}", ["a::b", "a::c::d", "a::c::f", "a::g"]),
        ("use App\\{Model, Query\\Builder as B};", ["App\\Model", "App\\Query\\Builder"]),
        ("import a.{Names, Other => O}", ["a.Names", "a.Other"]),
        ("a::{", []),
        ("", []),
    ],
)
def test_a_group_of_imports_is_read_one_by_one(written: str, modules: list[str]) -> None:
    assert expand_module(written, braces=True) == modules


@given(
    language=st.sampled_from(default_languages().names),
    importer=st.sampled_from(PATHS),
    module=st.text(max_size=30)
    | st.sampled_from(["..", "....", "/", "::", "crate", "../../../x", "@/", "$"]),
    names=st.lists(st.text(max_size=5), max_size=2),
)
def test_resolving_never_fails_and_stays_in_the_workspace(
    language: str, importer: str, module: str, names: list[str]
) -> None:
    expand_module(module, braces=True)
    found = resolve(importer, Import(module, tuple(names), 1), language, INDEX)
    assert set(found) <= set(PATHS) - {importer}


def test_a_path_that_was_discarded_is_not_found() -> None:
    index = PathIndex(PATHS)
    index.discard("native/engine.h")
    index.discard("native/engine.h")
    assert len(index) == len(PATHS) - 1
    assert resolve("native/engine.c", Import("engine.h", (), 1), "c", index) == ()
