"""What people said of translations: files in, a table of judgements out; one file a family of formats.

To add a format: write a file here that makes a `Part` (judgements and warnings) from bytes, lines or a `Sheet` (named
columns), and one line each in `FORMATS`, `detected` and `_read` of `loading.py`. `words.py` has the names that columns
and kinds of items may have; docs/judgements.md tells what was decided.
"""

from adjudge.io.judgements.labels import Labels, join_labels, read_labels
from adjudge.io.judgements.loading import FORMATS, Loaded, read
from adjudge.io.judgements.rankings import expanded
from adjudge.io.judgements.tables import ONLY_SYSTEM

__all__ = ["FORMATS", "ONLY_SYSTEM", "Labels", "Loaded", "expanded", "join_labels", "read", "read_labels"]
