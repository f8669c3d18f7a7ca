"""The relations that code does not tell: from the history of git and from the events."""

from __future__ import annotations

from contextls.memory.knowledge.entities.catalogue import Catalogue
from contextls.memory.knowledge.entities.model import EntityType
from contextls.memory.knowledge.relations.model import (
    WEIGHTS,
    Relation,
    RelationType,
    cap_relations,
)

# Predictions below this are guesses.
MIN_CONFIDENCE = 0.1
MIN_SUPPORT = 2
# How many files are looked through for those of one person.
MAX_FILES = 2_000


def changed_with(catalogue: Catalogue, path: str, most: int) -> list[Relation]:
    """``co_changes`` edges from a file to those that change when it does."""
    outlines = catalogue.graph.snapshot.outlines
    base = WEIGHTS[RelationType.CO_CHANGES]
    return [
        Relation(
            path,
            found.path,
            RelationType.CO_CHANGES,
            base * found.confidence,
            support=found.support,
            applications=found.applications,
        )
        for found in catalogue.history.co_changes(path, 2 * most)
        if found.path in outlines and found.confidence >= MIN_CONFIDENCE and found.support >= MIN_SUPPORT
    ][:most]


def authors_of(catalogue: Catalogue, path: str, most: int) -> list[Relation]:
    """``authored`` edges to a file, by share of its commits."""
    base = WEIGHTS[RelationType.AUTHORED]
    commits = catalogue.history.commits_by_author(path)
    found = (
        Relation(
            f"{EntityType.PERSON}:{name}",
            path,
            RelationType.AUTHORED,
            base * share,
            support=commits[name],
            applications=commits.total(),
        )
        for name, share in catalogue.history.authors(path)
    )
    return cap_relations(found, most)


def files_of(catalogue: Catalogue, person: str, most: int) -> list[Relation]:
    """``authored`` edges from a person to the files where they did most of what happened."""
    outlines, history = catalogue.graph.snapshot.outlines, catalogue.history
    base = WEIGHTS[RelationType.AUTHORED]
    busiest = sorted(
        (path for path in history.paths if path in outlines), key=lambda p: (-history.churn(p), p)
    )
    found = []
    for path in busiest[:MAX_FILES]:
        share = dict(history.authors(path)).get(person.partition(":")[2], 0.0)
        if share:
            weight = base * share * (0.5 + 0.5 * history.churn(path))
            found.append(Relation(person, path, RelationType.AUTHORED, weight))
    return cap_relations(found, most)


def errors_in(catalogue: Catalogue, path: str, most: int) -> list[Relation]:
    """``raised_in`` edges to a file."""
    base = WEIGHTS[RelationType.RAISED_IN]
    found = (
        Relation(error, path, RelationType.RAISED_IN, base)
        for error in catalogue.event_stats.errors_of.get(path, ())
        if path in catalogue.graph.snapshot.outlines
    )
    return cap_relations(found, most)


def place_of(catalogue: Catalogue, error: str) -> list[Relation]:
    """``raised_in`` edges from an error to its file and to the definition around its line."""
    raised = catalogue.event_stats.errors.get(error)
    outline = catalogue.graph.snapshot.outlines.get(raised.path) if raised else None
    if raised is None or outline is None:
        return []
    base = WEIGHTS[RelationType.RAISED_IN]
    around = outline.touching(raised.line, raised.line)
    found = [Relation(error, raised.path, RelationType.RAISED_IN, base)]
    if around:
        found.insert(
            0, Relation(error, f"{raised.path}#{around[-1].qualified}", RelationType.RAISED_IN, base)
        )
    return found


def fixes_of(catalogue: Catalogue, failed: str, most: int) -> list[Relation]:
    """``fixed_by`` edges from an error or a command to the files whose changes made it pass."""
    outlines = catalogue.graph.snapshot.outlines
    base = WEIGHTS[RelationType.FIXED_BY]
    found = (
        Relation(
            failed,
            fix.path,
            RelationType.FIXED_BY,
            base * (fix.successes + 1) / (fix.attempts + 2),
            support=fix.successes,
            applications=fix.attempts,
        )
        for fix in catalogue.event_stats.fixes.get(failed, ())
        if fix.path in outlines
    )
    return cap_relations(found, most)


def subtasks_of(catalogue: Catalogue, task: str) -> list[Relation]:
    """``subtask`` edges of a task: from the one above it, and to those below it."""
    frame = catalogue.tasks().get(task)
    if frame is None:
        return []
    base = WEIGHTS[RelationType.SUBTASK]
    above = [Relation(frame.parent, task, RelationType.SUBTASK, base)] if frame.parent else []
    return [*above, *(Relation(task, child, RelationType.SUBTASK, base) for child in frame.children)]


def fixed_in(catalogue: Catalogue, path: str, most: int) -> list[Relation]:
    """``fixed_by`` edges to a file, from what a change to it made pass."""
    found = [
        relation
        for failed in catalogue.event_stats.fixed_in.get(path, ())
        for relation in fixes_of(catalogue, failed, most)
        if relation.target == path and catalogue.find(failed) is not None
    ]
    return cap_relations(found, most)
