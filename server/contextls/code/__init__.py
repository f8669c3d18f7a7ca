"""Pure functions over source text: languages, chunks, symbols, imports, skeletons."""
