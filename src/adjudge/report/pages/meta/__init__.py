"""Metrics held against people: tables, layouts of papers and pages."""
