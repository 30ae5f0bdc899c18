"""Analyses of texts in sections, one module per analysis."""
