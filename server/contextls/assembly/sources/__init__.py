"""The sources of candidates. A new one is a module here and an entry in ``SOURCES``."""

from contextls.assembly.source import Source
from contextls.assembly.sources.content import ContentSource
from contextls.assembly.sources.entities import EntitySource
from contextls.assembly.sources.events import EventSource
from contextls.assembly.sources.given import GivenSource
from contextls.assembly.sources.line_commits import LineCommitSource
from contextls.assembly.sources.overview import OverviewSource
from contextls.assembly.sources.packages import PackagesSource
from contextls.assembly.sources.patterns import PatternSource
from contextls.assembly.sources.pins import PinSource
from contextls.assembly.sources.relations import RelationSource
from contextls.assembly.sources.tasks import TaskSource
from contextls.assembly.sources.working_changes import AskedChangeSource, WorkingChangeSource

# In the order in which they are asked: later ones go on from what earlier ones found.
SOURCES: tuple[Source, ...] = (
    TaskSource(),
    PinSource(),
    AskedChangeSource(),
    ContentSource(),
    EventSource(),
    WorkingChangeSource(),
    EntitySource(),
    LineCommitSource(),
    RelationSource(),
    PatternSource(),
    PackagesSource(),
    GivenSource(),
)
# An overview is drawn, not searched for.
OVERVIEW_SOURCES: tuple[Source, ...] = (
    TaskSource(),
    PinSource(),
    AskedChangeSource(),
    OverviewSource(),
    EventSource(),
    WorkingChangeSource(),
    GivenSource(),
)
# Where the state of the work is all of the answer, nothing is searched for; habits tell what mended a failure before.
FAILURE_SOURCES: tuple[Source, ...] = tuple(
    source
    for source in SOURCES
    if not isinstance(source, (ContentSource, EntitySource, LineCommitSource, RelationSource, PackagesSource))
)
WORK_SOURCES: tuple[Source, ...] = tuple(
    source for source in FAILURE_SOURCES if not isinstance(source, PatternSource)
)
# Where there are none of the changes or failures that are asked for, what else was done is no answer.
CHOSEN_SOURCES: tuple[Source, ...] = tuple(
    source for source in WORK_SOURCES if not isinstance(source, (EventSource, WorkingChangeSource))
)
