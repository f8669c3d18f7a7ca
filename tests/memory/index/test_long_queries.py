"""An issue report with a trace, code and paths finds the code that it is about; short questions stay as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contextls.engine import Engine
from contextls.memory.index.priors import FileKind
from contextls.memory.index.query.long_queries import (
    PartWeights,
    gist,
    is_long,
    names_in,
    read_report,
    weigh_terms,
)
from contextls.memory.index.query.report_lines import LineKind
from contextls.memory.index.query.search_query import identifiers_in, prepare_query
from contextls.memory.index.query.traces import find_in_workspace, places_in
from contextls.memory.index.terms import TermSplitter

from ..workspaces import found, opened, write

FILES = {
    "shop/cart.py": "from shop.prices import discounted\n\n\ndef total(items):\n"
    "    return sum(discounted(item) for item in items)\n",
    "shop/prices.py": "def discounted(price, percent=10):\n    return price - price * percent / 100\n",
    "web/app.ts": "export function renderPage(user: User): string {\n  return greet(user.name);\n}\n",
    "web/greet.ts": "export function greet(name: string): string {\n  return 'Hello ' + name.trim();\n}\n",
    "cmd/main.go": "package main\n\nfunc main() {\n\tstartServer(nil)\n}\n",
    "cmd/server.go": "package main\n\nfunc startServer(c *Config) {\n\tlisten(c.Port)\n}\n",
    "src/parse.rs": "pub fn parse_number(text: &str) -> u32 {\n    text.parse().unwrap()\n}\n",
    "src/run.rs": 'pub fn run_all() {\n    parse_number("x");\n}\n',
    "java/com/acme/Ledger.java": "package com.acme;\n\nclass Ledger {\n  void post(Entry e) {\n    e.amount();\n  }\n}\n",
    "java/com/acme/Main.java": "package com.acme;\n\nclass Main {\n  void run() {\n    ledger.post(null);\n  }\n}\n",
    "Billing/Invoice.cs": "class Invoice {\n  decimal Sum() {\n    return lines.First();\n  }\n}\n",
    "lib/queue.rb": "class Queue\n  def run(mails)\n    mails.each { |mail| mailer.deliver(mail) }\n  end\nend\n",
    "lib/mailer.rb": "class Mailer\n  def deliver(message)\n    message.body.strip\n  end\nend\n",
    "src/Shop/Disk.php": "<?php\nclass Disk {\n  function move(string $to) {\n    return rename($this->at, $to);\n  }\n}\n",
    "src/Upload.php": "<?php\nclass Upload {\n  function store($file) {\n    return $file->move();\n  }\n}\n",
    "docs/guide.md": "# Guide\n\nThe server starts, the page renders, the user opens the shop and it crashes never.\n",
}
MORE_FILES = {
    "lib/shop/basket.ex": "defmodule Shop.Basket do\n  def sum(basket) do\n    Enum.sum(basket.prices)\n  end\nend\n",
    "src/tally.zig": "fn tally(items: []u8) u8 {\n    return items[9];\n}\n",
    "src/ring.c": "int ring_read(struct ring *ring) {\n  return *ring->head;\n}\n",
    "lib/src/badge.dart": "class Badge {\n  String label() {\n    return owner!.name;\n  }\n}\n",
    "src/Shop/Rate.hs": 'module Shop.Rate where\n\nrate x = error "none"\n',
    "src/coupon.ml": "let redeem coupon =\n  List.hd coupon\n",
    "src/stock.jl": "function restock(shelf)\n  shelf[0]\nend\n",
    "Billing/Dunning.cs": "class Dunning {\n  async Task Remind(Customer who) {\n    await Send(who.Mail);\n  }\n}\n",
    "java/com/acme/Voucher.java": "package com.acme;\n\nclass Voucher {\n  void print(Page p) {\n    p.line();\n  }\n}\n",
    "java/com/acme/Main.java": FILES["java/com/acme/Main.java"],
    "shop/cart.py": FILES["shop/cart.py"],
    "shop/prices.py": FILES["shop/prices.py"],
}
GREETING = (
    "Hi everyone, thank you for this great project! We have used it for years in our company and like it a lot. "
    "Yesterday after the update we saw that something crashes for some users when they open the page of the guide.\n\n"
)
ENVIRONMENT = "\n\n### Environment\n\n- OS: Ubuntu 22.04\n- Version: 1.2.3\n- [x] I have read the guide\n"

TRACES = {
    "python": (
        'Traceback (most recent call last):\n  File "/home/me/app/shop/cart.py", line 5, in total\n    return sum(...)\n'
        '  File "/home/me/app/shop/prices.py", line 2, in discounted\n    return price - price\n'
        '  File "/usr/lib/python3.11/decimal.py", line 9, in __sub__\nTypeError: unsupported operand\n',
        "shop/prices.py",
        2,
    ),
    "node": (
        "TypeError: Cannot read properties of undefined (reading 'trim')\n"
        "    at greet (file:///srv/web/greet.ts:2:28)\n    at renderPage (/srv/web/app.ts:2:10)\n"
        "    at node:internal/main:12:3\n",
        "web/greet.ts",
        2,
    ),
    "go": (
        "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\n"
        "main.startServer(0x0)\n\t/home/me/app/cmd/server.go:4 +0x1d\nmain.main()\n\t/home/me/app/cmd/main.go:4 +0x20\n",
        "cmd/server.go",
        4,
    ),
    "rust": (
        "thread 'main' panicked at src/parse.rs:2:18:\ncalled `Result::unwrap()` on an `Err` value\nstack backtrace:\n"
        "   0: std::panicking::begin\n             at /rustc/abc/library/std/src/panicking.rs:5:1\n"
        "   1: app::run_all\n             at ./src/run.rs:2:5\n",
        "src/parse.rs",
        2,
    ),
    "java": (
        'Exception in thread "main" java.lang.NullPointerException\n\tat com.acme.Ledger.post(Ledger.java:5)\n'
        "\tat com.acme.Main.run(Main.java:5)\n\tat java.base/java.lang.Thread.run(Thread.java:833)\n",
        "java/com/acme/Ledger.java",
        5,
    ),
    "csharp": (
        "Unhandled exception. System.InvalidOperationException: Sequence contains no elements\n"
        "   at System.Linq.Enumerable.First[T](IEnumerable`1 source)\n"
        "   at Acme.Invoice.Sum() in C:\\work\\Billing\\Invoice.cs:line 3\n",
        "Billing/Invoice.cs",
        3,
    ),
    "ruby": (
        "lib/mailer.rb:3:in 'Mailer#deliver': undefined method 'body' for nil (NoMethodError)\n"
        "\tfrom bin/run:7:in '<main>'\n",
        "lib/mailer.rb",
        3,
    ),
    "ruby to a terminal": (
        "Traceback (most recent call last):\n\t2: from bin/run:7:in `<main>'\n"
        "\t1: from /app/lib/queue.rb:3:in `run'\n"
        "/app/lib/mailer.rb:3:in `deliver': undefined method `body' for nil (NoMethodError)\n",
        "lib/mailer.rb",
        3,
    ),
    "php": (
        "PHP Fatal error:  Uncaught Error: Call to a member function move() on null\nStack trace:\n"
        "#0 /var/www/src/Upload.php(4): Upload->store(NULL)\n#1 {main}\n",
        "src/Upload.php",
        4,
    ),
    "php in a log of Monolog": (
        '[2026-10-12 03:00:01] production.ERROR: It broke. {"exception":"[object] (TypeError(code: 0): Disk::move(): '
        "Argument #1 must be of type string, null given, called in /var/www/src/Upload.php on line 4 at "
        '/var/www/src/Shop/Disk.php:3)\n[stacktrace]\n#0 /var/www/src/Upload.php(4): Disk->move(NULL)\n#1 {main}\n"}\n',
        "src/Shop/Disk.php",
        3,
    ),
}
MORE_TRACES = {
    "elixir": (
        "** (KeyError) key :prices not found\n    (elixir 1.13.2) lib/enum.ex:1693: Enum.sum/1\n"
        "    (shop 0.1.0) lib/shop/basket.ex:3: anonymous fn/2 in Shop.Basket.sum/1\n",
        "lib/shop/basket.ex",
        3,
    ),
    "zig": (
        "thread 7 panic: index out of bounds\n/home/me/shop/src/tally.zig:2:17: 0x1030a in tally (shop)\n"
        "/usr/lib/zig/std/start.zig:501:22: 0x1031 in posixCallMainAndExit (shop)\n",
        "src/tally.zig",
        2,
    ),
    "sanitizer": (
        "==7==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x4f5a in ring_read /build/shop/src/ring.c:2:10\n",
        "src/ring.c",
        2,
    ),
    "dart": (
        "Null check operator used on a null value\n#0      Badge.label (package:shop/src/badge.dart:3:17)\n"
        "#1      _rootRun (dart:async/zone.dart:1399:13)\n",
        "lib/src/badge.dart",
        3,
    ),
    "haskell": (
        "shop: none\nCallStack (from HasCallStack):\n  error, called at src/Shop/Rate.hs:3:10 in main:Shop.Rate\n",
        "src/Shop/Rate.hs",
        3,
    ),
    "ocaml": (
        'Fatal error: exception Failure("hd")\nRaised at Stdlib.failwith in file "stdlib.ml", line 29, characters 17-33\n'
        'Called from Dune__exe__Coupon.redeem in file "src/coupon.ml", line 2, characters 2-16\n',
        "src/coupon.ml",
        2,
    ),
    "julia": (
        "ERROR: BoundsError\nStacktrace:\n [1] getindex\n   @ ./array.jl:861 [inlined]\n [2] restock(shelf::Vector)\n"
        "   @ Main ~/shop/src/stock.jl:2\n",
        "src/stock.jl",
        2,
    ),
    "python in a box": (
        "╭──────── Traceback (most recent call last) ────────╮\n│ /srv/shop/cart.py:5 in total │\n"
        "│ /srv/shop/prices.py:2 in discounted │\n╰───────────────────────────────────────────────────╯\n",
        "shop/prices.py",
        2,
    ),
    "ipython": (
        "TypeError                                 Traceback (most recent call last)\n"
        "Cell In[3], line 1\n----> 1 total(['a'])\n\nFile ~/work/shop/cart.py:5, in total(items)\n"
        "      4 def total(items):\n----> 5     return sum(discounted(item) for item in items)\n\n"
        "File ~/work/shop/prices.py:2, in discounted(price, percent)\n"
        "      1 def discounted(price, percent=10):\n----> 2     return price - price * percent / 100\n\n"
        "TypeError: unsupported operand\n",
        "shop/prices.py",
        2,
    ),
    "older ipython": (
        "TypeError                                 Traceback (most recent call last)\n"
        "<ipython-input-3-29e339cba513> in <module>\n----> 1 total(['a'])\n\n~/work/shop/cart.py in total(items)\n"
        "      4 def total(items):\n----> 5     return sum(discounted(item) for item in items)\n\n"
        "~/work/shop/prices.py in discounted(price, percent)\n"
        "      1 def discounted(price, percent=10):\n----> 2     return price - price * percent / 100\n\n"
        "TypeError: unsupported operand\n",
        "shop/prices.py",
        2,
    ),
    "pytest": (
        "shop/cart.py:5: in total\n    return sum(discounted(item) for item in items)\n"
        "shop/prices.py:2: TypeError\n",
        "shop/prices.py",
        2,
    ),
    "a method of .NET": (
        "System.NullReferenceException: Object reference not set to an instance of an object.\n"
        "   at Acme.Billing.Dunning.<Remind>d__4.MoveNext()\n   at Acme.Invoice.Sum()\n",
        "Billing/Dunning.cs",
        2,
    ),
    "a method of the JVM": (
        "java.lang.NullPointerException\n\tat com.acme.Voucher$Line.print(Unknown Source)\n"
        "\tat com.acme.Main.run(SourceFile)\n",
        "java/com/acme/Voucher.java",
        4,
    ),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("reports"), FILES)) as engine:
        yield engine


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(write(tmp_path_factory.mktemp("more"), MORE_FILES)) as engine:
        yield engine


@pytest.mark.parametrize("runtime", TRACES)
def test_the_innermost_frame_of_the_workspace_leads(engine: Engine, runtime: str) -> None:
    trace, path, line = TRACES[runtime]
    best = engine.search(f"Crash when opening the page\n\n{GREETING}```\n{trace}```{ENVIRONMENT}", 10).hits[0]
    assert best.path == path
    assert best.start_line <= line <= best.end_line


@pytest.mark.parametrize("runtime", TRACES)
def test_a_trace_without_a_fence_or_a_word_around_it_is_read_too(engine: Engine, runtime: str) -> None:
    trace, path, _ = TRACES[runtime]
    assert found(engine, trace)[0] == path


@pytest.mark.parametrize("runtime", MORE_TRACES)
def test_so_does_that_of_less_common_runtimes(more: Engine, runtime: str) -> None:
    trace, path, line = MORE_TRACES[runtime]
    for report in (f"Crash when opening the page\n\n{GREETING}```\n{trace}```{ENVIRONMENT}", trace):
        best = more.search(report, 10).hits[0]
        assert (best.path, best.start_line <= line <= best.end_line) == (path, True)


@pytest.mark.parametrize(
    "raised",
    [
        "scrapy.exceptions.NotSupported: Response content isn't text",
        "requests.exceptions.TooManyRedirects: Exceeded 30 redirects.",
        "ActiveRecord::RecordInvalid: Validation failed: Name can't be blank",
        "main.py:3: error: Unexpected keyword argument",
        "main.c:12:5: fatal error: discount.h: No such file",
        "main.ts(3,5): error TS2322: Type 'string' is not assignable",
    ],
)
def test_what_was_raised_counts_whatever_it_is_called(raised: str) -> None:
    parts = {line: part for part, line in read_report(f"It breaks\n{raised}\nWhy: no idea").lines}
    assert (parts[raised], parts["Why: no idea"]) == (LineKind.ERROR, LineKind.PROSE)


def test_of_what_a_checker_found_the_message_counts_and_not_what_stands_before_it(tmp_path: Path) -> None:
    files = {
        "check/keywords.py": "def check_keywords(call):\n    for name in call.keywords:\n"
        "        yield explain(name, of='__post_build__')\n",
        "check/errors.py": "class Errors:\n    def sample(self, error):\n        self.errors.append(error)\n",
    }
    report = (
        "False positive since yesterday\n\nThis code:\n```python\nclass Basket(Shelf):\n    size: int\n```\nfails with\n"
        '```\nsample.py:3: error: Unexpected keyword "size" for "__post_build__" of "Basket"\n```\n'
    )
    with opened(write(tmp_path, files)) as engine:
        assert found(engine, report)[0] == "check/keywords.py"


def test_a_path_with_a_line_in_prose_leads_to_that_line(engine: Engine) -> None:
    best = engine.search(
        f"The page is wrong\n\n{GREETING}I think it is `web/app.ts:2`.{ENVIRONMENT}", 10
    ).hits[0]
    assert (best.path, best.start_line <= 2 <= best.end_line) == ("web/app.ts", True)


@pytest.mark.parametrize(
    "question", ["what happens at web/app.ts:2 here", "why is web/app.ts line 2 slow: web/app.ts:2"]
)
def test_a_line_named_in_one_sentence_comes_first(engine: Engine, question: str) -> None:
    best = engine.search(question, 10).hits[0]
    assert (best.path, best.start_line <= 2 <= best.end_line) == ("web/app.ts", True)


def test_a_file_named_in_one_sentence_comes_first(engine: Engine) -> None:
    assert found(engine, "how does the page in cmd/server.go greet the user")[0] == "cmd/server.go"


def test_the_root_cause_of_a_java_trace_leads(engine: Engine) -> None:
    trace = (
        "java.lang.IllegalStateException: run failed\n\tat com.acme.Main.run(Main.java:5)\n"
        "Caused by: java.lang.NullPointerException\n\tat com.acme.Ledger.post(Ledger.java:5)\n\t... 1 more\n"
    )
    assert found(engine, f"Crash\n\n{trace}")[0] == "java/com/acme/Ledger.java"


def test_frames_without_files_lead_to_what_they_name(engine: Engine) -> None:
    trace = (
        "thread 'main' panicked\nstack backtrace:\n   0: std::panicking::begin_panic::h0123456789abcdef\n"
        "   1: shop::parse::parse_number\n   2: shop::run::run_all::{{closure}}\n   3: std::rt::lang_start\n"
    )
    assert names_in(read_report(trace), PartWeights())[:3] == (
        "std::panicking::begin_panic",
        "shop::parse::parse_number",
        "shop::run::run_all",
    )
    assert {"src/parse.rs", "src/run.rs"} <= set(found(engine, f"It crashes\n\n{trace}")[:3])


def test_a_name_in_backticks_outweighs_a_page_of_prose(engine: Engine) -> None:
    report = (
        f"Wrong result since the update\n\n{GREETING}{GREETING}It must come from `parse_number`.{ENVIRONMENT}"
    )
    assert found(engine, report)[0] == "src/parse.rs"


def test_names_are_read_whole_however_they_are_spelled() -> None:
    told = "It stops\n\nSince today fooBarBaz hangs in _sendPacket, and _really_ often getHTTPResponse and __enter__.\n"
    assert names_in(read_report(told), PartWeights()) == (
        "fooBarBaz",
        "_sendPacket",
        "getHTTPResponse",
        "__enter__",
    )
    asked = "what breaks if _sendPacket or __enter__ of the _very_ old store_it changes?"
    assert identifiers_in(asked) == ("_sendPacket", "__enter__", "store_it")
    asked = "does Get-Item of Should-BeString set the Content-Type of a multi-Part, Red-Black answer?"
    assert identifiers_in(asked) == ("Get-Item", "Should-BeString")


def test_of_the_functions_that_go_prints_above_files_the_innermost_alone_says_what_failed() -> None:
    trace = (
        "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x1a3f2c4]\n\ngoroutine 7 [running]:\n"
        "acme.org/shop/pkg/cart.(*OpenLedger).Total(0xc000a12340)\n\t/src/shop/pkg/cart/ledger.go:15 +0x4c\n"
        "github.com/FishShipper/watery/message.(*handler).handleParcel(0xc0005b2000)\n"
        "\t/go/pkg/mod/github.com/!fish!shipper/watery@v1.5.1/message/router.go:819 +0x1c2\n"
        "created by github.com/FishShipper/watery/message.(*handler).run in goroutine 98\n"
        "\t/go/pkg/mod/github.com/!fish!shipper/watery@v1.5.1/message/router.go:643 +0x2a5\n"
    )
    report = read_report(f"It stops\n\nThe ledger is nil, why?\n\n{trace}")
    counted, splitter = weigh_terms(report, TermSplitter(), PartWeights()), TermSplitter()
    ledger, parcel = (splitter.question_terms(word)[0].hash for word in ("OpenLedger", "handleParcel"))
    assert counted[ledger] == 1 > counted[parcel] > 0
    assert splitter.question_terms("segmentation")[0].hash not in counted
    assert "FishShipper" not in gist(f"It stops\n\nThe ledger is nil, why?\n\n{trace}")


def test_environment_and_greetings_count_nothing() -> None:
    report = read_report(f"Title words\n\nHello,\n\nThe ledger is empty.{ENVIRONMENT}Thanks!\n")
    splitter = TermSplitter()
    counted = weigh_terms(report, splitter, PartWeights())
    title, ledger, ubuntu, thanks = (
        counted.get(splitter.question_terms(word)[0].hash, 0.0)
        for word in ("title", "ledger", "ubuntu", "thanks")
    )
    assert title > ledger > ubuntu == thanks == 0
    assert "Ubuntu" not in gist(f"Title words\n\nThe ledger is empty.{ENVIRONMENT}")


def test_words_of_every_report_count_next_to_nothing() -> None:
    splitter = TermSplitter()
    counted = weigh_terms(
        read_report("[Bug] Regression: the ledger is empty\n\nIt is."), splitter, PartWeights()
    )
    bug, regression, ledger = (
        counted[splitter.question_terms(word)[0].hash] for word in ("bug", "regression", "ledger")
    )
    assert 0 < bug == regression < ledger / 10


def test_the_version_that_a_report_names_finds_nothing() -> None:
    splitter = TermSplitter()
    report = read_report("Merge stops in 2.7.9 and v0.28\n\nIt went well with 2.7.6-beta1, over TLS 1.3.")
    counted = weigh_terms(report, splitter, PartWeights())
    numbers = {number: splitter.question_terms(number)[0].hash in counted for number in "234678"}
    assert numbers == {"2": False, "3": True, "4": False, "6": False, "7": False, "8": False}


def test_the_headers_of_a_request_in_a_report_find_nothing() -> None:
    splitter = TermSplitter()
    report = read_report(
        "Carts are never emptied\n\nI send this, and the cart is as it was:\n"
        '`curl -X PUT -H "X-Shop-Token: $SHOP_TOKEN" --user=me:me -d "mode=hard" https://shop.example.org/carts`\n'
    )
    counted = weigh_terms(report, splitter, PartWeights())
    assert splitter.question_terms("mode")[0].hash in counted
    assert not {term.hash for term in splitter.question_terms("token SHOP_TOKEN user me")} & counted.keys()


def test_a_file_called_like_the_project_is_not_what_a_report_means(tmp_path: Path) -> None:
    files = {
        f"src/{name}.py": f"from tally import {name}_rule\n\n\ndef {name}(tally, row):\n    return tally.{name}(row)\n"
        for name in ("merge", "split", "sort", "filter", "group", "rank")
    }
    files["src/tally.py"] = "import sys\n\n\ndef main(args):\n    return tally.run(args or sys.argv)\n"
    files["src/output.py"] = "def show(tally, rows):\n    for row in rows:\n        print(tally.pad(row))\n"
    report = (
        "tally is slow to print\n\nWhen I run tally every day with my own arguments, what tally shows comes late. "
        f"{GREETING}With tally of last year that was not so, and tally showed the rows as they are.\n"
    )
    with opened(write(tmp_path, files)) as engine:
        assert found(engine, report)[0] == "src/output.py"


@pytest.mark.parametrize(
    "told",
    [
        "### Versions\n\nI use the ledger of yesterday\n",
        "**Operating system:**\n\nledger\n",
        "**Desktop (please complete the following information):**\n\n- ledger\n",
        "<details>\n<summary>Output of the ledger</summary>\n</details>\n",
        "## What version of the shop are you using (`ledger --version`)?\n\n2.1, a ledger\n",
        "### My Environment\n\n| database | ledger |\n",
        "### Shop version\n\n**Details**\nMode: ledger\n\n**Checks**\nSecure ledger: yes\n",
        "It is so :ledger: since yesterday\n",
        ":ledger: **Operating system**\n\nledger\n",
        'INFO: "GET /ledger?of=1 HTTP/1.1" 200 OK\nINFO: "GET /style.css HTTP/1.1" 304\n',
        '200 OK "POST /ledger HTTP/1.1"\n200 OK "GET /ledger/1 HTTP/1.1"\n',
        "| key | value |\n| --- | --- |\n| version | 0.91.0 |\n| build_features | ledger |\n",
        "Shop version (ledger): 2.1 ledger\n",
        "![shot](https://github.com/ledger/assets/ledger.png)\n",
        "[NOTE]: # ( Say what the ledger shows )\n[//]: # 'ledger'\n",
        "Shop - Version 2.7.7\nRevision: 68e2dd8\n\nEnabled extensions:\n- Ledger\n- Mail\n",
        "Shop 2.7.7\nQt 5.15.10\nKernel: ledger\n",
    ],
)
def test_what_a_template_asks_for_counts_nothing(told: str) -> None:
    splitter = TermSplitter()
    ledger, prices = (splitter.question_terms(word)[0].hash for word in ("ledger", "prices"))
    report = read_report(
        f"It stops\n\nThe ledger is empty.\n\n{told}\n### What happens\n\nThe prices are wrong.\n"
    )
    assert ledger in weigh_terms(report, splitter, PartWeights())
    report = read_report(f"It stops\n\nAll is empty.\n\n{told}\n### What happens\n\nThe prices are wrong.\n")
    counted = weigh_terms(report, splitter, PartWeights())
    assert ledger not in counted
    assert prices in counted


def test_sentences_that_name_code_are_embedded_before_those_that_tell_a_version() -> None:
    told = "Version 1.3 was good. " * 20
    assert "`discount` of a cart" in gist(f"Prices are wrong\n\n{told}The `discount` of a cart is lost.\n")


@pytest.mark.parametrize(
    "heading",
    [
        "# \N{BUG} Bug report",
        "## What you expected to happen",
        "**Minimal Complete Verifiable Example**:",
        "### Current behaviour",
        "**Anything else we need to know?**:",
        "### Prerequisites",
        "### Screenshots/Screen recordings",
        "### Log(s) & preferences file(s)",
    ],
)
def test_a_heading_that_says_only_what_templates_say_is_no_title_and_counts_nothing(heading: str) -> None:
    report = read_report(
        f"{heading}\n\nThe prices are wrong\n\n{heading}\n\n## Example prices of the report\n"
    )
    assert report.title == "The prices are wrong"
    kinds = {line: kind for kind, line in report.lines}
    assert kinds[heading] == LineKind.BOILERPLATE
    assert kinds["## Example prices of the report"] == LineKind.PROSE


@pytest.mark.parametrize(
    "request_line",
    [
        "Fix this:",
        "fix this issue",
        "Can you please look into this bug report?",
        "Hi! Somebody opened this on GitHub, please help me to find the root cause.",
        "Fix https://github.com/acme/shop/issues/4711",
        "A user reported:",
    ],
)
def test_a_report_that_somebody_wants_fixed_is_read_as_if_it_stood_alone(
    engine: Engine, request_line: str
) -> None:
    told = "Discounted prices are wrong\n\n### What happens\n\nThe user opens the page, the server starts and renders it.\n"
    asked = f"{request_line}\n\n{told}"
    assert read_report(asked).title == "Discounted prices are wrong"
    splitter, weights = TermSplitter(), PartWeights()
    assert weigh_terms(read_report(asked), splitter, weights) == weigh_terms(
        read_report(told), splitter, weights
    )
    assert gist(asked) == gist(told)
    assert found(engine, asked)[0] == "shop/prices.py"


@pytest.mark.parametrize(
    "title", ["Fix the ledger", "Cannot open this ticket", "The printer is on fire", "Prices:"]
)
def test_a_title_that_says_what_is_wrong_is_one(title: str) -> None:
    assert read_report(f"{title}\n\nIt is empty since yesterday.\n").title == title


def test_a_request_alone_is_a_title() -> None:
    assert read_report("Please fix this\n\n- [x] I have searched\n").title == "Please fix this"


@pytest.mark.parametrize(
    "told",
    [
        "### Version negotiation fails\n\nThe ledger is empty.\n",
        "### Versions\n\nLedgerError: the ledger is empty\n",
        "See https://github.com/acme/shop/blob/main/shop/ledger.py for it\n",
        "**Versions**\n\n2.1\n\n**What is wrong**\n\nThe ledger is empty.\n",
        "### Versions\n\n2.1\n\n**Actual behaviour**\n\nThe ledger is empty.\n",
        "It calls `shop:ledger:empty` then\n",
        "1. Install 2.7.7\n2. Open the ledger\n3. It is empty\n",
        "Shop 2.7.7\nQt 5.15.10\n\nSince then whatever I try to do with it the ledger stays empty for hours.\n",
        'INFO: "GET /ledger?of=1 HTTP/1.1" 200 OK\n',
        'INFO: "GET /ledger?of=1 HTTP/1.1" 500\nINFO: "GET / HTTP/1.1" 200\nINFO: "GET /style.css HTTP/1.1" 200\n',
    ],
)
def test_what_went_wrong_counts_wherever_it_stands(told: str) -> None:
    splitter = TermSplitter()
    ledger = splitter.question_terms("ledger")[0].hash
    assert ledger in weigh_terms(read_report(f"It stops\n\n{told}"), splitter, PartWeights())


@pytest.mark.parametrize(
    "told", ["CI dies since this morning:\n\n{}\n\nWhat do I set?", "{}\n\nhow do I turn it off?"]
)
def test_the_sentence_beside_a_paste_says_what_is_asked_for(told: str) -> None:
    question = told.format("ERROR: the ledger is closed\n  at line 7")
    assert FileKind.DOCUMENT in prepare_query(question, TermSplitter(), np.zeros(2, np.float32)).kinds


def test_frames_outside_the_workspace_and_ambiguous_names_point_nowhere() -> None:
    paths = ["decimal.py", "a/util.py", "b/util.py", "c/util.py", "d/util.py"]
    text = 'File "/usr/lib/python3.11/decimal.py", line 9, in x\n  File "util.py", line 3, in y\n'
    assert find_in_workspace(places_in(text), paths) == []


def test_a_file_of_another_project_says_less_than_one_of_this() -> None:
    (theirs,) = find_in_workspace(places_in("/home/me/other/build.gradle is not found"), ["build.gradle"])
    (ours,) = find_in_workspace(places_in("build.gradle is not found"), ["build.gradle"])
    assert theirs.path == ours.path
    assert theirs.strength < ours.strength / 2


def test_an_installed_copy_of_the_workspace_is_the_workspace() -> None:
    text = 'Traceback:\n  File "/usr/lib/python3/site-packages/flask/app.py", line 9, in run\n'
    assert [found.path for found in find_in_workspace(places_in(text), ["src/flask/app.py", "app.py"])] == [
        "src/flask/app.py"
    ]


@pytest.mark.parametrize(
    "place",
    [
        "webpack-internal:///./node_modules/@zoo/pond/build/modern/feed.js:21:11",
        "webpack-internal:///(app-pages-browser)/./node_modules/@zoo/pond/build/modern/feed.js:21:11",
        "/srv/app/node_modules/.pnpm/@zoo+pond@2.1.0/node_modules/@zoo/pond/dist/feed.cjs:3:4",
    ],
)
def test_an_installed_package_of_the_workspace_leads_to_its_source(place: str) -> None:
    paths = [
        f"packages/{name}/{file}" for name in ("cage", "pond") for file in ("package.json", "src/feed.ts")
    ]
    found = find_in_workspace(places_in(f"Error: dry\n    at feed ({place})\n"), paths)
    assert [(one.path, one.line, one.name) for one in found] == [("packages/pond/src/feed.ts", None, "feed")]


def test_a_package_that_the_workspace_only_uses_is_not_the_workspace() -> None:
    text = "Error: dry\n    at feed (/srv/app/node_modules/pond/dist/feed.js:21:11)\n"
    assert find_in_workspace(places_in(text), ["src/pond/feed.ts", "src/pond/index.ts", "package.json"]) == []


def test_a_folder_in_parentheses_is_a_part_of_the_path() -> None:
    text = "Error: dry\n    at Page (./app/(zoo)/pond/page.tsx:12:3)\n    at ./app/(zoo)/pond/feed.tsx:4:1\n"
    found = find_in_workspace(
        places_in(text), ["app/(zoo)/pond/page.tsx", "app/(zoo)/pond/feed.tsx", "app/page.tsx"]
    )
    assert [(one.path, one.line) for one in found] == [
        ("app/(zoo)/pond/page.tsx", 12),
        ("app/(zoo)/pond/feed.tsx", 4),
    ]


SHORT = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=200).filter(
    lambda text: len(text.split()) <= 40 and "\n" not in text.strip()
)
LINES = st.sampled_from(
    [line for trace, _, _ in (*TRACES.values(), *MORE_TRACES.values()) for line in trace.splitlines()]
)
REPORTS = st.one_of(
    st.text(), st.lists(st.one_of(LINES, st.text(), st.just("```")), max_size=12).map("\n".join)
)


@given(SHORT)
def test_a_short_question_is_no_report(text: str) -> None:
    splitter, vector = TermSplitter(), np.zeros(4, np.float32)
    asked, plain = prepare_query(text, splitter, vector), prepare_query(text, splitter, vector, parts=None)
    assert (asked.terms, asked.identifiers, asked.places, dict(asked.emphasis)) == (
        plain.terms,
        plain.identifiers,
        plain.places,
        dict(plain.emphasis),
    )
    assert gist(text) == text
    assert not is_long(text)


@given(REPORTS)
def test_any_text_is_read(text: str) -> None:
    weights = PartWeights()
    report = read_report(text)
    question = prepare_query(text, TermSplitter(), np.zeros(4, np.float32))
    assert all(0 < weight <= 1 for weight in question.emphasis.values())
    assert len(names_in(report, weights)) <= weights.names
    assert not is_long(text) or len(gist(text).split()) <= max(weights.gist, len(report.title.split()))
    assert all(0 < item.strength <= 1 for item in find_in_workspace(report.places, list(FILES)))


@given(REPORTS.filter(str.strip))
def test_any_text_is_answered(engine: Engine, text: str) -> None:
    hits = engine.search(text, 5).hits
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_versions_and_pictures_are_no_names() -> None:
    report = read_report(
        "[v1.0.0b] - Since V1.3.2 it stops\n\n:lady_beetle: **Bug**\n\nIt was well with `v_1`.\n"
    )
    assert names_in(report, PartWeights()) == ("v_1",)


def test_the_times_and_versions_of_a_log_are_no_names() -> None:
    log = "the disk hangs\n\n[ 1694.812345] INFO: task jbd2 blocked in io_schedule\n[ 1694.812399] Not tainted 6.1.0 #1\n"
    assert names_in(read_report(log), PartWeights()) == ("io_schedule",)
