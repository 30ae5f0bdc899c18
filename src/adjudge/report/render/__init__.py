"""Renderers: any table or section as text, JSON, TSV, Markdown, LaTeX, HTML, or in a notebook."""
