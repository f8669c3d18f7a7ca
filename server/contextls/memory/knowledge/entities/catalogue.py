"""The entities of one moment by their ids, each with its salience."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from contextls.code.kinds import Kind
from contextls.memory.index.snapshot.symbols import Located
from contextls.memory.knowledge.entities.event_stats import CommandStats, ErrorStats, EventStats, command_id
from contextls.memory.knowledge.entities.model import Entity, EntityType
from contextls.memory.knowledge.entities.packages import Package, Packages
from contextls.memory.knowledge.entities.salience import name_centrality, salience
from contextls.memory.knowledge.relations.graph import RelationGraph
from contextls.memory.vcs.view import CommitView
from contextls.model import TaskFrame, TaskStatus

# A symbol is worked on in a file; the file's activity and churn are only in part its own.
OF_FILES_WORK = 0.7
# What the id of every task begins with.
TASK_ID = "task-"
_TEST_KINDS = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CLASS})


class Catalogue(Struct, frozen=True):
    """The material of entities. ``now`` (ms) is what activity fades from; ``accepts`` says which paths may be shown."""

    graph: RelationGraph
    history: CommitView
    event_stats: EventStats
    packages: Callable[[], Packages]
    accepts: Callable[[str], bool]
    now: int
    tasks: Callable[[], Mapping[str, TaskFrame]] = dict

    def find(self, entity_id: str) -> Entity | None:
        """The entity of an id; ``None`` for what is not (or no longer) there."""
        outlines = self.graph.snapshot.outlines
        if entity_id in outlines:
            return self.file(entity_id)
        kind, _, name = entity_id.partition(":")
        if kind == EntityType.PACKAGE and name.lower() in self.packages().all():
            return self.package(self.packages().all()[name.lower()])
        if kind == EntityType.PERSON:
            share = dict(self.history.people()).get(name)
            return None if share is None else self.person(name, share)
        if kind == EntityType.COMMAND and (ran := self.event_stats.commands.get(name)):
            return self.command(ran)
        if kind == EntityType.ERROR and (raised := self.event_stats.errors.get(entity_id)):
            return self.error(raised)
        if entity_id.startswith(TASK_ID) and (frame := self.tasks().get(entity_id)):
            return self.task(frame)
        located = self.locate(entity_id)
        return self.symbol(located) if located else None

    def locate(self, entity_id: str) -> Located | None:
        """The definition that a symbol's id means."""
        at = entity_id.rfind("#")
        while at > 0:
            outline = self.graph.snapshot.outlines.get(entity_id[:at])
            if outline is not None:
                name = entity_id[at + 1 :]
                found = (item for item in outline.definitions if item.qualified == name)
                return next((Located(outline.path, item) for item in found), None)
            at = entity_id.rfind("#", 0, at)
        return None

    def file(self, path: str) -> Entity:
        """The entity of an indexed file."""
        kind = EntityType.TEST if self.graph.is_test(path) else EntityType.FILE
        centrality, activity, churn = (
            self.graph.centrality(path),
            self._activity(path),
            self.history.churn(path),
        )
        worth = salience(centrality, activity, churn)
        return Entity(path, kind, path, path, 1, "", "", worth, centrality, activity, churn)

    def symbol(self, item: Located) -> Entity:
        """The entity of a definition."""
        definition, symbols = item.definition, self.graph.snapshot.symbols
        uses = symbols.uses(definition.name) / max(1, len(symbols.find_named(definition.name)))
        centrality = name_centrality(uses, self.graph.centrality(item.path))
        activity = round(OF_FILES_WORK * self._activity(item.path), 4)
        churn = round(OF_FILES_WORK * self.history.churn(item.path), 4)
        return Entity(
            id=item.id,
            type=EntityType.TEST if self._is_test(item) else definition.kind,
            name=definition.qualified,
            path=item.path,
            line=definition.start_line,
            signature=definition.signature,
            doc=definition.doc,
            salience=salience(centrality, activity, churn),
            centrality=centrality,
            activity=activity,
            churn=churn,
        )

    def last_written(self, path: str) -> int | None:
        """When a file was written or committed last as far as is known, in milliseconds."""
        known = (self.event_stats.written.get(path), self.history.last_change(path))
        return max((each for each in known if each is not None), default=None)

    def package(self, package: Package) -> Entity:
        """The entity of a package; central when many files import it."""
        users = len(self.packages().users(package))
        centrality = name_centrality(users, 0.0)
        facts = [("ecosystem", package.ecosystem), ("version", package.requirement)]
        facts.append(("declared in", ", ".join(package.manifests[:3])))
        facts.append(("imported by", f"{users} file{'' if users == 1 else 's'}" if users else ""))
        place = package.home
        return Entity(
            id=package.id,
            type=EntityType.PACKAGE,
            name=package.name,
            path=place,
            line=1 if place else 0,
            salience=salience(centrality, 0.0, 0.0),
            centrality=centrality,
            properties=tuple((name, value) for name, value in facts if value),
        )

    def person(self, name: str, share: float) -> Entity:
        """The entity of an author; ``share`` of the commits, newer ones counting more."""
        facts = (("commits", f"{share:.0%} of the recent history"),)
        return Entity(
            id=f"person:{name}",
            type=EntityType.PERSON,
            name=name,
            salience=salience(share, 0.0, 0.0),
            centrality=share,
            properties=facts,
        )

    def command(self, ran: CommandStats) -> Entity:
        """The entity of a command line that ran."""
        activity = ran.activity.now(self.now)
        ended = "failed" if ran.failed else "passed"
        facts = (("runs", f"{ran.runs}, {ran.failures} failed"), ("last", ended))
        return Entity(
            id=command_id(ran.command),
            type=EntityType.COMMAND,
            name=ran.command,
            salience=salience(0.0, activity, 0.0),
            activity=activity,
            properties=facts,
        )

    def error(self, raised: ErrorStats) -> Entity:
        """The entity of an error that was recorded."""
        activity = raised.activity.now(self.now)
        shown = raised.path if raised.path and self.accepts(raised.path) else ""
        first = next((line.strip() for line in raised.message.splitlines() if line.strip()), "")[:200]
        facts = (("times", str(raised.times)),)
        return Entity(
            id=raised.id,
            type=EntityType.ERROR,
            name=first,
            path=shown,
            line=raised.line if shown else 0,
            salience=salience(0.0, activity, 0.0),
            activity=activity,
            properties=facts,
        )

    def task(self, frame: TaskFrame) -> Entity:
        """The entity of a task; one that is worked on is as active as can be."""
        activity = 1.0 if frame.status is TaskStatus.ACTIVE else 0.0
        facts = (("status", frame.status.value), ("result", frame.result or ""))
        return Entity(
            id=frame.id,
            type=EntityType.TASK,
            name=frame.goal,
            salience=salience(0.0, activity, 0.0),
            activity=activity,
            properties=tuple((name, value) for name, value in facts if value),
        )

    def errors(self) -> Iterator[ErrorStats]:
        """The recorded errors that may be shown."""
        for raised in self.event_stats.errors.values():
            if not raised.path or self.accepts(raised.path):
                yield raised

    def everything(self) -> Iterator[Entity]:
        """Every entity there is; takes tens of milliseconds in a large workspace."""
        snapshot = self.graph.snapshot
        for path in sorted(snapshot.outlines):
            yield self.file(path)
            for definition in snapshot.outlines[path].definitions:
                yield self.symbol(Located(path, definition))
        yield from map(self.package, self.packages().all().values())
        for name, share in self.history.people():
            yield self.person(name, share)
        yield from map(self.command, self.event_stats.commands.values())
        yield from map(self.error, self.errors())
        yield from map(self.task, self.tasks().values())

    def _activity(self, path: str) -> float:
        activity = self.event_stats.files.get(path)
        return activity.now(self.now) if activity else 0.0

    def _is_test(self, item: Located) -> bool:
        name = item.definition.name.lower()
        named = name.startswith("test") or name.endswith(("test", "tests", "spec"))
        return named and item.definition.kind in _TEST_KINDS and self.graph.is_test(item.path)
