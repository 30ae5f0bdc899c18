"""Results shown: as text, JSON, TSV, Markdown and LaTeX. Nothing here computes."""
