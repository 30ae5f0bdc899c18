"""What people said of translations: files in, a table of judgements out, and back; one file a family of formats.

To add a format: write a file here that makes a `Part` (judgements and warnings) from bytes, lines or a `Sheet` (named
columns), and one line each in `FORMATS`, `detected` and `_read` of `loading.py`. `words.py` has the names that columns
and kinds of items may have; docs/judgements.md tells what was decided. `writing/` has the way back.
"""

from adjudge.io.judgements.beside import read_texts
from adjudge.io.judgements.labels import Labels, join_labels, read_labels
from adjudge.io.judgements.loading import FORMATS, Loaded, read
from adjudge.io.judgements.rankings import expanded
from adjudge.io.judgements.tables import ONLY_SYSTEM
from adjudge.io.judgements.texts import Texts
from adjudge.io.judgements.writing import FORMATS as OUTPUT_FORMATS
from adjudge.io.judgements.writing import Written, write

__all__ = [
    "FORMATS",
    "ONLY_SYSTEM",
    "OUTPUT_FORMATS",
    "Labels",
    "Loaded",
    "Texts",
    "Written",
    "expanded",
    "join_labels",
    "read",
    "read_labels",
    "read_texts",
    "write",
]
