"""The table of the kernels' paper on texts of WMT21, with trees of a real parser; the rivals as sacreBLEU has them."""

import json

import numpy as np
import pytest

from conftest import benchmark_module

SEGMENTS = 12


@pytest.fixture
def folder(shared, tmp_path):
    pytest.importorskip("spacy")
    benchmark_module("tskm").laid_out(tmp_path, "is-en", shared.root, SEGMENTS)
    return tmp_path


def test_the_table_on_real_texts(run, shared, folder, tmp_path):
    pseudo = tmp_path / "pseudo.en"  # what a system says in the place of a translator's words
    pseudo.write_text(
        (folder / "is-en" / "hyp" / "Online-Y.en").read_text(encoding="utf-8"), encoding="utf-8"
    )
    spec = f"tskm(parser={shared.root / 'models' / 'en_ewt'})"
    arguments = ("meta", str(folder), "-l", "is-en", "--gold", "da", "--tskm", "-m", spec)
    shown = run(
        *arguments, "--pseudo-reference", str(pseudo), "--no-sentinels", "--interval", "none", "-f", "json"
    )
    assert shown.code == 0, shown.err
    values = {row["metric"]: row["value"] for row in json.loads(shown.out)["results"]}
    assert len(values) == 3 * 3 * 2 + 5
    assert all(-1 <= value <= 1 for value in values.values())
    people = dict(line.split("\t") for line in (folder / "is-en/human/da.sys.score").read_text().splitlines())
    sacrebleu = pytest.importorskip("sacrebleu")
    reference = (folder / "is-en" / "ref.A.en").read_text(encoding="utf-8").splitlines()
    scores = [
        sacrebleu.corpus_bleu(
            (folder / f"is-en/hyp/{name}.en").read_text(encoding="utf-8").splitlines(), [reference]
        ).score
        for name in people
    ]
    r = np.corrcoef(scores, [float(score) for score in people.values()])[0, 1]
    assert values["bleu"] == pytest.approx(r, abs=1e-9)
    # Of twelve segments of ten systems, every kernel with the reference agrees with people about as BLEU does.
    assert all(abs(values[f"rc {kernel} exact"] - r) < 0.25 for kernel in ("sk", "ptk", "sk+ptk"))
