"""The machine that the server runs on, as far as a model should know it."""

from __future__ import annotations

import platform

from msgspec import Struct


class Host(Struct, frozen=True):
    """Name, system and processor: the same as long as the machine is."""

    name: str
    system: str
    machine: str


def this_host() -> Host:
    """The machine that this process runs on."""
    return Host(platform.node(), platform.system(), platform.machine())
