"""Files in, test sets and outputs out; one file per family of formats.

To add a format: write a function in a file of its family, or a new one,

    read(path: str, data: bytes, language: str | None) -> Table

which gets the decompressed bytes of one file and raises DataError where they are not what they should be, and add one
line to FORMATS in `formats.py`: the name, the function and the suffixes that tell it. Import what the format needs
inside that file only; it is loaded when the first such file is read. `files.py` decodes text and finds the line of a
fault, `markup.py` refuses dangerous XML; docs/files.md explains the decisions that hold for all formats.
"""

from adjudge.io.load import Loaded, load, read
from adjudge.io.table import Input, TextTable

__all__ = ["Input", "Loaded", "TextTable", "load", "read"]
