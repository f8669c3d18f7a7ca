"""The language server: the only part of contextls that knows pygls and lsprotocol."""
