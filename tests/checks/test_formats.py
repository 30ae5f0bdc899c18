"""Whatever is in a file of whatever format, there is a report or a refusal in words, and never a traceback."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.checks import lint
from adjudge.errors import AdjudgeError

SUFFIXES = [".tsv", ".jsonl", ".json", ".xml", ".sgm", ".tmx", ".xlf", ".csv", ".en.gz", ".en.xz", ".txt", ""]
PIECES = [
    b"<",
    b">",
    b"/",
    b"dataset",
    b"seg",
    b"doc",
    b"{",
    b"}",
    b'"',
    b"ref",
    b"mt",
    b"src",
    b":",
    b"\t",
    b"\n",
    b"a b",
    b"\0",
]
PIECES += [
    b"\x1f\x8b",
    b"\xfd7zXZ\x00",
    b"\xff\xfe",
    b"\xe9",
    b"<tmx>",
    b"<xliff>",
    b'{"mt": "a"}',
    b"ref\tmt\nx\ty\n",
]
contents = st.lists(st.sampled_from(PIECES) | st.binary(max_size=4), max_size=12).map(b"".join)


@pytest.mark.parametrize("role", ["systems", "references", "source", "test_set", "labels"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=contents, suffix=st.sampled_from(SUFFIXES))
def test_any_bytes_in_any_format(tmp_path, role, data, suffix):
    sound, odd = tmp_path / "sound.en", tmp_path / f"odd{suffix}"
    sound.write_bytes(b"One line.\nAnother line.\n")
    odd.write_bytes(data)
    files = {"references": [str(sound)], "systems": [f"mine={sound}"]}
    files[role] = [str(odd)] if role in ("systems", "references") else str(odd)
    with suppress(AdjudgeError):  # a question that makes no sense is refused in words
        report = lint(**files, skip=["language"])
        assert all(finding.message and finding.advice for finding in report.findings)
