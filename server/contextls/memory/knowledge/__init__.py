"""Entities and relations: what is worth naming, and how it hangs together."""
