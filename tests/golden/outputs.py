"""What test runners print when the fixtures are broken as the scenes break them, and what users paste."""

from __future__ import annotations

PYTEST_FAILED = """\
..F...                                                                   [100%]
=================================== FAILURES ===================================
____________________________ test_children_pay_half ____________________________

    def test_children_pay_half() -> None:
>       assert fine_of(Loan(CHILD, BOOK, DUE), date(2023, 11, 8)) == 50
E       assert 33 == 50
E        +  where 33 = fine_of(Loan(member=Member(id=2, name='Ben'), ...), datetime.date(2023, 11, 8))

tests/test_fines.py:21: AssertionError
=========================== short test summary info ============================
FAILED tests/test_fines.py::test_children_pay_half - assert 33 == 50
1 failed, 5 passed in 0.03s
"""

GO_FAILED = """\
ok  	example.org/tides/alarm	0.003s
--- FAIL: TestRingForgetsTheOldest (0.00s)
    ring_test.go:16: got [{0001-01-01 00:00:00 +0000 UTC 3} {0001-01-01 00:00:00 +0000 UTC 2}], want levels 2 and 3
FAIL
FAIL	example.org/tides/history	0.002s
FAIL
"""

VITEST_FAILED = """\
 ❯ test/tracker.test.ts (2 tests | 1 failed) 9ms
   × Tracker > tells listeners when a parcel moved
     → expected [] to deeply equal [ 'delivered' ]

 FAIL  test/tracker.test.ts > Tracker > tells listeners when a parcel moved
AssertionError: expected [] to deeply equal [ 'delivered' ]
 ❯ test/tracker.test.ts:23:19
"""

TRACEBACK = """\
Why does the service answer nothing? It printed:

Traceback (most recent call last):
  File "/srv/desk/library/app.py", line 62, in do_POST
    return self.answer(200, handler(self.store, form))
  File "/srv/desk/library/app.py", line 46, in handle_renew
    loan = renew(store, store.loan(int(form["member"]), form["isbn"]), date.today())
  File "/srv/desk/library/store.py", line 66, in loan
    raise KeyError(isbn)
KeyError: '978-3'
"""

GO_PANIC = """\
panic: runtime error: index out of range [0] with length 0

goroutine 7 [running]:
example.org/tides/history.(*Ring).Add(0xc0000b2000, {{0x0, 0x0, 0x0}, 0x4034000000000000})
	/home/build/tides/history/ring.go:31 +0x1b4
example.org/tides/watch.(*Watcher).step(0xc0000a8000, {0x4f2b20, 0xc0000b0000})
	/home/build/tides/watch/watch.go:50 +0xd1
"""

COMPLAINT = """\
Dear library,

on the fourth of November I returned three books that were due in October. At the desk I was told to pay twelve
euros and forty cents, which cannot be right: one of them cost four euros when it was new, and the second one I had
renewed by telephone on the day before it was due. Your colleague said that the renewal had been refused because
somebody else was waiting for the book, but nobody wrote to me about that, and your page still shows it as renewed.

My daughter, who is nine, had the third book. As far as I know children pay half of what I pay, and nothing for the
first two days. I have paid nothing so far and would like to know what each of the three books costs, how many days
you counted for each, and whether we may go on borrowing until this is settled.

With kind regards,
Ada
"""
