"""Files of METEOR's parameters: what is written is read again, and what is wrong is told."""

import pytest

from adjudge.errors import DataError
from adjudge.metrics.meteor_parameters import MATCHERS, NAMES, Parameters, parameter_file, read_parameters

ENGLISH = Parameters(0.85, 0.2, 0.6, 0.75, 1.0, 0.6, 0.8, 0.6)


def lines(**changed):
    values = dict(zip(NAMES, [0.85, 0.2, 0.6, 0.75, 1, 0.6, 0.8, 0.6], strict=True)) | changed
    return "".join(f"{name} = {value}\n" for name, value in values.items() if value is not None)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "p.toml"
    odd = Parameters(1 / 3, 0.1 + 0.2, 0.0, 1.0, 1.0, 1e-3, 0.55, 0.0)
    path.write_text(parameter_file(odd, ["made of a\nb.tsv", "seed 1"]), encoding="utf-8")
    assert read_parameters(str(path)) == odd
    assert path.read_text(encoding="utf-8").startswith("# made of a b.tsv\n# seed 1\nalpha = 0.333")


def test_weights_are_in_the_order_of_the_matchers():
    assert ENGLISH.weights == tuple(getattr(ENGLISH, name) for name in MATCHERS)


def test_whole_numbers_will_do(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text("# by hand\n" + lines(), encoding="utf-8")
    assert read_parameters(str(path)) == ENGLISH


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (lines(gamma=None, gama=0.6), "unknown parameter 'gama'; did you mean 'gamma'?"),
        (lines(gamma=None), "has no gamma; all of alpha, beta"),
        (lines(alpha=1.5), "METEOR's alpha is 1.5; a number from 0 to 1 was expected"),
        (lines(beta=-1), "METEOR's beta is -1; a number from 0 to 10 was expected"),
        (lines(delta="nan"), "METEOR's delta is nan"),
        (lines(stem="true"), "stem is True; a number was expected"),
        (lines(stem='"0.5"'), "stem is '0.5'; a number was expected"),
        (lines(alpha="0,85"), "is no file of parameters"),
        ("alpha\n", "is no file of parameters"),
        ("", "is empty"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, text, message):
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_parameters(str(path))
    assert message in str(error.value)
    assert "p.toml" in str(error.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        read_parameters(str(tmp_path / "none.toml"))
