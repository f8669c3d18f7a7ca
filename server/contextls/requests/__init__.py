"""Requests and answers of every method as structs: the one schema of the protocol.

``schema.reader`` builds the requests from JSON, ``wire.to_wire`` writes the answers. The tables of docs/protocol.md,
docs/protocol.schema.json and the extension's ``protocol.ts`` are made of them by ``tools/update_protocol.py``.
"""
