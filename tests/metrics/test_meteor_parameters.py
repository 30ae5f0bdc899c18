"""Files of METEOR's parameters: what is written is read again, and what is wrong is told."""

import tomllib

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
        (lines(gamma=None, gama=0.6), "p.toml, line 8: unknown parameter 'gama'; did you mean 'gamma'?"),
        (lines(Alpha=0.5), "p.toml, line 9: unknown parameter 'Alpha'; did you mean 'alpha'?"),
        (lines(zeta=1), "p.toml, line 9: unknown parameter 'zeta'; did you mean 'beta'?"),
        (
            "# by hand\n" + lines(gamma=None),
            "p.toml ends with line 8 and has no gamma; add it: alpha, beta, gamma,",
        ),
        (
            lines(gamma=None, stem=None),
            "p.toml ends with line 6 and has no gamma nor stem; add them: alpha, beta,",
        ),
        (lines(alpha=1.5), "p.toml, line 1: alpha is 1.5; a number from 0 to 1 was expected"),
        ("\n# x\n\n" + lines(beta=-1), "p.toml, line 5: beta is -1; a number from 0 to 10 was expected"),
        (lines(delta="nan"), "p.toml, line 4: delta is nan; a number from 0 to 1 was expected"),
        (lines(delta="inf"), "p.toml, line 4: delta is inf; a number from 0 to 1 was expected"),
        (lines(stem="true"), "p.toml, line 6: stem is 'true', which is no number"),
        (lines(stem='"0.5"'), "p.toml, line 6: stem is '\"0.5\"', which is no number"),
        (lines(stem=""), "p.toml, line 6: stem is '', which is no number"),
        (lines(alpha="0,85"), "p.toml, line 1: alpha is '0,85', which is no number; write 0.85"),
        (lines() + "alpha = 0.3\n", "p.toml, line 9: alpha stands in line 1 already; keep one of them"),
        ("alpha\n", "p.toml, line 1: 'alpha' is no line 'name = number'"),
        ("[meteor]\n" + lines(), "p.toml, line 1: '[meteor]' is no line 'name = number'"),
        ("alpha: 0.85\n", "p.toml, line 1: 'alpha: 0.85' is no line 'name = number'"),
        ("# nothing but a remark\n", "p.toml ends with line 1 and has no alpha nor beta nor"),
        ("", "p.toml is empty"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, text, message):
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        read_parameters(str(path))
    assert message in str(error.value)
    assert "p.toml" in str(error.value)


def test_what_is_written_is_toml(tmp_path):
    text = parameter_file(ENGLISH, ["a = remark", "with # and \t"])
    assert tomllib.loads(text) == {name: getattr(ENGLISH, name) for name in NAMES}


def test_numbers_out_of_range_have_no_file_to_name():
    with pytest.raises(DataError, match=r"^METEOR's beta is 11; a number from 0 to 10 was expected$"):
        Parameters(0.5, 11, 0.5, 0.5)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        read_parameters(str(tmp_path / "none.toml"))
