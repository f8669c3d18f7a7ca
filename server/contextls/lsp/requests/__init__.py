"""One module per family of methods: a handler takes a request that was read, asks the engine, and answers plainly."""
