"""Pure functions on text: counting tokens, cutting, redacting, fencing. Nothing here touches files or the network."""
