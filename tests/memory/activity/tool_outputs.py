"""Outputs of tools where something fails, and what must be read out of each; whole ones are files in ``captured``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Case(NamedTuple):
    """One tool's output as it prints it, and what must be read out of it."""

    output: str
    found: list[tuple[str, int | None, str, str]]  # path, line, test, message


PYTEST = Case(
    """\
F.                                                                       [100%]
=================================== FAILURES ===================================
________________________________ test_discount _________________________________

    def test_discount():
>       assert discount_for(90) == 5
E       assert 4.5 == 5
E        +  where 4.5 = discount_for(90)

tests/test_cart.py:12: AssertionError
___________________________ TestCart.test_total[eur] ___________________________

self = <test_cart.TestCart object at 0x7f>

    def test_total(self):
>       assert total(None) == 3

tests/test_cart.py:20:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

    def total(lines):
>       return sum(lines)
E       TypeError: 'NoneType' object is not iterable

shop/cart.py:5: TypeError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_discount - assert 4.5 == 5
FAILED tests/test_cart.py::TestCart::test_total[eur] - TypeError: 'NoneType' ...
2 failed, 1 passed in 0.12s
""",
    [
        ("tests/test_cart.py", 12, "tests/test_cart.py::test_discount", "assert 4.5 == 5"),
        (
            "shop/cart.py",
            5,
            "tests/test_cart.py::TestCart::test_total[eur]",
            "TypeError: 'NoneType' object is not iterable",
        ),
    ],
)
PYTEST_SHORT = Case(
    """\
_________________________________ test_discount ________________________________
tests/test_cart.py:12: in test_discount
    assert discount_for(None) == 5
shop/cart.py:9: in discount_for
    return total * 0.05
E   TypeError: unsupported operand type(s) for *: 'NoneType' and 'float'
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_discount - TypeError: unsupported operand typ...
""",
    [
        (
            "shop/cart.py",
            9,
            "tests/test_cart.py::test_discount",
            "TypeError: unsupported operand type(s) for *: 'NoneType' and 'float'",
        )
    ],
)
PYTEST_SUMMARY = Case(
    "FAILED tests/test_cart.py::test_discount - assert 4.5 == 5\n1 failed in 0.02s\n",
    [("tests/test_cart.py", None, "test_discount", "assert 4.5 == 5")],
)
UNITTEST = Case(
    """\
F
======================================================================
FAIL: test_discount (test_cart.CartTest.test_discount)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/case.py", line 57, in testPartExecutor
    yield
  File "/home/me/shop/tests/test_cart.py", line 12, in test_discount
    self.assertEqual(discount_for(90), 5)
AssertionError: 4.5 != 5

----------------------------------------------------------------------
Ran 1 test in 0.001s

FAILED (failures=1)
""",
    [
        (
            "tests/test_cart.py",
            12,
            "test_discount (test_cart.CartTest.test_discount)",
            "AssertionError: 4.5 != 5",
        )
    ],
)
PYTHON = Case(
    """\
Traceback (most recent call last):
  File "/home/me/shop/shop/cart.py", line 9, in <module>
    main()
  File "/home/me/shop/shop/cart.py", line 5, in main
    raise OutOfStock(article)
shop.errors.OutOfStock: bread
""",
    [("shop/cart.py", 5, "", "shop.errors.OutOfStock: bread")],
)
JEST = Case(
    """\
FAIL src/cart.test.js
  Cart
    ✕ gives a discount (3 ms)

  ● Cart › gives a discount

    expect(received).toBe(expected) // Object.is equality

    Expected: 5
    Received: 4.5

      10 |   test('gives a discount', () => {
    > 12 |     expect(discountFor(90)).toBe(5);
         |                             ^
      at Object.<anonymous> (src/cart.test.js:12:29)
      at Promise.then.completed (node_modules/jest-circus/build/utils.js:298:28)

Tests:       1 failed, 1 total
""",
    [
        (
            "src/cart.test.js",
            12,
            "Cart › gives a discount",
            "expect(received).toBe(expected) // Object.is equality; Expected: 5; Received: 4.5",
        )
    ],
)
VITEST = Case(
    """\
⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/cart.test.ts > Cart > gives a discount
AssertionError: expected 4.5 to be 5 // Object.is equality

- Expected
+ Received

 ❯ src/cart.test.ts:12:29
     10|   test('gives a discount', () => {
""",
    [
        (
            "src/cart.test.ts",
            12,
            "Cart > gives a discount",
            "AssertionError: expected 4.5 to be 5 // Object.is equality",
        )
    ],
)
NODE = Case(
    """\
/home/me/shop/src/cart.js:5
    throw new TypeError('no lines')
    ^

TypeError: no lines
    at total (/home/me/shop/src/cart.js:5:11)
    at Object.<anonymous> (/home/me/shop/src/main.js:3:1)
    at Module._compile (node:internal/modules/cjs/loader:1256:14)
""",
    [("src/cart.js", 5, "", "TypeError: no lines")],
)
GO = Case(
    """\
--- FAIL: TestDiscount (0.00s)
    cart_test.go:12: got 4.5, want 5
--- FAIL: TestTotal (0.00s)
panic: runtime error: index out of range [3] with length 2 [recovered]
	panic: runtime error: index out of range [3] with length 2

goroutine 7 [running]:
testing.tRunner.func1.2({0x512a40, 0xc0000183a8})
	/usr/local/go/src/testing/testing.go:1545 +0x238
shop/cart.Total(...)
	/home/me/shop/cart/cart.go:8
FAIL	shop/cart	0.004s
""",
    [
        ("cart/cart_test.go", 12, "TestDiscount", "got 4.5, want 5"),
        ("cart/cart.go", 8, "TestTotal", "runtime error: index out of range [3] with length 2"),
    ],
)
GO_BUILD = Case(
    "# shop/cart\ncart/cart.go:5:2: undefined: pric\n", [("cart/cart.go", 5, "", "undefined: pric")]
)
CARGO = Case(
    """\
running 2 tests
test tests::discount ... FAILED

failures:

---- tests::discount stdout ----
thread 'tests::discount' panicked at src/lib.rs:12:9:
assertion `left == right` failed
  left: 4.5
 right: 5.0
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
""",
    [("src/lib.rs", 12, "tests::discount", "assertion `left == right` failed; left: 4.5; right: 5.0")],
)
COMPOSED = Case(
    """\
Attaching to web-1, db-1
db-1   | ready to accept connections
web-1  | Traceback (most recent call last):
web-1  |   File "/home/me/shop/shop/cart.py", line 5, in total
web-1  |     return sum(lines)
web-1  | TypeError: 'NoneType' object is not iterable
""",
    [("shop/cart.py", 5, "", "TypeError: 'NoneType' object is not iterable")],
)
TURBO = Case(
    """\
web:build: > tsc -p .
web:build:
web:build: src/cart.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.
web:build:  ERROR  command finished with error: command (/home/me/shop/web) npm run build exited (2)
""",
    [("src/cart.ts", 3, "", "Type 'string' is not assignable to type 'number'.")],
)
CARGO_FILTERED = Case(
    """\
thread 'tests::discount' (28448) panicked at src/lib.rs:12:9:
test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 1 filtered out; finished in 0.26s
""",
    [("src/lib.rs", 12, "tests::discount", "tests::discount failed")],
)
CARGO_END = Case(
    """\
   5: shop::tests::discount::{{closure}}
             at ./src/lib.rs:12:28
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.


failures:
    tests::discount

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.18s

error: test failed, to rerun pass `--lib`
""",
    [],
)
CARGO_BUILD = Case(
    """\
warning: unused variable: `x`
 --> src/lib.rs:3:9
  |
error[E0308]: mismatched types
  --> src/lib.rs:5:9
   |
error: could not compile `shop` (lib) due to 1 previous error; 1 warning emitted
""",
    [("src/lib.rs", 5, "", "mismatched types")],
)
TSC = Case(
    "src/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.\n"
    "\x1b[96msrc/cart.ts\x1b[0m:\x1b[93m20\x1b[0m:7 - \x1b[91merror\x1b[0m TS2304: Cannot find name 'pric'.\n",
    [
        ("src/cart.ts", 12, "", "Type 'string' is not assignable to type 'number'."),
        ("src/cart.ts", 20, "", "Cannot find name 'pric'."),
    ],
)
GCC = Case(
    """\
src/cart.c: In function 'total':
src/cart.c:5:12: warning: unused variable 'x' [-Wunused-variable]
src/cart.c:8:12: error: 'pric' undeclared (first use in this function); did you mean 'price'?
src/cart.c:8:12: note: each undeclared identifier is reported only once
src/cart.c:1:10: fatal error: bread.h: No such file or directory
make: *** [Makefile:2: cart.o] Error 1
""",
    [
        ("src/cart.c", 8, "", "'pric' undeclared (first use in this function); did you mean 'price'?"),
        ("src/cart.c", 1, "", "bread.h: No such file or directory"),
    ],
)
MAVEN = Case(
    """\
[ERROR] /home/me/shop/src/main/java/shop/Cart.java:[12,5] cannot find symbol
[ERROR]   CartTest.discount:21 expected: <5> but was: <4>
java.lang.NullPointerException: lines
	at shop.Cart.total(Cart.java:8)
	at java.base/java.lang.reflect.Method.invoke(Method.java:580)
src/main/java/shop/Cart.java:30: error: ';' expected
""",
    [
        ("src/main/java/shop/Cart.java", 12, "", "cannot find symbol"),
        ("src/test/java/shop/CartTest.java", 21, "CartTest.discount", "expected: <5> but was: <4>"),
        ("src/main/java/shop/Cart.java", 8, "", "java.lang.NullPointerException: lines"),
        ("src/main/java/shop/Cart.java", 30, "", "';' expected"),
    ],
)
RSPEC = Case(
    """\
Failures:

  1) Cart gives a discount
     Failure/Error: expect(discount_for(90)).to eq(5)

       expected: 5
            got: 4.5
     # ./spec/cart_spec.rb:12:in `block (2 levels) in <top (required)>'

Failed examples:

rspec ./spec/cart_spec.rb:12 # Cart gives a discount
""",
    [
        (
            "spec/cart_spec.rb",
            12,
            "Cart gives a discount",
            "expect(discount_for(90)).to eq(5); expected: 5; got: 4.5",
        )
    ],
)
LINTERS = Case(
    """\
shop/cart.py:12:5: F821 Undefined name `pric`
shop/cart.py:20: error: Incompatible return value type (got "int", expected "str")  [return-value]
  /home/me/shop/shop/cart.py:30:7 - error: "pric" is not defined (reportUndefinedVariable)
F401 [*] `os` imported but unused
 --> shop/cart.py:1:8
/home/me/shop/src/cart.js
  7:3  warning  Unexpected console statement  no-console
  12:5  error  'pric' is not defined  no-undef

""",
    [
        ("shop/cart.py", 12, "", "Undefined name `pric`"),
        (
            "shop/cart.py",
            20,
            "",
            'Incompatible return value type (got "int", expected "str")  [return-value]',
        ),
        ("shop/cart.py", 30, "", '"pric" is not defined (reportUndefinedVariable)'),
        ("shop/cart.py", 1, "", "`os` imported but unused"),
        ("src/cart.js", 12, "", "'pric' is not defined"),
    ],
)
PHPUNIT = Case(
    "1) CartTest::testDiscount\nFailed asserting that 4.5 matches expected 5.\n\n/home/me/shop/tests/CartTest.php:12\n",
    [("tests/CartTest.php", 12, "CartTest::testDiscount", "Failed asserting that 4.5 matches expected 5.")],
)
EXUNIT = Case(
    "  1) test discount (CartTest)\n     test/cart_test.exs:12\n     Assertion with == failed\n",
    [("test/cart_test.exs", 12, "test discount (CartTest)", "Assertion with == failed")],
)
DOTNET = Case(
    """\
  Failed Shop.CartTest.Discount [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
  Stack Trace:
     at Shop.CartTest.Discount() in /home/me/shop/tests/CartTest.cs:line 12
""",
    [("tests/CartTest.cs", 12, "Shop.CartTest.Discount", "Assert.Equal() Failure: Values differ")],
)
GRADLE = Case(
    """\
CartTest > gives a discount FAILED
    java.lang.IllegalArgumentException at Cart.java:8
        Caused by: java.lang.NullPointerException

2 tests completed, 1 failed
""",
    [
        (
            "src/main/java/shop/Cart.java",
            8,
            "CartTest > gives a discount",
            "java.lang.IllegalArgumentException",
        )
    ],
)
PASSED = Case("....\n4 passed in 0.02s\nSee tests/test_cart.py for more: it has 4 tests\n", [])
ELSEWHERE = Case("/usr/include/stdio.h:3:1: error: unknown type name 'x'\n", [])
SAYS = "=== says\n"


def read_captured(file: Path) -> Case:
    """A captured output, below which a line for each failure says `path:line | test | message`, `path:` without a line."""
    output, _, says = file.read_text().partition(SAYS)
    found: list[tuple[str, int | None, str, str]] = []
    for line in says.splitlines():
        place, test, message = line.split(" | ", 2)
        path, _, number = place.rpartition(":")
        found.append((path, int(number) if number else None, test, message))
    return Case(output, found)


CAPTURED = {file.stem: read_captured(file) for file in sorted(Path(__file__).with_name("captured").iterdir())}
CASES = {name.lower(): case for name, case in list(globals().items()) if isinstance(case, Case)} | CAPTURED
FILES = {path for case in CASES.values() for path, *_ in case.found} | {"src/main.js"}
