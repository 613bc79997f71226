"""paperrec's own adapters; they come in by entry points, as anybody's do."""
