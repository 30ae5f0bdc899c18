"""Files in a store that speaks S3: moto's server, on this machine."""

import gzip
import json

import pytest

from adjudge.cli import main
from helpers.sacrebleus import EXAMPLES

pytestmark = pytest.mark.slow
WAY = "pip install 'adjudge[slow]'"


@pytest.fixture(scope="module")
def bucket():
    """A bucket with the examples in it: plain, compressed, in Parquet."""
    server_module = pytest.importorskip("moto.server", reason=f"moto is not installed: {WAY}")
    s3fs = pytest.importorskip("s3fs", reason=f"s3fs is not installed: {WAY}")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        host, port = server.get_host_and_port()
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"):
            patch.setenv(name, "us-east-1" if name.endswith("REGION") else "nobody")
        system = s3fs.S3FileSystem()
        system.mkdir("texts")
        system.pipe("texts/reference.en", (EXAMPLES / "reference.en").read_bytes())
        for name in ("neural", "rulebased"):
            system.pipe(f"texts/{name}.en.gz", gzip.compress((EXAMPLES / f"systems/{name}.en").read_bytes()))
        system.pipe("texts/labels.tsv", (EXAMPLES / "labels.tsv").read_bytes())
        yield system
        s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


def results(capsys, *arguments):
    capsys.readouterr()
    code = main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    document = json.loads(shown.out)
    return {key: document[key] for key in ("results", "test_set")}, [
        (own["role"], own["sha256"]) for own in document["inputs"] if own["role"] != "system"
    ]


@pytest.mark.parametrize("more", [[], ["--stream"]], ids=["whole", "in chunks"])
def test_scores_and_comparisons_are_those_of_files_here(bucket, more, capsys):
    for command in (["score"], ["compare", "--no-lint", "--unit", "document", "--trials", "200"]):
        asked = [*command, "-q", "-f", "json", "-m", "bleu"]
        there = [f"s3://texts/{name}.en.gz" for name in ("neural", "rulebased")]
        here = [EXAMPLES / "systems" / f"{name}.en" for name in ("neural", "rulebased")]
        of_store = results(
            capsys, *asked, *more, "-r", "s3://texts/reference.en", "-L", "s3://texts/labels.tsv", *there
        )
        of_files = results(
            capsys, *asked, "-r", EXAMPLES / "reference.en", "-L", EXAMPLES / "labels.tsv", *here
        )
        assert of_store == of_files


@pytest.mark.parametrize("more", [[], ["--stream"]], ids=["whole", "in chunks"])
def test_what_is_not_there_is_told(bucket, more, capsys):
    for address in ("s3://texts/none.en", "s3://nobodys/reference.en"):
        assert main(["score", *more, "-r", address, str(EXAMPLES / "systems" / "neural.en")]) == 1
        error = capsys.readouterr().err
        assert address in error
        assert "does not exist" in error
        assert error.count("\n") == 1
