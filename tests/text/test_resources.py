import zipfile

import pytest

from adjudge.errors import DataError, MissingResourceError
from adjudge.text import resources
from adjudge.text.resources import Resource, Resources


@pytest.fixture
def nothing_installed(monkeypatch):
    monkeypatch.setattr(resources, "PACKAGE", "a_package_nobody_has")


@pytest.fixture
def packaged():
    if resources.jar() is None:
        pytest.skip(resources.INSTALL)
    return Resources()


def test_the_installed_package_has_what_meteor_ships(packaged):
    for language in resources.FUNCTION_WORDS:
        assert packaged.function_words(language).lines()
    for language in resources.PREFIXES:
        assert packaged.nonbreaking_prefixes(language).lines()
    assert packaged.function_words("it").read() == b""
    assert packaged.function_words("ja") is None
    assert [r.member for r in packaged.synsets()] == [f"synonym/{name}" for name in resources.SYNSETS]
    assert packaged.paraphrase_table("en").name == "paraphrase-en.gz"
    assert packaged.paraphrase_table("ja") is None


def test_the_package_is_found_without_importing_it(packaged):
    import sys

    packaged.function_words("en")
    assert resources.PACKAGE not in sys.modules


@pytest.mark.parametrize("layout", ["function/german.words", "german.words", "function/de.words", "de.words"])
def test_a_folder_of_the_users_goes_first(tmp_path, layout):
    file = tmp_path / layout
    file.parent.mkdir(exist_ok=True)
    file.write_text("der\n")
    result = Resources(str(tmp_path)).function_words("de")
    assert result == Resource(file)
    assert result.lines() == ["der"]
    assert result.open().read() == b"der\n"


def test_a_folder_may_hold_the_jar(tmp_path, nothing_installed):
    with zipfile.ZipFile(tmp_path / resources.JAR, "w") as jar:
        jar.writestr("function/english.words", "the\r\nof\r\n")
    assert Resources(str(tmp_path)).function_words("en").lines() == ["the", "of"]


@pytest.mark.parametrize("name", ["paraphrase-cz.gz", "data/paraphrase-cz.gz", "paraphrase-cs.gz"])
def test_a_paraphrase_table_in_a_folder(tmp_path, name):
    (tmp_path / "data").mkdir()
    (tmp_path / name).write_bytes(b"")
    assert Resources(str(tmp_path)).paraphrase_table("cs") == tmp_path / name


@pytest.mark.parametrize(
    ("ask", "file"),
    [
        (lambda r: r.function_words("en"), "function/english.words"),
        (lambda r: r.nonbreaking_prefixes("de"), "nonbreaking/german.prefixes"),
        (lambda r: r.synsets(), "synonym/english.synsets"),
        (lambda r: r.paraphrase_table("en"), "paraphrase-en.gz"),
    ],
)
def test_what_is_missing_says_what_to_install_and_where_it_was_looked_for(
    tmp_path, nothing_installed, ask, file
):
    with pytest.raises(MissingResourceError) as error:
        ask(Resources(str(tmp_path)))
    assert error.value.exit_code == 2
    for part in (file, str(tmp_path), "pip install 'adjudge[meteor]'", "resources=FOLDER"):
        assert part in str(error.value)


def test_tables_the_package_does_not_carry_are_said_to_be_elsewhere():
    with pytest.raises(MissingResourceError, match=r"for German are not here: looked for paraphrase-de\.gz"):
        Resources().paraphrase_table("de")


def test_a_folder_that_is_none():
    with pytest.raises(DataError, match="no such folder"):
        Resources("/no/such/place")


def test_a_jar_that_is_none(tmp_path):
    (tmp_path / resources.JAR).write_bytes(b"PK, but no more")
    with pytest.raises(DataError, match="not a whole jar"):
        Resources(str(tmp_path)).function_words("en")


def test_a_jar_with_a_broken_member(tmp_path, nothing_installed):
    path = tmp_path / resources.JAR
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as jar:
        jar.writestr("function/english.words", "the quick brown fox\n" * 100)
    data = bytearray(path.read_bytes())
    data[60:70] = b"\xff" * 10
    path.write_bytes(data)
    with pytest.raises(DataError, match="not a whole jar"):
        Resources(str(tmp_path)).function_words("en").read()


def test_debians_wordnet_is_found_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(resources, "DEBIAN_WORDNET", tmp_path)
    assert resources.debian_wordnet() is None
    (tmp_path / "data.noun").touch()
    assert resources.debian_wordnet() == tmp_path
