"""What a file is, by its path: each language and tool has its own habits, and a name alone is none."""

from __future__ import annotations

import pytest

from contextls.memory.index.priors import FileKind, file_kind, file_kinds
from contextls.memory.index.segments.files import KINDS, kind_codes, mark_by_neighbours

TESTS = """
    tests/test_cart.py  shop/test_cart.py  shop/cart_test.py  conftest.py  shop/tests.py  test/support/server.py
    src/test/support.py  benchmarks/run.py  bench/bench_sort.py  shop/tests/helpers.py
    testscripts/commands/list.txt  cmd/testscripts/new__site.txt  gcc/testsuite/cart.c
    t/integration/tasks.py  t/lib/Cart.pm  t/test-lib.sh
    pkg/cart_test.go  internal/testdata/config.golden  test/e2e/cart.go  fuzz/corpus.go
    shop-testing-support/src/main/kotlin/Fake.kt  core-test-utils/src/fake.ts  shop.testing-helpers/Fake.cs
    util/testutil/port.go  model/test_utils.go  src/testHelpers.ts  src/test-utils.js  core/TestUtils.java
    src/test.rs  src/cart/test.rs  src/cart_test_util.h  base/hook_test_helper.h  src/cart.test.helpers.tsx
    src/tests.rs  src/cart_test.rs  tests/common/mod.rs  benches/sort.rs  test_suite/tests/compiletest.rs
    src/test/java/com/acme/Cart.java  app/src/androidTest/Cart.kt  src/commonTest/kotlin/Cart.kt  core/CartTest.java
    core/CartTests.kt  core/CartIT.java  core/CartSpec.scala  core/CartSuite.scala  core/CartSpec.groovy
    src/cart.test.ts  src/cart.spec.tsx  src/__tests__/cart.js  src/__mocks__/fs.js  cypress/cart.js  cart.cy.ts
    src/__snapshots__/cart.test.ts.snap  packages/a/src/cart.bench.ts  spec/cart.js
    test/types.test-d.ts  src/setupTests.js
    spec/models/cart_spec.rb  spec/spec_helper.rb  test/test_cart.rb  test/models/cart_test.rb  spec/lib/shop/cart_spec.rb
    src/Form/Tests/CartTest.php  src/CartTest.php  test/Cart.php  spec/CartSpec.php
    src/Shop.Tests/Cart.cs  Shop.Test/Cart.cs  Shop/CartTests.cs  Tests/ShopTests/Cart.swift  Shop/CartTests.swift
    src/cart_unittest.cc  src/cart-test.c  src/CartTest.cpp  test/run-tests.c  src/cart_benchmark.cc
    test/cart_test.exs  test/support/conn_case.ex  test/CartSpec.hs  spec/cart_spec.lua  t/basic.t  test/cart.bats
    features/cart.feature  integration-tests/run.sh  unit-test/Cart.cs  fixtures/cart.json  e2e/cart.ts  api_tests/run.ps1
    lang/cases/reverse_proxy.caddyfiletest  sql/join.sqltest  src/basic/strlen.phpt  cmd/script/mod.txtar
    test-data/cart.xml  src/Shop.Benchmarks/page.html
    bookmarks/tests_e2e/helpers.py  shop/e2e_test_cart.py  regress/cart.sh  regress/conf/cart.conf
    test/cart_test.dart  test/runtests.jl  apps/shop/test/cart_SUITE.erl
    lisp/cart-tests.el  contracts/Cart.t.sol  contracts/mocks/CartMock.sol
    src/cart_test.gleam  src/CartTests.pas  src/cart_test.ml  src/test_cart.m  src/CartTest.m  src/testCart.m
    rtl/cart_tb.v  sim/tb_cart.vhd  testbench.sv
"""

SOURCE = """
    src/test_runner.c  src/test_harness.rs  cmd/test_server.go  app/test_mode.rb
    src/testscript.go  src/archetypes/cart.go  docs-app/src/data/load.go
    lib/cart.f  defs/cart.bzl  src/cart.pyx  src/cart.pxi  src/cart.m  src/testing.m  src/tools.m
    rtl/cart.sv  rtl/cart.vhdl  rtl/tbuf.v  rtl/cart.svh
    lib/cart.tcl  src/cart.ads  nix/cart.nix  api/cart.thrift  src/cart_amd64.s
    contracts/Cart.sol  lisp/cart-latest.el  src/mocks/cart.ts
    lib/testing.ex  src/latest.ts  src/contest.py
    numpy/testing/utils.py  django/test/client.py  werkzeug/test.py
    src/testing/benchmark.go  packages/core/testing/bed.ts
    src/main/java/org/springframework/test/Context.java  src/main/java/org/springframework/boot/test/SpringBootTest.java
    src/main/java/com/example/Cart.java  src/commonMain/kotlin/com/example/Cart.kt  src/com/example/Cart.java
    src/main/java/org/openapi/ApiSpec.java  security/KeySpec.java  core/Latest.java  src/Monolog/Test/Case.php
    lib/rack/test/cookies.rb  lib/plug/adapters/test/conn.ex  lib/phoenix/test/conn_test.ex  lib/Test/More.pm
    lib/benchmark/reporter.rb  packages/vitest/src/node/reporters/benchmark/index.ts  src/bench/timer.rs
    spec/parser.go  specs/schema.rs  src/pod_spec.go
    api/openapi_spec.py  tokio-test/src/io.rs  packages/playwright-test/index.ts
    lib/internal/test_runner/runner.js  src/test-renderer/index.js  src/speed.ts  src/manifest.ts
    src/changeset.ts  lib/changeset.ex  lib/ecto/changeset/relation.ex
    INSTALL.sh  news/fetch.sh  man/build.zsh
    src/bin/shop/commands/test.rs  cli/tools/test.rs  src/latest_utils.py  src/contest_helpers.rb
    src/History.tsx  lib/history.ts  core/History.java  docs_site/history.rb
    src/t/format.py  t/index.ts  git/history.py  src/history/undo.js  app/news/models.py
    news/views.py  changes/apply.go  app/controllers/authors_controller.rb  app/models/author.rb  authors.go
    src/mit_license.py  lib/MIT-LICENSE.rb  src/LICENSE_HEADER.go  bin/check-license  lib/dual-license
    src/license_checker.py  src/license.rs  src/licenses/scan.go
    lib/readme_generator.js  src/changelog.ts  src/news_feed.swift
    templates/webhook/history.tmpl  src/copying_gc.c  src/notice.go  install  bin/todo
    internal/route/api/v1/org.go  app/api/v1/endpoints.py  v1/client.js  proto/v1/cart.proto  src/v1.rs
    app/models/vendor.rb  app/controllers/vendor/orders_controller.rb  src/vendor/service.py  src/deprecated.rs
    src/compatible.go  app/legacy_import.rb
    doc/man_docs.go  go/doc/reader.go  shop/docs/generator.py  website/views.py  website/models.rb  src/man/render.c
    CMakeLists.txt  Makefile  Dockerfile  Gemfile  bin/shop  scripts/release.sh
    public/index.php  public/js/gogs.js  static/admin/js/core.js  src/public/api.ts  dist/main.go  cmd/dist/build.go
    src/array-chunk.ts  src/get-min.js  src/bundle.ts  db/migration-20240101120000.ts  src/upgrade-2.0.js  src/face.ts
    src/i18n/load.ts  src/lang/parser.ts  src/locale.py  src/i18n/user_id.py  languages/rust/index.ts  lang/go/parser.go
    src/complete.ts  src/complete/engine.rs  src/testing/support.ts  core/testing_plan.py  src/esm.js  src/umd/wrap.ts
    src/lock.rs  src/flock.c  src/snapshot.ts  src/snapshots/take.go  src/sandbox/jail.c  src/samples.py  sample.go
    audio/sample/rate.c  src/demo.py  src/playground/eval.ts  schema.graphql  app/views/cart.html.erb  src/App.vue
    src/bash-completion/write.go  bash-completion/install.py  src/code-completion/run.sh  cmd/zsh_completion.go
    bash_completion  src/completion/engine.py  lib/completion/_tokens.py  completions.go  src/completions/zsh.rs
    src/code_of_conduct.rb  shop/migrations/__init__.py  migrations/env.py  src/migrate/plan.go  db/migrations/runner.ts
    src/migrations/v21.go  lib/migration_2.rb  alembic/env.py  shop/versions/compare.py  src/Migrations/VersionReader.php
    src/migrations/model.ts  shop/patches/apply.py  src/patches/v8.ts
    shop/templates/cart/edit.html  src/app/cart.component.html
    lib/cart/cart.component.html  src/app/cart/cart.html  app/views/cart.html  layouts/_default/list.html
    db/migration/sqlite/LATEST.sql  migrations/schema.sql  db/structure.sql  db/schema_dump.sql  src/seeding.sql
    config.h.in  config/database.php.dist  src/unknown.language  build/app.latest
"""

EXAMPLES = """
    examples/cart/main.go  _examples/cart.go  pkg/example_test.go  pkg/example_cart_test.go  samples/Cart/Program.cs
    samples/cart/src/main/java/com/acme/Cart.java  demo/index.html  tutorials/first.py  playground/main.ts  sandbox/try.js
    archetypes/default.md  docs/archetypes/news.md
    src/Button.stories.tsx  docs/examples/cart.py  stories/Button.tsx
    api/shop/get-cart.bru  requests/cart.http  checks/cart.hurl
"""

LEGACY = """
    vendor/github.com/pkg/errors/errors.go  staging/vendor/golang.org/x/net/http.go
    vendor/autoload.php  pip/_vendor/rich/text.py  www/versioned_docs/version-9.x/server/routing.md
    app/assets/javascripts/vendor/jquery.js  third_party/zlib/inflate.c  thirdparty/lua.c  deps/hiredis/net.c
    src/compat/v8.ts  flask/_compat.py  src/legacy/cart.ts  pydantic/deprecated/config.py
    shop/migrations/0007_cart_total.py  db/migrate/20240131101500_add_total.rb  db/migrate/archive/2019_carts.rb
    database/migrations/2024_01_31_101500_create_carts.php  src/Data/Migrations/20240131101500_Initial.Designer.cs
    db/knex_migrations/2026-03-27-0000-carts.js  db/old_migrations/patch-carts.sql  shop/migrations/8.sqm
    store/migration/sqlite/0.24/01__memo_pinned.sql  db/migrations/mysql/v2/up/carts.sql
    db/old_migrations/20120701154453_create_carts.rb  src/main/resources/db/migrations/V2__carts.sql
    alembic/versions/ba1e4a6cfe99_add_carts.py  shop/migrations/versions/2024-01-31_3f2a_add_total.py
    migrations/Version20240131101500.php  lib/Migration/Version1000Date20240131101500.php
    migrations/m240131_101500_create_carts.php  shop/patches/v2_0/fix_totals.py  shop/patches/v15/add_total.py
"""

CHANGELOGS = """
    CHANGELOG  ChangeLog  Changes  CHANGELOG.md  CHANGES.md  CHANGES  HISTORY.rst  NEWS  RELEASES.md  NEWS-2.0
    CHANGES/3767.feature  newsfragments/12.bugfix  changelog.d/9.fixed.md  .changeset/brave-cats-run.md  docs/news.rst
    docs/release_notes/v2.md  docs/releases/1.8.3.txt  doc/source/whatsnew/v1.2.0.rst  packages/shop/CHANGELOG.md
    docs/changelog.md  docs/source/changes.rst  ReleaseNotes.md  docs/release-notes.html
    History.markdown  History.md  gems/cart/History.rdoc  docs/_docs/history.md
"""

DOCUMENTS = """
    docs/data/loading.md  docs/reference/openapi.yaml  docs/sidebar.json  pkg/docs/index.json  docs/archetypes.md
    .cursor/rules/design.mdc  docs/History.md  docs/_posts/guides/history.md  guides/history.md
    docs/guides/history.md  docs/ui/news.md  src/history/README.md  docs/release-process.md  NEWSLETTER.md
    AUTHORS  guides/test-utils.md  extra/bash-completion/README.md
    README  README.md  docs/conf.py  docs/code/idle.c  docs/guide.md  packages/shop/docs/index.ts  dev-docs/src/index.js
    website/docusaurus.config.js  website/src/css/custom.css  man/git.1
    man/man1/npm.1  doc/ssh.1.in  share/curl.3  conf/license/GPL v3.0  SPEC.rdoc  notes.txt  manual.texi  MAINTAINERS
    src/docs/asciidoc/index.adoc  man/page.roff
"""

LICENCES = """
    MIT-LICENSE  APACHE-LICENSE  BSD_LICENSE  MIT-LICENSE.txt  APACHE-2-LICENSE  GPL-3-LICENCE  THIRD-PARTY-LICENSES
    dev/licensing/php-library-licenses.txt  third-party-notices.md
    share/MIT.LICENSE  COPYRIGHT  Apache-License  LICENSE  LICENSE-MIT  LICENSE.MIT  COPYING.LESSER  NOTICE  PATENTS
    LICENSES/GPL-2.0-only.txt  tests/data/LICENSE  vendor/zlib/LICENSE.md
    .github/ISSUE_TEMPLATE/bug.yml  .github/ISSUE_TEMPLATE.md  docs/PULL_REQUEST_TEMPLATE.md  .gitlab/issue_templates/Bug.md
    CODE_OF_CONDUCT.md  .github/code-of-conduct.md  CODE_OF_CONDUCT  docs/Code of Conduct.rst
"""

SETTINGS = """
    package.json  Cargo.toml  pom.xml  .github/workflows/ci.yml  .eslintrc.js  go.mod  requirements.txt
    pyproject.toml  setup.cfg  tox.ini  tsconfig.json  tsconfig.build.json  docker-compose.yml  compose.override.yaml
    .gitlab-ci.yml  .circleci/config.yml  mkdocs.yml  conf/app.ini  application-prod.properties  Shop/Shop.csproj
    Directory.Build.props  src/Shop/Shop.targets  NuGet.config  src/Shop/web.config
    gradle.properties  src/main/resources/application.properties  config/app.yml  config/packages/cache.yaml
    phpstan.neon  .tool-versions  .ruby-version  .editorconfig  web.config.xml  config/settings.json
"""

DATA = """
    docs/data/docs.yaml  docs/src/_data/menu.json  pkg/docs/data/flags.csv
    src/.generated/errors.js  src/__generated__/queries.ts
    config/locales/app.yml  .gitignore  .env.example  .github/dependabot.yml  data/package-names.json  api/openapi.yaml
    Cargo.lock  yarn.lock  go.sum  gradle.lockfile  Package.resolved  package-lock.json  .terraform.lock.hcl
    po/de.po  locale/messages.pt_BR.xlf  web/locale/pl/viewer.ftl  src/locales/de.json  locales/de.ts  src/i18n/zh-CN.js
    lang/de/messages.php  conf/locale/de/formats.py  translations/app_de.ts  Resources.resx  de.lproj/Main.strings
    i18n/messages.properties  shop/ValidationMessages.properties  templates/login_en.properties
    dist/index.js  packages/shop/dist/index.d.ts  static/jquery.min.js  public/js/app.bundle.js  vendor.chunk.css
    public/js/jquery-3.6.0.js  public/plugins/codemirror-5.17.0/mode/rust.js  static/lib/select.js  priv/static/app.js
    cart/static/pdfjs/web/viewer.mjs  public/tinymce-5.10/plugins/link.js  static/swagger-ui/init.js
    lib/view.esm.js  lib/view.cjs.js  build/view.umd.js  core/flags/complete/rg.zsh
    public/assets/index-4a3f2b1c.js  main.8f3a9b2c.js  api/ktor-client.api
    store/seed/sqlite/01__dump.sql  db/seeds.sql  sql/demo_data.sql  src/main/resources/sample-data/carts.sql
    fix.patch  requirements/dev.in
    contrib/completions/shop.bash  completions/_shop  share/zsh/completions/_shop-cli  assets/completions/_shop.ps1.in
    extra/zsh-completion/shop.zsh  extra/bash-completion/shop.bash  share/bash_completion.d/shop  etc/zsh-completions/_shop
    tools/powershell-completion/shop.ps1  share/bash-completion/completions/shop
    extras/shop_zsh_completion  assets/syntaxes/Shop.sublime-syntax  syntaxes/shop.tmLanguage  themes/dark.tmTheme
    runtime/queries/rust/highlights.scm  index.html  src/Shop/page.html  public/cart.html  coverage/cart.html
    MANIFEST.in  style.css  icon.svg  table.csv  app.map
    share/translations/shop_en.ts  share/translations/my-shop_pt_BR.ts  src/lang/shop_en.ts
    share/words/common.wordlist  de.dic  icons.qrc  Shop.sln.DotSettings  shop.code-workspace  CITATION.cff  logo/shop.eps
"""

EXPECTED = [
    pytest.param(path, kind, id=f"{kind.value}: {path}")
    for kind, paths in (
        (FileKind.TEST, TESTS),
        (FileKind.SOURCE, SOURCE),
        (FileKind.EXAMPLE, EXAMPLES),
        (FileKind.LEGACY, LEGACY),
        (FileKind.CHANGELOG, CHANGELOGS),
        (FileKind.DOCUMENT, DOCUMENTS),
        (FileKind.LICENCE, LICENCES),
        (FileKind.SETTINGS, SETTINGS),
        (FileKind.DATA, DATA),
    )
    for line in paths.splitlines()
    for path in line.strip().split("  ")
    if path
]


@pytest.mark.parametrize(("path", "kind"), EXPECTED)
def test_a_path_says_what_a_file_is(path: str, kind: FileKind) -> None:
    assert file_kind(path) is kind


def test_a_version_copied_out_of_its_package_is_legacy() -> None:
    current = ["shop/cart.py", "shop/price.py", "shop/tax.py", "shop/ship.py"]
    kept = [path.replace("shop/", "shop/v1/") for path in current] + ["shop/v1/extra.py"]
    kinds = dict(zip([*current, *kept], file_kinds([*current, *kept]), strict=True))
    assert {path for path, kind in kinds.items() if kind is FileKind.LEGACY} == set(kept)


def test_a_version_of_its_own_is_current() -> None:
    paths = [
        "api/doc.go",
        "api/types.go",
        "api/v1/doc.go",
        "api/v1/types.go",
        "api/v1/cart.go",
        "api/v1/tax.go",
    ]
    assert set(file_kinds(paths)) == {FileKind.SOURCE}


def test_migrations_beside_the_journal_of_their_tool_are_legacy() -> None:
    written = ["db/drizzle/0000_calm_otter.sql", "db/drizzle/0001_brave_wren.sql"]
    paths = [*written, "db/drizzle/meta/_journal.json", "db/drizzle/client.ts", "db/views/0001_sales.sql"]
    kinds = dict(zip(paths, file_kinds(paths), strict=True))
    assert {path for path, kind in kinds.items() if kind is FileKind.LEGACY} == set(written)
    assert set(file_kinds([*written, "db/drizzle/client.ts"])) == {FileKind.SOURCE}


def translations(*paths: str) -> set[str]:
    return {path for path, kind in zip(paths, file_kinds(paths), strict=True) if kind is FileKind.TRANSLATION}


@pytest.mark.parametrize(
    ("original", "translated"),
    [
        ("i18n/en.json", "i18n/de.json"),
        ("lang/en-US.json", "lang/pt-BR.json"),
        ("l10n/en_GB.js", "l10n/lo.js"),
        ("locales/en/translation.yml", "locales/zh-Hant-TW/translation.yml"),
        ("conf/locale_en-US.ini", "conf/locale_en-GB.ini"),
        ("app/src/main/res/values/strings.xml", "app/src/main/res/values-pt-rBR/strings.xml"),
        ("App/en.lproj/Localizable.strings", "App/fr.lproj/Localizable.strings"),
        ("src/messages.properties", "src/messages_fr.properties"),
        ("Shop/Strings.resx", "Shop/Strings.es.resx"),
        ("docs/en/guide.md", "docs/ja/guide.md"),
        ("README.md", "README_zh-CN.md"),
        ("lang/en/errors.php", "lang/de_informal/errors.php"),
        ("lang/shop_en.ts", "lang/shop_sr@latin.ts"),
        ("lang/shop_en.ts", "lang/shop_uz@Latn.ts"),
        ("translations/en_US.json", "translations/nan_Latn_pehoeji.json"),
        ("languages/shop.pot", "languages/shop-de_DE_formal.po"),
        ("i18n/en.json", "i18n/yue.json"),
        ("res/values/strings.xml", "res/values-ca@valencia/strings.xml"),
        ("templates/mail/en/reset.vm", "templates/mail/pt_BR/reset.vm"),
        ("views/welcome.en.hbs", "views/welcome.de.hbs"),
        ("README.md", "docs/README.md.de.po"),
        ("locale/django.pot", "locale/he_IL/LC_MESSAGES/django.po"),
    ],
)
def test_what_says_the_same_in_another_language_is_a_translation(original: str, translated: str) -> None:
    assert translations(original, translated) == {translated}


def test_the_messages_of_a_project_in_another_language_are_no_translations() -> None:
    assert not translations("lang/de.json", "lang/fr.json", "shop/cart.py")


@pytest.mark.parametrize(
    "paths",
    [
        ("execnet/gateway_base.py", "execnet/gateway_io.py", "execnet/gateway_os.py"),
        ("pkg/read_en.py", "pkg/read_io.py"),
        ("lib/base/train.py", "lib/ml/train.py", "lib/is/train.py"),
        ("examples/counter/public/index.html", "examples/counter-ts/public/index.html"),
        ("fixtures/lastfm.artist.page.html", "fixtures/lastfm.artist.page.no_meta.html"),
        ("templates/base.html", "templates/my.html"),
        ("conf/base.yml", "conf/io.yml"),
        ("templates/de/reset.vm", "templates/reset.vm"),
    ],
)
def test_words_of_programming_are_no_languages(paths: tuple[str, ...]) -> None:
    assert not translations(*paths)


def test_messages_in_many_languages_without_english_are_made_of_those_in_the_code() -> None:
    catalogs = [f"pkg/i18n/{code}.json" for code in ("de", "ja", "ko", "nl", "pl")]
    assert translations(*catalogs, "pkg/i18n/english.go") == set(catalogs)
    assert not translations(*(path.replace("i18n", "ratings") for path in catalogs), "pkg/ratings/us.json")


def test_names_that_look_like_languages_are_none() -> None:
    code = ("user.go", "user_id.go", "cart.py", "cart_is.py", "sort/to.ts", "io/en/read.c", "io/no/read.c")
    assert not translations(*code, "docs/vi/index.md", "docs/index.md", "docs/vi/keys.md", "docs/ids.md")


def test_messages_beside_those_of_no_language_are_translations() -> None:
    german, hebrew = "moko-resources/de/strings.xml", "moko-resources/iw/strings.xml"
    assert translations("moko-resources/base/strings.xml", german, hebrew) == {german, hebrew}


def test_documents_that_most_of_a_folder_repeats_are_translated() -> None:
    pages = ["docs/start.md", "docs/cart.md", "docs/price.md"]
    german = [path.replace("docs/", "docs/de/") for path in pages]
    assert translations(*pages, *german) == set(german)


def test_a_catalog_that_was_indexed_alone_is_known_once_it_is_merged() -> None:
    kinds = mark_by_neighbours(["i18n/de.json", "i18n/en.json"], kind_codes(["i18n/x.json"] * 2))
    assert [KINDS[code] for code in kinds] == [FileKind.TRANSLATION, FileKind.DATA]
