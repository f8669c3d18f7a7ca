"""The closed set of kinds that chunks and definitions carry."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The kind of a chunk or a definition. Queries under ``grammars/`` use these words as capture names."""

    FUNCTION = "function"
    METHOD = "method"
    MACRO = "macro"
    CLASS = "class"
    INTERFACE = "interface"  # traits, protocols, behaviours, type classes too
    STRUCT = "struct"  # records, unions, database tables too
    ENUM = "enum"
    TYPE = "type"  # aliases
    MODULE = "module"  # namespaces and packages too
    CONSTANT = "constant"  # named values: constants, variables at the top level, fields
    EXTENSION = "extension"  # members added to a type defined elsewhere: a Rust impl, a Swift extension
    TEST = "test"  # a test named by a sentence; of chunks, whatever belongs to tests among source
    SECTION = "section"  # a heading and what it covers, a key of a data file, a style rule, an element
    IMPORT = "import"
    BLOCK = "block"  # statements that define nothing
    WINDOW = "window"  # a stretch of a text that no grammar was found for


# What stands inside one of these is a detail of it.
CALLABLE = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.MACRO, Kind.TEST})

# Functions directly inside one of these are methods.
TYPE_LIKE = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.STRUCT, Kind.ENUM, Kind.EXTENSION})

# What a value can be of.
TYPES = TYPE_LIKE | {Kind.TYPE}

# These structure a file, yet their names are no identifiers that other code could refer to.
NOT_DEFINITIONS = frozenset({Kind.EXTENSION, Kind.TEST, Kind.SECTION, Kind.IMPORT, Kind.BLOCK, Kind.WINDOW})

# Which part names a chunk that several parts were merged into: the highest rank wins, of equals the longer one.
RANK: dict[Kind, int] = dict.fromkeys(Kind, 4) | {
    Kind.CONSTANT: 2,
    Kind.TYPE: 2,
    Kind.IMPORT: 0,
    Kind.BLOCK: 0,
    Kind.WINDOW: 0,
}
HEAD_RANK = 3  # the head of a class that was taken apart
