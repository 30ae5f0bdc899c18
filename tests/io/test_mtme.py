"""Folders of mt-metrics-eval: every layout, several pairs, and what is wrong."""

import pytest

from adjudge.errors import DataError, UsageError
from adjudge.io import load, read
from helpers.document_files import written


def mtme(tmp_path, pair="en-de", texts=("a", "b")):
    lines = "".join(f"{text}\n" for text in texts)
    for name in (f"sources/{pair}.txt", f"references/{pair}.refA.txt", f"references/{pair}.refB.txt"):
        written(tmp_path, lines, name)
    for name in ("Online-A", "refA", "GPT-4.0"):
        written(tmp_path, lines.upper(), f"system-outputs/{pair}/{name}.txt")
    written(tmp_path, "".join(f"news\tdoc {at // 2}\n" for at in range(len(texts))), f"documents/{pair}.docs")
    return str(tmp_path)


def test_mtme_folders(tmp_path):
    loaded = load(test_set=mtme(tmp_path / "wmt23"))
    assert loaded.test_set.sources == ("a", "b")
    assert loaded.test_set.references == (("a", "b"),) * 2
    assert dict(loaded.test_set.labels) == {"document": ("doc 0",) * 2, "domain": ("news",) * 2}
    assert [o.system for o in loaded.outputs] == ["GPT-4.0", "Online-A", "refA"]
    assert (loaded.test_set.name, loaded.test_set.language) == ("wmt23", "en-de")
    assert [i.role for i in loaded.inputs] == ["source", "reference", "reference", *["system"] * 3, "labels"]
    assert loaded.inputs[0].path == f"{tmp_path}/wmt23/sources/en-de.txt"


def test_mtme_with_several_pairs(tmp_path):
    path = mtme(tmp_path, "en-de")
    mtme(tmp_path, "zh-en", ("c", "d", "e"))
    with pytest.raises(UsageError, match="several language pairs, say which one with -l: en-de, zh-en"):
        load(test_set=path)
    assert len(load(test_set=path, language="zh-en").test_set) == 3
    assert len(load(test_set=f"{path}:zh-en").test_set) == 3
    assert load(references=[f"{path}:refA"], language="en-de").test_set.references == (("a", "b"),)
    with pytest.raises(UsageError, match="unknown language pair 'zh-de'"):
        load(test_set=path, language="zh-de")


def test_mtme_faults(tmp_path):
    path = mtme(tmp_path)
    written(tmp_path, "a\n", "system-outputs/en-de/short.txt")
    with pytest.raises(DataError, match=r"sources/en-de\.txt has 2 segments, but .*/short\.txt has 1"):
        read(path)
    written(tmp_path, "x\ny\n", "system-outputs/en-de/short.txt")
    written(tmp_path, "news\nnews d\n", "documents/en-de.docs")
    with pytest.raises(DataError, match=r"en-de\.docs, line 1: domain and document were expected"):
        read(path)
    written(tmp_path, "x\n", "system-outputs/en-de/notes.md")
    with pytest.raises(DataError, match=r"notes\.md: expected was SYSTEM\.txt"):
        read(path)
    (tmp_path / "empty" / "sources").mkdir(parents=True)
    with pytest.raises(DataError, match="is no mt-metrics-eval folder"):
        read(str(tmp_path / "empty"))
    with pytest.raises(DataError, match="is a file; an mt-metrics-eval folder was expected"):
        read(f"{path}/sources/en-de.txt", format="mtme")
    with pytest.raises(DataError, match="is a directory"):
        read(path, format="text")


def test_mtme_layout_of_wmt23(shared, tmp_path):
    folder = shared.data / "03_wmt23_mqm_esa" / "en-de"
    for part in ("sources", "references", "system-outputs/en-de", "documents"):
        (tmp_path / part).mkdir(parents=True)
    (tmp_path / "sources" / "en-de.txt").symlink_to(folder / "src.en")
    (tmp_path / "references" / "en-de.refA.txt").symlink_to(folder / "ref.refA.de")
    (tmp_path / "documents" / "en-de.docs").symlink_to(folder / "docs.domain_docid.tsv")
    outputs = sorted((folder / "hyp").iterdir())
    for output in outputs:
        (tmp_path / "system-outputs" / "en-de" / f"{output.stem}.txt").symlink_to(output)
    loaded = load(test_set=str(tmp_path))
    assert [o.system for o in loaded.outputs] == [output.stem for output in outputs]
    for output in loaded.outputs:
        plain = load(references=[f"{folder}/ref.refA.de"], systems=[f"{folder}/hyp/{output.system}.de"])
        assert plain.outputs[0].segments == output.segments
        assert plain.test_set.references == loaded.test_set.references
    assert len(set(loaded.test_set.labels["document"])) > len(set(loaded.test_set.labels["domain"])) == 4
