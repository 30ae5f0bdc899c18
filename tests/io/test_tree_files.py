"""Trees beside texts: whose they are, which segments they go with, and what does not fit."""

import pytest

from adjudge import io
from adjudge.data.trees import Tree
from adjudge.errors import DataError, UsageError
from adjudge.io.tree_files import TreeText, read_trees


def conllu(*sentences: str, comments: list[str] | None = None) -> str:
    """Sentences as chains: each word's head is the one before it."""
    lines = []
    for at, words in enumerate(sentences):
        if comments and comments[at]:
            lines.append(comments[at])
        lines += [
            f"{n}\t{word}\t_\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_"
            for n, word in enumerate(words.split(), 1)
        ]
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.en").write_text("the cat sat\nit rains\n")
    (tmp_path / "sys.en").write_text("a cat sat\nit rains\n")
    (tmp_path / "src.de").write_text("die Katze sass\nes regnet\n")
    return tmp_path


def load(*trees: str, **files):
    return io.load(systems=["sys.en"], references=["ref.en"], source="src.de", trees=trees, **files)


def words(parse) -> list[str]:
    return [" ".join(sentence.words) for sentence in parse]


def test_trees_are_found_by_the_name_of_the_text(folder):
    (folder / "ref.conllu").write_text(conllu("the cat sat", "it rains"))
    (folder / "sys.en.conllu").write_text(conllu("a cat sat", "it rains"))
    loaded = load("ref.conllu", "sys.en.conllu")
    assert words(loaded.test_set.trees["the cat sat"]) == ["the cat sat"]
    assert words(loaded.test_set.trees["a cat sat"]) == ["a cat sat"]
    assert {(file.role, file.path) for file in loaded.inputs} >= {
        ("trees", "ref.conllu"),
        ("trees", "sys.en.conllu"),
    }
    assert not loaded.notes


@pytest.mark.parametrize("name", ["ref.en", "ref", "./ref.en", "elsewhere/ref.en"])
def test_trees_are_of_the_text_that_is_named(folder, name):
    (folder / "t.conllu").write_text(conllu("the cat sat", "it rains"))
    assert "the cat sat" in load(f"{name}=t.conllu").test_set.trees


def test_a_system_is_named_as_results_name_it(folder):
    (folder / "t.conllu").write_text(conllu("a cat sat", "it rains"))
    loaded = io.load(systems=["neural=sys.en"], references=["ref.en"], trees=["neural=t.conllu"])
    assert "a cat sat" in loaded.test_set.trees


def test_one_file_has_the_trees_of_many_texts(folder):
    both = conllu(
        "the cat sat", "it rains", comments=["# newdoc id = ref.en\n# segment = 1", "# segment = 2"]
    )
    both += conllu("a cat", "sat", comments=["# newdoc id = sys.en\n# segment = 1", "# segment = 1"])
    both += conllu("it rains", comments=["# segment = 2"])
    both += conllu("of no text here", comments=["# newdoc id = other.en"])
    (folder / "all.conllu").write_text(both)
    trees = load("all.conllu").test_set.trees
    assert words(trees["the cat sat"]) == ["the cat sat"]
    assert words(trees["a cat sat"]) == ["a cat", "sat"]


def test_a_file_of_no_text_says_how_to_name_one(folder):
    (folder / "t.conllu").write_text(conllu("the cat sat", "it rains"))
    with pytest.raises(
        UsageError, match=r"--trees t.conllu: no text is called so; write TEXT=t.conllu, .*ref.en"
    ):
        load("t.conllu")
    with pytest.raises(UsageError, match=r"--trees nothing=t.conllu: no text is called so"):
        load("nothing=t.conllu")
    with pytest.raises(UsageError, match=r"both have trees of ref.en"):
        load("ref.en=t.conllu", "ref=t.conllu")


def test_fewer_trees_than_segments_are_refused_naming_both(folder):
    (folder / "ref.conllu").write_text(conllu("the cat sat"))
    with pytest.raises(
        DataError, match=r"ref.conllu has 1 sentences, but ref.en has 2 segments; .*# segment = N"
    ):
        load("ref.conllu")
    (folder / "ref.conllu").write_text(conllu("the cat sat", comments=["# segment = 1"]))
    with pytest.raises(
        DataError, match=r"trees for 1 of the 2 segments of ref.en; the first without one is segment 2"
    ):
        load("ref.conllu")
    (folder / "ref.conllu").write_text("(S (NP the cat) (VP sat))\n")
    with pytest.raises(DataError, match=r"has trees for 1 segment, a line each, but ref.en has 2 segments"):
        load("ref.conllu")


def test_segments_that_do_not_exist_or_are_not_said_are_refused(folder):
    (folder / "ref.conllu").write_text(
        conllu("the cat sat", "it", comments=["# segment = 1", "# segment = 3"])
    )
    with pytest.raises(DataError, match=r"line \d+: segment 3, but ref.en has 2 segments"):
        load("ref.conllu")
    (folder / "ref.conllu").write_text(conllu("the cat sat", "it", comments=["", "# segment = 2"]))
    with pytest.raises(DataError, match="line 1: no `# segment = N` says which segment"):
        load("ref.conllu")


def test_blank_segments_need_no_tree():
    text = TreeText("x", "x.en", ("the cat", "", "sat", None))
    sentences = conllu("the cat", "sat")

    def trees(content, path):
        path.write_text(content)
        return read_trees([f"x={path}"], [text]).treebank

    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        bank = trees(sentences, Path(folder, "t.conllu"))
        assert words(bank["sat"]) == ["sat"]
        assert bank[""] == ()
        numbered = conllu("the cat", "sat", comments=["# segment = 1", "# segment = 3"])
        assert trees(numbered, Path(folder, "t.conllu")) == bank
        brackets = trees("(X the cat)\n\n(X sat)\n\n", Path(folder, "t.trees"))
        assert brackets[""] == ()


def test_constituents_are_read_from_brackets(folder):
    (folder / "ref.trees").write_text("(S (NP the cat) (VP sat))\n(S (NP it) (VP rains))\n")
    (tree,) = load("ref.trees").test_set.trees["the cat sat"]
    assert isinstance(tree, Tree)
    assert tree.labels == ("S", "NP", "the", "cat", "VP", "sat")
    (folder / "ref.trees").write_text("(S (NP the cat) (VP sat)\n(S (NP it) (VP rains))\n")
    with pytest.raises(DataError, match=r"ref.trees, line 1, .*ends inside of 1 bracket"):
        load("ref.trees")


def test_trees_of_another_text_are_refused(folder):
    (folder / "ref.conllu").write_text(conllu("quite unlike", "completely other"))
    with pytest.raises(
        DataError, match=r"the trees in ref.conllu are not of ref.en: segment 1 is 'the cat sat', its tree"
    ):
        load("ref.conllu")
    (folder / "ref.conllu").write_text(conllu("the cat sat", "completely other"))
    assert any("1 trees have other words than their segments" in note for note in load("ref.conllu").notes)


def test_the_references_tree_comes_before_an_outputs(folder):
    (folder / "ref.conllu").write_text(conllu("the cat sat", "it rains"))
    (folder / "sys.conllu").write_text(
        conllu("a cat sat", "it", "rains", comments=["# segment = 1", "# segment = 2", ""])
    )
    loaded = load("sys.conllu", "ref.conllu")
    assert words(loaded.test_set.trees["it rains"]) == ["it rains"]
    assert any(note.startswith("1 text with several parses in the files of trees") for note in loaded.notes)


def test_a_column_is_no_part_of_a_file_of_trees(folder):
    (folder / "ref.conllu").write_text(conllu("the cat sat", "it rains"))
    with pytest.raises(UsageError, match="has no columns; write --trees TEXT=FILE"):
        load("ref.conllu:words")
    with pytest.raises(DataError, match=r"missing.conllu does not exist"):
        load("ref=missing.conllu")


# Pseudo-references and back-translations


def test_pseudo_references_come_after_the_others(folder):
    (folder / "mt.en").write_text("the cat was sitting\nrain\n")
    loaded = load(pseudo_references=["mt.en"])
    assert loaded.test_set.pseudo == 1
    assert loaded.test_set.references[-1] == ("the cat was sitting", "rain")
    assert ("pseudo_reference", "mt.en") in {(file.role, file.path) for file in loaded.inputs}
    alone = io.load(systems=["sys.en"], pseudo_references=["mt.en"])
    assert alone.test_set.references == alone.test_set.pseudo_references


def test_pseudo_references_of_another_length_are_refused(folder):
    (folder / "mt.en").write_text("one line\n")
    with pytest.raises(DataError, match=r"mt.en has 1"):
        load(pseudo_references=["mt.en"])


def test_back_translations_go_with_outputs(folder):
    (folder / "back.de").write_text("eine Katze sass\nes regnete\n")
    for argument in ("sys=back.de", "back.de"):
        assert load(back_translations=[argument]).test_set.back_translations == {
            "a cat sat": "eine Katze sass",
            "it rains": "es regnete",
        }
    with pytest.raises(UsageError, match=r"unknown system 'other'.*--back-translation SYS=back.de"):
        io.load(systems=["sys.en", "ref.en"], source="src.de", back_translations=["other=back.de"])
    (folder / "short.de").write_text("eine Katze sass\n")
    with pytest.raises(DataError, match=r"short.de has 1"):
        load(back_translations=["sys=short.de"])


def test_outputs_with_several_back_translations_are_told(folder):
    (folder / "back.de").write_text("eine Katze sass\nes regnete\n")
    (folder / "other.en").write_text("it rains\nit rains\n")
    (folder / "other.de").write_text("es regnet\nes giesst\n")
    loaded = io.load(
        systems=["sys.en", "other.en"], source="src.de", back_translations=["sys=back.de", "other=other.de"]
    )
    assert loaded.test_set.back_translations["it rains"] == "es regnete"
    assert loaded.notes == (
        "1 output with several back-translations, of which the first counts (as 'it rains')",
    )
