"""An empty network namespace: nothing is there to connect to, and the kernel counts who tries.

In it even this machine's own addresses have no route, so that each attempt to send or connect over IPv4, a look-up of a
name included, adds one to ``OutNoRoutes``. Processes that are not ours count nothing there: it is a namespace of one's own.
"""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

# Of /proc/net/snmp and snmp6: what goes out, and what would have.
_COUNTERS = {
    "Ip.OutRequests", "Ip.OutNoRoutes", "Tcp.ActiveOpens", "Tcp.OutSegs", "Udp.OutDatagrams",
    "Ip6OutRequests", "Ip6OutNoRoutes", "Udp6OutDatagrams",
}  # fmt: skip
_AFTER = 'counters=$1; shift; "$@"; status=$?; cat /proc/net/snmp /proc/net/snmp6 > "$counters" 2>/dev/null; exit $status'


def on_island(counters: Path, *command: str | Path) -> list[str]:
    """The command line that runs ``command`` on an island, and leaves the kernel's counters in a file at the end."""
    return [*_unshare("--net"), "sh", "-c", _AFTER, "sh", str(counters), *map(str, command)]


def attempts(counters: Path) -> dict[str, int]:
    """The counters of a run that are not 0: none where nothing tried to send or to connect."""
    found: dict[str, int] = {}
    names: Sequence[str] = ()
    for line in counters.read_text().splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            found[words[0]] = int(words[1])
        elif words[1].lstrip("-").isdigit():
            found |= {
                f"{words[0][:-1]}.{name}": int(value) for name, value in zip(names, words[1:], strict=True)
            }
        else:
            names = words[1:]
    assert found.keys() >= {"Ip.OutNoRoutes", "Tcp.ActiveOpens"}, f"no counters in {counters}"
    return {name: value for name, value in found.items() if name in _COUNTERS and value}


def own_mounts() -> tuple[str, ...]:
    """What runs a command with mounts of its own, as the root of its world."""
    return _unshare("--mount")


@functools.cache
def _unshare(what: str) -> tuple[str, ...]:
    """How this user makes a namespace: root one of its own, others one in a user namespace besides."""
    ways = (("unshare", what), ("unshare", "--map-root-user", what))
    said = []
    for way in ways if os.geteuid() == 0 else ways[::-1]:
        try:
            subprocess.run([*way, "true"], check=True, capture_output=True, text=True)
        except FileNotFoundError:
            said.append("unshare is not installed (Debian: util-linux)")
        except subprocess.CalledProcessError as error:
            said.append(error.stderr.strip())
        else:
            return way
    raise AssertionError(
        f"this machine gives no namespace ({what}), which this proof needs: run the tests as root with CAP_SYS_ADMIN, "
        "or allow user namespaces (sysctl user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0); "
        f"{'; '.join(dict.fromkeys(said))}"
    )
