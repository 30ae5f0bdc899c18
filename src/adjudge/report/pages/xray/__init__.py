"""Alignments looked through: tables, texts for screens and the page."""
