"""Scores, comparisons, studies, histories and models in sections, one module per kind of result."""
