"""Tells licences, tests, examples, legacy code, changelogs, documents, settings and data; the rest is source.

Each row is the habit of a language or of a tool: ``test_cart.py`` is a test and ``test_runner.c`` is not;
``spec/`` holds tests in Ruby and a specification elsewhere.
"""

from __future__ import annotations

from msgspec import Struct

PYTHON = "py pyi pyx pxd pxi ipynb"
SCRIPT = "js jsx mjs cjs ts tsx mts cts vue svelte coffee"
WEB = f"{SCRIPT} css scss less map html"
JVM = "java kt kts scala groovy"
# What declares the functions of C and C++ that another file defines.
C_HEADERS = (".h", ".hh", ".hpp", ".hxx")
C = "c h cc cpp cxx hpp hh hxx m mm cu"
SHELLS = "sh bash zsh fish ps1 psm1"
PROGRAMS = (
    f"{PYTHON} {SCRIPT} {JVM} {C} go rs rb rake cs fs vb php swift dart ex exs erl hrl hs lua pl pm r jl zig nim cr clj cljs"
    f" cljc ml mli el lisp scm {SHELLS} sql proto graphql tf tofu hcl nomad sol d f90 f for f77 pas ada adb ads asm nasm"
    " s v vh sv svh vhd vhdl tcl tm exp thrift nix bzl star"
)
_SHELL = "(?:shell|bash|zsh|fish|elvish|nushell|powershell|pwsh|tab)"
# Before the word in MIT-LICENSE, APACHE_LICENSE, THIRD-PARTY-LICENSES.
_LICENCES = r"(?:[A-Z][A-Z\d]*|Mit|Apache|Bsd|v?\d+)"
_LIBRARIES = (
    "ace|bootstrap|ckeditor|codemirror|font-?awesome|jquery|katex|leaflet|mathjax|monaco|pdf-?js|pdf\\.js|select2|summernote"
    "|swagger-?ui|tinymce|video-?js"
)
_FILES_OF_LIBRARIES = (
    "axios|backbone|data-?tables|day-?js|echarts|flatpickr|full-?calendar|handlebars|highcharts|hls|htmx|jdenticon|knockout"
    "|lodash|modernizr|mustache|popper|raphael|showdown|underscore|zepto"
)
_SPOKEN = (
    "(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|eu|fa|fi|fr|gl|he|hi|hr|hu|id|is|it|ja|ka|kk|ko|lt|lv|mk|ms|nb|nl|nn|no|pl|pt|ro"
    "|ru|sk|sl|sq|sr|sv|th|tr|uk|ur|uz|vi|zh)(?:[-_][A-Za-z]{2,4})?(?:[-_](?:in)?formal)?"
)


class Rule(Struct, frozen=True):
    """Matches files whose path or whose name fits.

    ``path`` is searched from the beginning of any folder, or of the whole path where it begins with ``^``; ``name`` is
    the whole name. Neither has an extension: ``of`` are those that the rule is about (empty: all; ``*`` and ``?`` stand for
    letters), ``but`` those that it is not about.
    """

    path: str = ""
    name: str = ""
    of: str = ""
    but: str = ""


# Below these folders lies what a project ships: spring-test, rack-test and the package com.example are its products.
PRODUCT = {
    **dict.fromkeys(JVM.split(), r"src/(?:main|\w+Main)/"),
    **dict.fromkeys(("rb", "rake", "ex", "dart", "pm"), "lib/"),
}

LICENCES = (
    Rule(
        name=rf"(?:(?:{_LICENCES}[-_])*(?:LICEN[CS]ES?|License)|UNLICENSE|COPYING|COPYRIGHT|NOTICE|PATENTS)(?:[-_. ].*)?",
        but=PROGRAMS,
    ),
    Rule(name="(?i:code[-_ ]?of[-_ ]?conduct)(?:[-_. ].*)?", but=PROGRAMS),
    # What those are asked who report a bug: their reports repeat it.
    Rule(path=r"\.git(?:hub|lab)/(?i:(?:issue|pull_request|merge_request)_templates?)/"),
    Rule(name="(?i:(?:issue|pull_request|merge_request)[-_]template)(?:[-_. ].*)?", but=PROGRAMS),
    Rule(path="^LICENSES/"),
    # What others wrote and under which terms, most often listed by a tool.
    Rule(name=r"(?i:(?:[\w.-]*[-_.])?(?:licen[cs]es|third[-_]?party[-_](?:notices?|software)))", of="txt md"),
    Rule(of="license licence"),
)

# Helpers that a project ships for the tests of others (numpy/testing, Go's testing/, django/test) are not tests.
TESTS = (
    Rule(path=r"(?:[Tt]ests|__(?:tests|mocks|fixtures|snapshots)__|testdata|fixtures?|e2e)/"),
    Rule(path="[Tt]est/", but=f"{PYTHON} php"),
    Rule(path="^(?:src/)?test/", of=PYTHON),
    # Perl's folder of tests, which git, OpenResty and Celery have taken over.
    Rule(path="^t/", of=f"{PYTHON} pl pm sh bash lua"),
    # Symfony and Monolog ship what is in Test/, their own tests are in Tests/.
    Rule(path="test/", of="php"),
    Rule(path=r"[\w.-]+[-_.][Tt]ests/"),
    Rule(path=r"[\w.]+\.Test/", of="cs fs vb"),
    Rule(path=r"[\w.]+\.Benchmarks?/"),
    Rule(
        path="(?:unit|integration|functional|acceptance|system|smoke|e2e|end-to-end|perf|performance|regression|load|stress"
        "|browser|component|api|ui|cli|compile)[-_]test/"
    ),
    Rule(
        path=r"(?:[^\W_]+[-_.]+)*test(?:s|ing)?[-_.](?:suites?|data|cases?|files?|fixtures?|resources?|utils?|helpers?"
        "|support|assets?|apps?|projects?|packages?|inputs?|programs?|unit|integration|e2e|types?|dts|cli|core|browser|node)/"
    ),
    # BSD and what grew there.
    Rule(path="regress/"),
    # In txtar, the format of Go's testscript, the cases of tests of commands end as any text does.
    Rule(path="test(?:scripts|suites?)/"),
    # Where Go keeps what its tests share; others write the name of the file so.
    Rule(path="test(?:utils?|helpers?|support)/"),
    Rule(name="[Tt]est[-_]?(?:[Uu]til(?:itie)?s?|[Hh]elpers?)", of=PROGRAMS),
    Rule(path="src/(?:[a-z]+Test|testFixtures)/", of=JVM),
    Rule(path="specs?/", of=f"rb rake php lua cr {SCRIPT}"),
    Rule(path="cypress/", of=SCRIPT),
    # Below src/ and lib/ such a folder is about what the product measures: the benchmark reporters of a test runner.
    Rule(path="^(?:(?!src/|lib/)[^/]+/)*(?:benchmarks?|bench(?:es)?|fuzz(?:ing)?)/"),
    Rule(name="(?:e2e_)?test_.+|.+_test|tests|conftest|bench_.+|.+_bench(?:mark)?", of=PYTHON),
    # Go prints the functions of example_test.go in the documentation.
    Rule(name=r"(?!example(?:_\w+)?_test$).+_test", of="go"),
    Rule(name=".+_test", of="dart exs lua clj cljs cljc sh ml mli gleam nim f90"),
    Rule(name=".+_spec", of="lua cr"),
    Rule(name="(?:.+_(?:test|spec|bench|benchmark)|(?:test|spec|rails)_helper)", of="rb"),
    Rule(
        name=r".+\.(?:(?:tests?|spec)(?:\.[\w-]+)?|bench|e2e|e2e-spec|cy|test-d)|.+[-_]tests?|setupTests",
        of=SCRIPT,
    ),
    Rule(name=".*[a-z0-9](?:Tests?|TestCase|IT|Benchmark)", of=JVM),
    Rule(name=".*[a-z0-9](?:Spec|Suite)", of="kt scala groovy"),
    Rule(name=".*[a-z0-9](?:Tests?|TestCase|Benchmarks?)", of="cs fs vb php swift m mm cc cpp hs pas"),
    Rule(name=".*[a-z0-9](?:Spec|Cest)", of="php hs swift"),
    Rule(name="tests|.+_tests?|.+_bench", of="rs"),
    # A module test.rs; among the commands of a tool it is the one that tests.
    Rule(path="^(?:(?!(?:commands?|cmds?|subcommands?|cli|bin|ops|tools)/)[^/]+/)*test$", of="rs"),
    Rule(name=".+[-_](?:tests?(?:[-_](?:utils?|helpers?|common|cases?))?|unittest|bench(?:mark)?)", of=C),
    Rule(name=".+_(?:SUITE|tests)", of="erl"),
    Rule(name="runtests|.+_tests?", of="jl"),
    Rule(name=".+-tests?", of="el lisp"),
    # Benches that drive a circuit.
    Rule(name="tb|tb_.+|.+_tb|(?:.+_)?testbench", of="v sv svh vhd vhdl"),
    # MATLAB's.
    Rule(name=r"(?:[Tt]est_|test(?=[A-Z]))\w+|.+_[Tt]est", of="m"),
    # Foundry's tests, and contracts that only tests deploy.
    Rule(name=r".+\.t", of="sol"),
    Rule(path="mocks/", of="sol"),
    Rule(path="features/", of="feature"),
    # A project's own format for the cases of its tests is called after them, as in .sqltest; .latest is none.
    Rule(of="t bats robot snap ambr phpt txtar golden ?*[!a]test"),
)

EXAMPLES = (
    Rule(path="(?<!com/)(?<!org/)(?:_?[Ee]xamples?|[Ss]amples|[Dd]emos?|[Tt]utorials?)/"),
    Rule(path="^(?:sample|playgrounds?|sandbox)/"),
    # What Hugo begins a new page with.
    Rule(path="archetypes/", of="md html"),
    Rule(path="stories/", of=f"{SCRIPT} mdx"),
    Rule(name=r".+\.stor(?:y|ies)", of=f"{SCRIPT} mdx"),
    Rule(name=r"example(?:_\w+)?_test", of="go"),
    # Requests to send by hand: Bruno, the HTTP clients of editors, Hurl.
    Rule(of="bru http hurl"),
)

_MIGRATIONS = r"(?:\w+[-_])?(?:[Mm]igrations?|migrate)/(?:[^/]+/)?"
# What others wrote, what is kept for those who cannot move on, and what was run once.
LEGACY = (
    Rule(path="(?:_?compat(?:ibility)?|legacy|deprecated|_?vendored|_vendor|third[-_]?party|3rdparty)/"),
    Rule(path="^vendor/"),
    Rule(path=r"vendor/[\w-]+\.[a-z]+/", of="go s"),
    Rule(path="(?:assets|static|public|lib|src|js|javascripts|stylesheets)/vendor/", of=WEB),
    Rule(path="^deps/", of=C),
    Rule(name="_?compat|_?legacy", of=f"{PYTHON} {SCRIPT}"),
    # Docusaurus keeps the pages of each release; those of now are in docs/.
    Rule(path=r"versioned_docs/version-[^/]+/"),
    # One step each in the history of a database, by number or by date: Django, Rails, Laravel, Entity Framework, Flyway,
    # Knex, Yii, Doctrine; in SQL, by any name.
    Rule(path=rf"{_MIGRATIONS}(?:[VUm]?\d+[-_]|Version\d{{4}})[^/]*$", of=PROGRAMS),
    # What they lead to may be next to them.
    Rule(
        path=r"(?:\w+[-_])?(?:[Mm]igrations?|migrate)/(?:[^/]+/)*(?!(?i:latest|schema|structure)$)[^/]+$",
        of="sql sqm",
    ),
    # Rails' record of where they led, of which each name is in a model as well.
    Rule(path=r"db/(?:\w+_)?schema$", of="rb"),
    # Alembic, whose steps are called by their hashes.
    Rule(path="(?:alembic|migrations)/versions/", of="py"),
    # Frappe's steps lie in a folder for the version that they led to.
    Rule(path=r"patches/v\d+(?:_\d+)*/", of="py"),
)

TEXTS = "md mdx markdown rst adoc txt org rdoc pod html"
# What came with which version, by file or by fragment: towncrier, changesets, Sphinx, Django.
CHANGELOGS = (
    Rule(
        path="(?:changes|CHANGES|changelogs?|changelog\\.d|news|newsfragments|\\.changeset|release[-_ ]?notes)/",
        but=PROGRAMS,
    ),
    Rule(path="^docs?/(?:[^/]+/)*(?:releases|whats[-_]?new)/", of=TEXTS),
    # Jekyll's pages lie in folders such as _docs/.
    Rule(path=r"^docs?/(?:(?:source|src|_\w+)/)?(?:changes|news|history|releases)$", of=TEXTS),
    # Ruby's word for it; below docs/ it may be the history of the project.
    Rule(path="^(?!docs?/)(?:[^/]+/)*History$", of=TEXTS),
    Rule(name="(?:CHANGELOG|Change[Ll]og|CHANGES|Changes|HISTORY|NEWS|RELEASES)(?:[-_. ].*)?", but=PROGRAMS),
    Rule(name="(?i:change[-_ ]?logs?|release[-_ ]?notes?|what'?s[-_ ]?new)(?:[-_. ].*)?", of=TEXTS),
)

# Pages of a site are made of such data; nobody reads it for itself.
TABLES = "json jsonl yaml yml toml csv tsv xml"
_NO_DATA = "(?!(?:[^/]+/)*_?data/)"

DOCUMENTS = (
    # A folder doc/ of Go files is a package.
    Rule(path=r"^(?:[\w-]+-)?(?:docs?|[Dd]ocumentation)/", but=f"go {TABLES}"),
    Rule(path=rf"^(?:[\w-]+-)?(?:docs?|[Dd]ocumentation)/{_NO_DATA}", of=TABLES),
    Rule(path=r"^(?:[\w-]+-)?docs/", of="go"),
    Rule(path="^(?:packages|crates|apps|modules|libs|plugins|projects)/[^/]+/docs?/"),
    Rule(path=r"^(?:[\w-]+-)?website/", of=WEB),
    Rule(
        path="(?:docs?|[Dd]ocumentation|website|man)/",
        but=f"{PROGRAMS} {TABLES}",
    ),
    Rule(path=f"^(?:[^/]+/)*(?:docs?|[Dd]ocumentation|website|man)/{_NO_DATA}", of=TABLES),
    Rule(
        name="(?:README|Readme"
        "|AUTHORS|CONTRIBUTORS|CONTRIBUTING|MAINTAINERS|THANKS|CREDITS|INSTALL|TODO|ROADMAP|SECURITY"
        "|UPGRADING|CODEOWNERS)(?:[-_. ].*)?",
        but=PROGRAMS,
    ),
    Rule(name="(?!CMakeLists$|meson_options$|requirements|constraints).+", of="txt"),
    # What agents are told (.cursor/rules) is Markdown by another name.
    Rule(of="md mdc mdx markdown mkd rst adoc asciidoc org textile rdoc pod texi texinfo tex bib"),
    # Manual pages carry their section as extension; 0 and 1 also end the names of licences ("GPL 3.0").
    Rule(of="0 1 2 3 4 5 6 7 8 9 1p 3p 3pm 3x 8s roff man mdoc scd ronn"),
)

# How the project is built, checked and run.
SETTINGS = (
    Rule(path=r"^\.(?:github/(?:workflows|actions)|gitlab|circleci|buildkite)/", of="yml yaml"),
    Rule(
        name=r"(?:docker-)?compose(?:[-.]\w+)*|\.gitlab-ci|\.travis|azure-pipelines|\.?appveyor|\.readthedocs|\.golangci"
        r"|\.pre-commit-config|mkdocs|pubspec|Chart|values|pnpm-workspace|application(?:-\w+)?|.*(?:config|settings).*",
        of="yml yaml",
    ),
    # Rails, Symfony and JHipster keep in such a folder what a program is told when it starts.
    Rule(path=r"config/(?:(?:packages|routes|environments)/)?[^/]+$", of="yml yaml"),
    Rule(
        name=r"package|composer|deno|angular|nx|turbo|lerna|vercel|renovate|project|global|[tj]sconfig(?:[-.]\w+)*"
        r"|.*(?:config|settings).*",
        of="json jsonc json5",
    ),
    Rule(name="pom|build|ivy|nuget|.*(?:[Cc]onfig|[Ss]ettings).*", of="xml"),
    Rule(name="go|gleam|go.work", of="mod"),
    Rule(name="requirements.*|constraints.*", of="txt"),
    # What a program says to people in Java stands in files of the same kind.
    Rule(
        name=rf"(?!(?:.*[Mm]essages?|[Ll]abels|[Ss]trings|LocalStrings|.*Bundle|.*[-_.]{_SPOKEN})$).+",
        of="properties",
    ),
    Rule(of="toml ini cfg conf config neon csproj vbproj fsproj vcxproj wixproj props targets nuspec"),
    Rule(name=r"\.\w+rc", of="json yml yaml"),
    Rule(name=r"\.\w+rc|\.tool-versions|\.[\w-]+-version|\.editorconfig"),
)

# Where pages are written by hand, or made of pieces: Django, Rails, Spring, Angular, Go.
_TEMPLATES = "(?:templates?|_?layouts?|_?includes?|partials?|views?|pages?|components?|fragments?|src/app)/"

DATA = (
    # Made by a tool or copied from elsewhere: minified, bundled, or with a hash or a version in the name.
    Rule(name=r".+\.(?:min|bundle|chunk|umd|iife|esm|cjs)", of=WEB),
    Rule(name=r".+[.-](?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}", of=WEB),
    Rule(name=r"[A-Za-z][\w.]*[-.@]v?\d+\.\d+\.\d+(?:[.-]\w+)?", of=WEB),
    Rule(path="dist/", of=WEB),
    # Tree-sitter's, one folder for each language.
    Rule(path="queries/", of="scm"),
    Rule(path=r"(?:\.generated|__generated__)/"),
    Rule(
        path="(?:public|static|wwwroot)/(?:[^/]+/){0,8}?"
        r"(?:assets|build|dist|libs?|packs|plugins|bundles|vendors?|chunks|\w[\w.]*-\d[\w.]+)/",
        of=WEB,
    ),
    # Libraries that are shipped whole, with pages and sources of their own.
    Rule(
        path=rf"(?:public|static|wwwroot)/(?:[^/]+/){{0,8}}?(?:{_LIBRARIES})(?:[-_.@]?v?\d[\w.-]{{0,20}})?/",
        of=WEB,
    ),
    # Such a library by itself, in a folder of what is served.
    Rule(
        path=r"(?:assets|public|static|wwwroot)/(?:[^/]+/){0,8}?"
        rf"(?:{_LIBRARIES}|{_FILES_OF_LIBRARIES})(?:[-_.@][\w.-]{{0,30}})?$",
        of=WEB,
    ),
    Rule(path="priv/static/", of=WEB),
    # What a shell completes for a program repeats its options, most often by a tool.
    Rule(path=f"(?:(?:{_SHELL}[-_])?completions?|complete)/", of=f"{SHELLS} elv nu"),
    Rule(path=rf"(?:{_SHELL}[-_])?completions?/(?:[^/]+/)*_[\w-]+$", but=PROGRAMS),
    Rule(path=r"(?:ba|z|fi)sh[-_]completions?(?:\.d)?/(?:[^/]+/)*[a-z][\w.-]*$", but=PROGRAMS),
    Rule(name=r"[\w.-]+[-_](?:ba|z|fi)sh[-_]completions?"),
    Rule(
        path=rf"(?:locales?|langs?|languages|i18n|l10n|translations?)/"
        rf"(?:{_SPOKEN}/|(?:(?:messages|strings|app|lang|locale|translations?|common)[-_.])?{_SPOKEN}$)",
        of=f"{SCRIPT} php py rb",
    ),
    # Catalogs of Qt, called after the program.
    Rule(path=rf"(?:locales?|langs?|languages|i18n|l10n|translations?)/[\w-]{{1,60}}_{_SPOKEN}$", of="ts"),
    Rule(path=r"^\.(?:github|gitlab|circleci|vscode|idea|changeset)/"),
    # Elsewhere a page is what a tool made, or a site shows.
    Rule(path=rf"^(?!(?:[^/]+/)*(?:{_TEMPLATES}|[^/]+\.component$))", of="html htm xhtml"),
    Rule(name="requirements.*|constraints.*", of="txt"),
    # Rows that a database begins with.
    Rule(path="(?:seed(?:s|ers|_data)?|dumps?|fixtures|(?:demo|sample)[-_]?data)/", of="sql"),
    Rule(name="(?!.*schema)(?:.+[-_.])?(?:seeds?|dump|fixtures|(?:demo|sample)[-_]?data)", of="sql"),
    Rule(
        of="json jsonc json5 hujson jsonl ndjson geojson yaml yml toml xml xsd csv tsv ini cfg conf env properties plist"
        " lock lockfile sum mod resolved css scss sass less styl svg map po pot mo xlf xliff ftl resx strings"
        " stringsdict arb snapshot api patch diff log pem crt cer csr key pub asc sig eml har ics vcf service socket timer"
        " desktop xib storyboard pbxproj sln csproj vbproj fsproj vcxproj nuspec neon typed dat in sublime-syntax tmlanguage"
        " tmtheme wordlist dic aff qrc dotsettings code-workspace webmanifest cff eps sixel"
    ),
    Rule(name=r"\..+"),
)
