"""Scores and comparisons, on one test set or several: tables, sentences and pages."""
