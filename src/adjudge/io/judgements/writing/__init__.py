"""Judgements out: for other tools in their own formats, for us without loss; one file a family of formats.

To add a format: write a function here that makes `Written` (bytes and warnings) from judgements and texts, and one
line in `FORMATS` and `_WRITERS` of `writing.py`. What a format has no place for is said in a warning, never left out
silently.
"""

from adjudge.io.judgements.writing.writing import FORMATS, ONLY_SCORES, write
from adjudge.io.judgements.writing.written import Written

__all__ = ["FORMATS", "ONLY_SCORES", "Written", "write"]
