"""Results kept in files: merged, held against new ones, computed again."""
