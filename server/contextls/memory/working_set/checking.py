"""Looks a whole working set through: what is wrong in its files, and what of it names nothing, each at its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from contextls.memory.index.segments.outlines import Outline
from contextls.memory.working_set.faults import LIMIT, MISSING, UNREADABLE
from contextls.memory.working_set.followed import ManifestState
from contextls.memory.working_set.pin_validation import (
    EXCLUDED,
    NO_MATCH,
    NO_SYMBOL,
    NOT_INDEXED,
    Pinned,
    PinValidator,
)
from contextls.memory.working_set.places import Places
from contextls.memory.working_set.texts import PinnedText
from contextls.model import CheckedManifest, ManifestFault, Severity, Target

# The faults reported for one file; the first ones are enough to go on.
MAX_TOLD = 200
_GONE = (NO_MATCH, NO_SYMBOL, "no such file", "no such folder")
# What only an index that is complete can tell.
_BY_INDEX = (NO_MATCH, NO_SYMBOL, NOT_INDEXED)


class ManifestChecker(Struct, frozen=True):
    """Looks through what ``known`` says; without ``indexed``, only at what needs no index."""

    known: ManifestState
    validator: PinValidator
    places: Places
    text: Callable[[str], PinnedText]
    outlines: Mapping[str, Outline]
    indexed: bool

    def check(self) -> tuple[CheckedManifest, ...]:
        """All files that were read, with their faults in the order of their places."""
        found = [*self.known.manifest.faults, *self.known.broken, *self.known.hint_faults]
        for pinned in self.validator.validate_pins(self.known, self.outlines):
            found += self._of_pin(pinned)
        found += self._of_exclusions()
        found.sort(key=lambda fault: (fault.line, fault.column, fault.message))
        return tuple(
            CheckedManifest(name, text, tuple(each for each in found if each.file == name)[:MAX_TOLD])
            for name, text in self.known.files.items()
        )

    def _of_pin(self, pinned: Pinned) -> Iterator[ManifestFault]:
        entry, problem = pinned.entry, pinned.problem
        if pinned.remark and self.indexed:
            yield entry.place.fault(LIMIT, pinned.remark, Severity.WARNING)
        if problem == EXCLUDED:
            message = "excluded as well, so it enters no prompt"
            yield entry.place.fault(UNREADABLE, message, Severity.INFORMATION)
        elif problem is not None and entry.problem is None and (self.indexed or problem not in _BY_INDEX):
            code = MISSING if self._is_gone(entry.target, problem) else UNREADABLE
            yield entry.place.fault(code, f"{entry.target.text}: {problem}", Severity.WARNING)

    def _is_gone(self, target: Target, problem: str) -> bool:
        """Whether the ``problem`` is that nothing lies there, or not the lines that are meant."""
        if problem in _GONE:
            return True
        return target.lines is not None and problem == self.text(target.path).lacks(target.lines)

    def _of_exclusions(self) -> Iterator[ManifestFault]:
        for each in self.known.manifest.excluded:
            target = each.target
            if target.symbol and self.indexed and self.validator.is_void(target, self.outlines):
                message = f"{target.text}: no such symbol, so nothing is excluded by it"
                yield each.place.fault(MISSING, message, Severity.WARNING)
            elif self.places.is_missing(target.path):
                message = f"{target.path}: there is no such file or folder now, so nothing is excluded by it"
                yield each.place.fault(MISSING, message, Severity.INFORMATION)
