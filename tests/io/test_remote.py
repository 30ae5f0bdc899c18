"""Files that are somewhere else: read as those here, fetched only where the user asks, told without their secrets."""

import json

import pytest

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

from adjudge import io, workspace
from adjudge.cli import main
from adjudge.errors import DataError, UnaskedProgramError
from adjudge.io.files import read_bytes
from adjudge.io.names import parse, shown_argument, stem, suffix
from adjudge.io.remote import open_address, shown_address
from adjudge.io.study_file import read_study
from helpers.addresses import served_files

TEXTS = {
    "/r.en": "the cat sat\na dog\n",
    "/x.en": "the cat\na dog\n",
    "/set.tsv": "source\treference\tmt\nx\tthe cat sat\tthe cat\n",
}


@pytest.fixture(scope="module")
def served():
    with served_files(TEXTS) as files:
        yield files


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://user:word@host.org:81/a/b.en?sig=x/y.z:1", "https://host.org:81/a/b.en"),
        ("s3://bucket/a@b.en", "s3://bucket/a@b.en"),
        ("https://host?sig=a@b", "https://host"),
        ("folder/what?.en", "folder/what?.en"),
        ("a@b", "a@b"),
    ],
)
def test_an_address_is_told_without_user_password_and_query(address, shown):
    assert shown_address(address) == shown


def test_names_come_from_the_path_and_not_from_the_query():
    address = "https://host/sys.en.gz?sig=a/b.tsv"
    assert (stem(address), suffix(address)) == ("sys", ".en")
    [argument] = parse("https://host/a.tsv?sig=a/b:mt")
    assert (argument.path, argument.column) == ("https://host/a.tsv?sig=a/b", "mt")
    assert shown_argument("x=https://u:w@host/a.tsv?sig=a/b:mt") == "x=https://host/a.tsv:mt"
    assert shown_argument("x=a?.tsv:mt") == "x=a?.tsv:mt"


@pytest.mark.parametrize("options", [(), ("--stream",)])
def test_secrets_of_addresses_are_in_no_result(served, options, capsys):
    def secret(path):
        return f"http://user:SECRET@{served.address}/{path}?sig=TOKEN/T.OKEN"

    command = ["score", "-r", secret("r.en"), secret("x.en"), "-f", "json", "-q", *options]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert not any(word in out + err for word in ("SECRET", "TOKEN", "OKEN"))
    document = json.loads(out)
    assert [own["path"] for own in document["inputs"]] == [
        f"http://{served.address}/{name}" for name in ("r.en", "x.en")
    ]
    assert document["results"][0]["system"] == "x"


@pytest.mark.parametrize(
    ("path", "message"), [("broken", "cannot be read"), ("fault", "500"), ("none.en", "does not exist")]
)
@pytest.mark.parametrize("options", [(), ("--stream",)])
def test_what_a_server_does_wrong_is_no_fault_of_ours(served, path, message, options, capsys):
    reference = f"http://u:SECRET@{served.address}/{path}?sig=TOKEN"
    assert main(["score", "-r", reference, f"http://{served.address}/x.en", "-q", *options]) == 1
    err = capsys.readouterr().err
    assert f"http://{served.address}/{path} " in err
    assert message in err
    assert "SECRET" not in err
    assert "TOKEN" not in err


def test_a_connection_that_nobody_answers_is_told_as_that():
    with pytest.raises(DataError, match=r"127\.0\.0\.1:1/x cannot be read: .*[Cc]onnect"):
        open_address("http://127.0.0.1:1/x")


def test_addresses_stand_wherever_files_do(served, tmp_path):
    loaded = io.load(test_set=f"http://{served.address}/set.tsv", systems=[])
    assert loaded.test_set.references == (("the cat sat",),)
    study = tmp_path / "study.toml"
    study.write_text(
        f'systems = ["x=http://{served.address}/x.en"]\n[[test_set]]\nname = "a"\n'
        f'references = ["http://{served.address}/r.en"]\n'
    )
    [own] = read_study(str(study)).sets
    assert own.references == (f"http://{served.address}/r.en",)
    assert own.systems == (f"x=http://{served.address}/x.en",)


def test_an_address_that_a_file_names_is_fetched_only_if_the_user_allows_it(served):
    address = f"http://{served.address}/r.en?named"
    with workspace.use(workspace.with_settings(named_by_file=True)), pytest.raises(UnaskedProgramError):
        read_bytes(address)
    assert not any("named" in path for path in served.asked)
    with workspace.use(workspace.with_settings(named_by_file=True, allow_programs=True)):
        assert read_bytes(address)[0] == TEXTS["/r.en"].encode()


def test_a_result_made_from_addresses_is_verified_where_that_is_allowed(served, tmp_path, capsys):
    result = str(tmp_path / "result.json")
    files = ["-r", f"http://{served.address}/r.en", f"http://{served.address}/x.en"]
    assert main(["score", *files, "-f", "json", "-o", result, "-q"]) == 0
    served.asked.clear()
    assert main(["verify", result, "-q"]) == 1
    assert "--allow-programs" in capsys.readouterr().out
    assert served.asked == []
    assert main(["verify", result, "-q", "--allow-programs"]) == 0, capsys.readouterr().out
