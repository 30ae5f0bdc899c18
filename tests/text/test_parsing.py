"""Parses by text: those given come first, what is kept is not made again, and what is missing is told."""

import json
import sys
import types

import pytest

from adjudge import workspace
from adjudge.data.dependencies import ParsedSentence, Treebank
from adjudge.data.trees import read_tree
from adjudge.errors import DataError, MissingExtraError, MissingResourceError
from adjudge.io.tree_files import TreeText
from adjudge.text import parsers, parsing
from adjudge.text.parsing import Parses, parse_texts
from helpers.treebanks import chain


class ChainParser(parsers.Parser):
    """Hangs each word on the one before it, and counts what it was asked."""

    gives_lemmas = False

    def __init__(self, name="chains"):
        super().__init__(name, f"{name}-1")
        self.asked = []

    def parse(self, texts):
        self.asked += texts
        for text in texts:
            if "fail" in text:
                raise DataError("the parser fails")
            yield tuple(map(chain, text.split(" | ")))


@pytest.fixture
def chains(monkeypatch):
    made = ChainParser()
    monkeypatch.setattr(parsers, "find", lambda name: made)
    return made


@pytest.fixture
def here():
    told = []
    used = workspace.Workspace(store=workspace.MemoryStore(), progress=lambda *step: told.append(step))
    with workspace.use(used) as space:
        yield types.SimpleNamespace(store=space.store, told=told)


def test_what_is_given_is_not_parsed(chains, here):
    bank = Treebank({"a b": (chain("b a"),)})
    assert Parses(bank, "chains").of(["a b", "c", None, " ", "c"]) == [
        (chain("b a"),),
        (chain("c"),),
        None,
        (),
        (chain("c"),),
    ]
    assert chains.asked == ["c"]


def test_a_second_run_parses_nothing(chains, here):
    texts = [f"word{number} x | y" for number in range(300)]
    first = Parses(None, "chains").of(texts)
    assert sorted(chains.asked) == sorted(texts)
    chains.asked.clear()
    assert Parses(None, "chains").of(texts) == first
    assert chains.asked == []
    assert parse_texts(["word0 x | y", "new"], "chains")["new"] == (chain("new"),)
    assert chains.asked == ["new"]


def test_parsing_goes_on_in_batches_and_tells_how_far_it_is(chains, here):
    parse_texts([f"w{number}" for number in range(300)], "chains")
    assert here.told == [("parsing with chains", done, 300) for done in (0, 128, 256, 300)]
    parse_texts(["w0"], "chains")
    assert len(here.told) == 4


def test_what_was_parsed_before_a_failure_is_kept_and_nothing_of_the_failure(chains, here):
    texts = [f"word number {number}" for number in range(128)] + ["fail"]
    with pytest.raises(DataError, match="the parser fails"):
        parse_texts(texts, "chains")
    assert len(here.store._values) == 128


def test_another_parser_has_parses_of_its_own(chains, here, monkeypatch):
    parse_texts(["a"], "chains")
    other = ChainParser("other")
    monkeypatch.setattr(parsers, "find", lambda name: other)
    parse_texts(["a"], "other")
    assert other.asked == ["a"]


def test_without_trees_or_parser_both_ways_out_are_said():
    with pytest.raises(
        MissingResourceError, match=r"--trees TEXT=FILE.conllu, or name a parser, as in parser=en_core_web_sm"
    ):
        Parses(None, purpose="PTK").of(["a"])
    with pytest.raises(
        MissingResourceError, match="PTK has no trees of 1 of 2 texts, as of 'b': give them too"
    ):
        Parses(Treebank({"a": (chain("a"),)}), purpose="PTK").of(["a", "b"])
    assert Parses(None).of(["", None]) == [(), None]


def test_signatures_say_whose_trees_these_are(chains):
    bank = Treebank({"a": (chain("a"),), "b": (chain("b"),)})
    given = Parses(bank).signature(["a"])
    assert list(given) == ["trees"]
    assert given == Parses(Treebank({"a": (chain("a"),)})).signature(["a"])
    assert given != Parses(bank).signature(["b"])
    assert Parses(None, "chains").signature(["a"]) == {"parser": "chains-1"}


def test_lemmas_are_the_parsers_or_not():
    plain, full = chain("a"), chain("a", lemmas=("a",))
    assert not Parses(Treebank({"a": (plain,)})).gives_lemmas(["a"])
    assert Parses(Treebank({"a": (full,)})).gives_lemmas(["a", "elsewhere", None])
    assert not Parses(Treebank({"a": (read_tree("(S a)"),)})).gives_lemmas(["a"])


def test_sentences_are_kept_whole():
    sentence = ParsedSentence(("ä", '"'), (2, 0), ("x", "root"), ("T", ""), ("l", ""), ("", "U"))
    assert parsing.unpack_sentences(parsing.pack_sentences([sentence])) == (sentence,)
    assert parsing.unpack_sentences(parsing.pack_sentences([])) == ()


def test_documents_are_written_under_the_names_of_their_files(chains, here):
    texts = [TreeText("ref", "data/ref.en", ("a b", "", "c | d")), TreeText("x", "x.en", ("e", None))]
    lines = list(parsing.parsed_documents(texts, "chains"))
    assert [line for line in lines if "newdoc" in line] == ["# newdoc id = ref.en", "# newdoc id = x.en"]
    assert [line for line in lines if "sent_id" in line] == [
        f"# sent_id = {n}" for n in ("1.1", "3.1", "3.2", "1.1")
    ]


# Parsers that are not ours


def test_a_parser_that_is_not_there_says_what_was_expected(tmp_path):
    with pytest.raises(
        MissingResourceError,
        match=r"no parser 'xx_no_such': an installed spaCy pipeline .*pip install xx_no_such",
    ):
        parsers.find("xx_no_such")
    with pytest.raises(MissingResourceError, match=r"no parser .*it is no file or folder"):
        parsers.find(str(tmp_path / "missing"))


def without(monkeypatch, package):
    version = parsers.importlib.metadata.version

    def absent(name):
        if name == package:
            raise parsers.importlib.metadata.PackageNotFoundError
        return version(name)

    monkeypatch.setattr(parsers.importlib.metadata, "version", absent)


@pytest.mark.parametrize("package", ["spacy", "ufal.udpipe"])
def test_a_missing_extra_is_asked_for_by_name(tmp_path, monkeypatch, package):
    without(monkeypatch, package)
    (tmp_path / "model.udpipe").write_bytes(b"x")
    name = {"spacy": str(tmp_path), "ufal.udpipe": str(tmp_path / "model.udpipe")}[package]
    with pytest.raises(MissingExtraError, match=r"pip install 'adjudge\[trees\]'"):
        parsers.find(name)


def test_stanza_is_asked_for_by_its_own_name_as_no_extra_brings_it(monkeypatch):
    without(monkeypatch, "stanza")
    with pytest.raises(
        MissingResourceError, match="needs Stanza, which is not installed: pip install stanza"
    ):
        parsers.find("stanza:en")


def token(i, text, head, dep="dep", space=False):
    made = types.SimpleNamespace(
        i=i, text=text, dep_=dep, tag_="T", lemma_=text.lower(), pos_="X", is_space=space
    )
    made.head_at = head
    return made


def linked(*tokens):
    for token in tokens:
        token.head = tokens[token.head_at]
    return list(tokens)


def test_white_space_is_no_word_of_a_spacy_sentence():
    """A token of white space goes, and what hangs on it hangs on its head."""
    tokens = linked(
        token(0, "It", 2), token(1, " ", 2, space=True), token(2, "rains", 2, "ROOT"), token(3, "!", 1)
    )
    sentence = parsers._spacy_sentence(tokens)
    assert sentence.words == ("It", "rains", "!")
    assert sentence.heads == (2, 0, 2)
    assert sentence.relations == ("dep", "root", "dep")
    tokens = linked(token(0, " ", 0, "ROOT", space=True), token(1, "a", 0), token(2, "b", 0))
    sentence = parsers._spacy_sentence(tokens)
    assert sentence.heads == (0, 1)
    assert sentence.relations == ("root", "dep")
    assert parsers._spacy_sentence(linked(token(0, " ", 0, "ROOT", space=True))) is None


@pytest.fixture
def pipeline(tmp_path, monkeypatch):
    """A folder that looks like a spaCy pipeline, and a spaCy that loads it."""
    folder = tmp_path / "en_tiny"
    folder.mkdir()
    (folder / "meta.json").write_text(json.dumps({"pipeline": ["parser", "lemmatizer", "ner"]}))
    (folder / "config.cfg").write_text("[nlp]\n")

    class Pipeline:
        pipe_names = ("parser", "lemmatizer")

        def pipe(self, texts, batch_size):
            for text in texts:
                tokens = linked(*(token(at, word, max(at - 1, 0)) for at, word in enumerate(text.split())))
                yield types.SimpleNamespace(sents=[tokens])

    loads = []

    def load(path, exclude):
        loads.append((path, exclude))
        return Pipeline()

    monkeypatch.setitem(sys.modules, "spacy", types.SimpleNamespace(load=load))
    monkeypatch.setattr(parsers, "_version", lambda package, purpose: "9.9")
    parsers._find.cache_clear()
    yield types.SimpleNamespace(folder=folder, loads=loads)
    parsers._find.cache_clear()


def test_a_spacy_folder_is_known_by_its_files(pipeline, here):
    parser = parsers.find(str(pipeline.folder))
    assert parser.signature.startswith("spacy-9.9/en_tiny-")
    assert parser.gives_lemmas
    assert not pipeline.loads  # nothing is loaded until something is parsed
    (parse,) = Parses(None, str(pipeline.folder)).of(["a b"])
    assert parse[0].heads == (0, 1)
    assert pipeline.loads == [(pipeline.folder, ["ner"])]
    assert parsers.find(str(pipeline.folder)) is parser
    (pipeline.folder / "config.cfg").write_text("[nlp]\nother = 1\n")
    assert parsers.find(str(pipeline.folder)).signature != parser.signature


def test_a_folder_that_is_no_pipeline_is_refused(pipeline, monkeypatch):
    (pipeline.folder / "config.cfg").unlink()
    with pytest.raises(DataError, match=r"holds no spaCy pipeline: there is no meta.json with a config.cfg"):
        parsers.find(str(pipeline.folder))


def test_an_installed_pipeline_is_found_by_its_name(pipeline, here, tmp_path, monkeypatch):
    package = tmp_path / "site" / "xx_tiny"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "meta.json").write_text("{}")  # packages have it at their top as well, where no pipeline is
    pipeline.folder.rename(package / "xx_tiny-1.0")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    parsers._find.cache_clear()
    assert parse_texts(["a b"], "xx_tiny")["a b"][0].words == ("a", "b")
    assert pipeline.loads[0][0] == package / "xx_tiny-1.0"
    assert parsers.find("xx_tiny").gives_lemmas


def test_of_several_pipelines_in_a_folder_none_is_chosen_by_chance(pipeline):
    other = pipeline.folder.parent / "de_tiny"
    other.mkdir()
    for name in ("meta.json", "config.cfg"):
        (other / name).write_text((pipeline.folder / name).read_text())
    with pytest.raises(DataError, match=r"holds several spaCy pipelines: name one of .*de_tiny, .*en_tiny"):
        parsers.find(str(pipeline.folder.parent))


def test_a_pipeline_that_does_not_load_or_parse_is_named(pipeline, here, monkeypatch):
    def broken(path, exclude):
        raise ValueError("[E002] no factory\nmore")

    monkeypatch.setitem(sys.modules, "spacy", types.SimpleNamespace(load=broken))
    with pytest.raises(DataError, match=r"en_tiny cannot be loaded by spaCy: \[E002\] no factory$"):
        parse_texts(["a"], str(pipeline.folder))
    bare = types.SimpleNamespace(pipe_names=["tagger"])
    monkeypatch.setitem(sys.modules, "spacy", types.SimpleNamespace(load=lambda path, exclude: bare))
    with pytest.raises(DataError, match="has no parser, only tagger"):
        parse_texts(["a"], str(pipeline.folder))
    assert not here.store._values


@pytest.fixture
def fake_stanza(monkeypatch, tmp_path):
    """What of Stanza is called, and what it was called with; models of English alone."""
    asked = {}

    class Pipeline:
        def __init__(self, language, **options):
            asked.update(options, language=language)
            if language != "en":
                raise FileNotFoundError("no such language")

        def bulk_process(self, texts):
            word = types.SimpleNamespace(text="a", head=0, deprel="root", xpos=None, lemma="a", upos="X")
            return [types.SimpleNamespace(sentences=[types.SimpleNamespace(words=[word])]) for _ in texts]

    (tmp_path / "en" / "pos").mkdir(parents=True)
    (tmp_path / "en" / "pos" / "tiny.pt").write_bytes(b"model")
    (tmp_path / "resources.json").write_text('{"en": {"packages": {}}}')
    modules = {
        "stanza": types.SimpleNamespace(Pipeline=Pipeline),
        "stanza.resources": types.SimpleNamespace(),
        "stanza.resources.common": types.SimpleNamespace(DEFAULT_MODEL_DIR=str(tmp_path)),
    }
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(parsers, "_version", lambda package, purpose: "1.10")
    parsers._find.cache_clear()
    yield types.SimpleNamespace(asked=asked, folder=tmp_path)
    parsers._find.cache_clear()


def test_stanza_is_asked_for_its_language_and_downloads_nothing(fake_stanza, here, monkeypatch):
    assert parse_texts(["a"], "stanza:en")["a"] == (
        ParsedSentence(("a",), (0,), ("root",), ("",), ("a",), ("X",)),
    )
    assert fake_stanza.asked["language"] == "en"
    assert fake_stanza.asked["device"] == "cpu"
    assert fake_stanza.asked["download_method"] is None
    with pytest.raises(
        MissingResourceError, match=r"no models for 'xx' .*no such language.*--allow-download"
    ):
        parse_texts(["a"], "stanza:xx")
    monkeypatch.setitem(sys.modules, "stanza.resources.common", None)  # to import it is an error now
    with pytest.raises(
        MissingResourceError, match=r"Stanza cannot be loaded .*: pip install stanza, with all"
    ):
        parse_texts(["a"], "stanza:de")


def test_other_models_of_stanza_are_another_parser(fake_stanza):
    signatures = set()
    for change in (
        lambda folder: None,
        lambda folder: (folder / "en" / "pos" / "tiny.pt").write_bytes(b"other"),
        lambda folder: (folder / "resources.json").write_text('{"en": {"packages": {"default": {}}}}'),
    ):
        change(fake_stanza.folder)
        parsers._find.cache_clear()
        signatures.add(parsers.find("stanza:en").signature)
    assert len(signatures) == 3
    (fake_stanza.folder / "resources.json").write_text("[")
    parsers._find.cache_clear()
    with pytest.raises(DataError, match=r"resources\.json is not what Stanza wrote there"):
        parsers.find("stanza:en")


def test_udpipe_parses_english(shared, here):
    pytest.importorskip("ufal.udpipe")
    path = str(shared.root / "models/en_ewt-2.16.udpipe")
    (parse,) = Parses(None, path).of(["The cat sat on the mat. It slept."])
    assert [sentence.words for sentence in parse] == [
        ("The", "cat", "sat", "on", "the", "mat", "."),
        ("It", "slept", "."),
    ]
    assert parse[0].relations[2] == "root"
    assert parse[0].classes[1] == "NOUN"
    assert not parsers.find(path).gives_lemmas


def test_what_is_no_udpipe_model_is_refused(tmp_path, here):
    pytest.importorskip("ufal.udpipe")
    (tmp_path / "x.udpipe").write_text("no model")
    with pytest.raises(DataError, match="is no model of UDPipe"):
        parse_texts(["a"], str(tmp_path / "x.udpipe"))
