"""Pure functions on text: count tokens, cut, redact, fence. Nothing here touches files or the network."""
