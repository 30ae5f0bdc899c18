"""Which way scores go survives every format, or its loss is told."""

import pytest

from adjudge.data.judgements import LOWER_IS_BETTER
from adjudge.errors import DataError
from adjudge.io.judgements import OUTPUT_FORMATS as FORMATS
from adjudge.io.judgements import read, write
from helpers.judged import ratings

# annotator, system, item, score: A needed less editing
ROWS = [
    ("x", system, str(item), score + item / 100)
    for item in range(1, 5)
    for system, score in (("A", 0.1), ("B", 0.6))
]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("protocol", ["hter", "da"])
def test_lower_is_better_comes_back_or_its_loss_is_told(tmp_path, form, protocol):
    given = ratings(ROWS, protocol=protocol, higher_is_better=False)
    file = tmp_path / "written"
    try:
        written = write(given, None, form, languages=("en", "de"), path=file)
    except DataError:  # no format for ratings, or one that needs the texts
        return
    told = any("lower is better" in warning for warning in written.warnings)
    if form == "pearmut-progress":  # no scores
        return
    assert told or not read([str(file)]).judgements.higher_is_better
    assert not (told and form in ("jsonl", "csv", "pearmut"))


@pytest.mark.parametrize("form", ["jsonl", "csv", "pearmut", "appraise-short"])
def test_a_protocol_that_is_named_afterwards_has_its_direction(tmp_path, form):
    file = tmp_path / "written"
    write(ratings(ROWS, protocol="da"), None, form, path=file)
    for protocol in LOWER_IS_BETTER:
        assert not read([str(file)], protocol=protocol).judgements.higher_is_better
    assert read([str(file)]).judgements.higher_is_better
