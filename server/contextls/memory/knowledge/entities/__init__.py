"""Entities: the things of a workspace that are worth naming, each with a salience in 0..1."""

from contextls.memory.knowledge.entities.model import Entity, EntityType

__all__ = ["Entity", "EntityType"]
