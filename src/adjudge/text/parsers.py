"""Parsers that are not ours: pipelines of spaCy, models of UDPipe, Stanza where it is installed.

A parser is known by name: a spaCy pipeline's (installed, or the path of its folder), the path of a UDPipe model, or
`stanza:LANG`. What it is, is told by its files' hash or its version before anything is loaded.

Named entities come from spaCy's pipelines too.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from adjudge import workspace
from adjudge.data.dependencies import ParsedSentence
from adjudge.errors import DataError, MissingExtraError, MissingResourceError
from adjudge.io.conllu import read as read_conllu

NUMERIC = ("CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME")
"""Kinds of entities that are no names: numbers, dates and units are looked for otherwise."""
FINDERS = ("ner", "entity_ruler", "span_ruler")
NEEDLESS = ("parser", "lemmatizer", "attribute_ruler", "textcat", "textcat_multilabel", "entity_linker")
STANZA = "stanza:"
BATCH = 128
"""Segments that are parsed before the parser looks up: for progress, and to keep what was done."""
_NEEDLESS = ("ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat", "span_ruler")
_WAYS = (
    "an installed spaCy pipeline (en_core_web_sm), the folder of one, a UDPipe model file, or stanza:LANG was "
    "expected"
)


class Parser(ABC):
    """Text in, sentences out."""

    def __init__(self, name: str, signature: str) -> None:
        self.name = name
        """How messages call it."""
        self.signature = signature
        """What it is, to the last bit: its name, the program's version and a hash of its files."""

    @property
    @abstractmethod
    def gives_lemmas(self) -> bool:
        """Whether its parses have lemmas."""

    @abstractmethod
    def parse(self, texts: Sequence[str]) -> Iterable[tuple[ParsedSentence, ...]]:
        """The sentences of each text."""


def find(name: str) -> Parser:
    """The parser of that name; one that is not there is an error that says what was looked for."""
    if name.startswith(STANZA):
        return _find(name, ())
    if os.path.isdir(name):
        return _find(name, _stamps(name))
    if os.path.exists(name):
        return _find(name, _stamps(name))
    return _find(name, ())


@cache
def _find(name: str, stamps: tuple[tuple[str, int, int], ...]) -> Parser:
    """The parser of a name; files that have changed make another parser."""
    if name.startswith(STANZA):
        return StanzaParser(name.removeprefix(STANZA))
    if os.path.isdir(name):
        return SpacyParser(name, Path(name))
    if os.path.exists(name):
        return UdpipeParser(name)
    folder = _package_folder(name)
    if folder is None:
        hint = "; it is no file or folder" if os.sep in name else f", or install it: pip install {name}"
        raise MissingResourceError(f"there is no parser {name!r}: {_WAYS}{hint}")
    return SpacyParser(name, folder)


def _package_folder(name: str) -> Path | None:
    """Where an installed pipeline lies."""
    if not name.isidentifier():
        return None
    spec = importlib.util.find_spec(name)
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _stamps(path: str) -> tuple[tuple[str, int, int], ...]:
    return tuple(
        (str(file), (facts := file.stat()).st_size, facts.st_mtime_ns) for file in _files(Path(path))
    )


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)


def content_hash(path: Path) -> str:
    """Eight digits for all the files of a model."""
    digest = hashlib.sha256()
    for file in _files(path):
        name = file.name if file == path else file.relative_to(path).as_posix()
        with file.open("rb") as opened:
            digest.update(f"{name}\0{hashlib.file_digest(opened, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()[:8]


def _version(package: str, purpose: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        if package == "stanza":  # no extra brings it: it brings torch
            raise MissingResourceError(
                f"{purpose} needs Stanza, which is not installed: pip install stanza"
            ) from None
        raise MissingExtraError(purpose, "trees") from None


def _meta_of_pipeline(name: str, folder: Path) -> Path:
    """The meta.json of the one pipeline in a folder.

    An installed package has one at its top too, without a pipeline beside it, and the pipeline in a folder below.
    """
    whole = [meta for meta in sorted(folder.rglob("meta.json")) if (meta.parent / "config.cfg").is_file()]
    if not whole:
        raise DataError(f"{name} holds no spaCy pipeline: there is no meta.json with a config.cfg beside it")
    depth = min(len(meta.parts) for meta in whole)
    first, *others = [meta for meta in whole if len(meta.parts) == depth]
    if others:
        known = ", ".join(str(meta.parent) for meta in (first, *others))
        raise DataError(f"{name} holds several spaCy pipelines: name one of {known}")
    return first


def pipeline_folder(name: str, purpose: str) -> Path:
    """Where a pipeline of spaCy lies, by its name or its folder; `purpose` says what it is for, where it is missing."""
    _version("spacy", purpose)
    folder = Path(name) if os.path.isdir(name) else _package_folder(name)
    if folder is None:
        raise MissingResourceError(
            f"{purpose} needs a pipeline of spaCy, and there is no {name!r}: give the folder of one, or install it: "
            f"pip install {name}"
        )
    return _meta_of_pipeline(name, folder).parent


class SpacyParser(Parser):
    """A pipeline of spaCy."""

    def __init__(self, name: str, folder: Path) -> None:
        version = _version("spacy", f"the parser {name}")
        meta = _meta_of_pipeline(name, folder)
        super().__init__(name, f"spacy-{version}/{folder.name}-{content_hash(folder)}")
        self._folder = meta.parent
        try:
            self._components = json.loads(meta.read_text(encoding="utf-8")).get("pipeline", [])
        except ValueError as error:
            raise DataError(f"{meta} is damaged: {error}; install the pipeline again") from None
        self._pipeline: Any = None

    @property
    def gives_lemmas(self) -> bool:
        """Whether something in the pipeline makes lemmas."""
        return any("lemmatizer" in component for component in self._components)

    def parse(self, texts: Sequence[str]) -> Iterator[tuple[ParsedSentence, ...]]:
        """The sentences of each text."""
        for document in self._load().pipe(texts, batch_size=BATCH):
            yield tuple(filter(None, (_spacy_sentence(list(sentence)) for sentence in document.sents)))

    def _load(self) -> Any:
        if self._pipeline is None:
            import spacy

            try:
                self._pipeline = spacy.load(
                    self._folder, exclude=[n for n in _NEEDLESS if n in self._components]
                )
            except Exception as error:  # its components raise what they like
                raise DataError(f"{self.name} cannot be loaded by spaCy: {_first_line(error)}") from None
            if "parser" not in self._pipeline.pipe_names:
                raise DataError(
                    f"{self.name} has no parser, only {', '.join(self._pipeline.pipe_names) or 'a tokenizer'}; {_WAYS}"
                )
        return self._pipeline


def _spacy_sentence(tokens: list[Any]) -> ParsedSentence | None:
    """A sentence without the tokens that are nothing but white space."""
    words = [token for token in tokens if not token.is_space]
    number = {token.i: at for at, token in enumerate(words, 1)}
    heads = []
    for token in words:
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        heads.append(0 if head.i == token.i or head.is_space else number[head.i])
    if not words:
        return None
    # Where white space was the root, the first word below it takes its place.
    root = heads.index(0) + 1
    heads = [root if head == 0 and at != root else head for at, head in enumerate(heads, 1)]
    return ParsedSentence(
        words=tuple(token.text for token in words),
        heads=tuple(heads),
        relations=tuple(token.dep_ if head else "root" for token, head in zip(words, heads, strict=True)),
        tags=tuple(token.tag_ for token in words),
        lemmas=tuple(token.lemma_ for token in words),
        classes=tuple(token.pos_ for token in words),
    )


class UdpipeParser(Parser):
    """A model of UDPipe 1."""

    def __init__(self, path: str) -> None:
        version = _version("ufal.udpipe", f"the parser {path}")
        super().__init__(path, f"udpipe-{version}/{Path(path).name}-{content_hash(Path(path))}")
        self._pipeline: Any = None
        self._lemmas: bool | None = None

    @property
    def gives_lemmas(self) -> bool:
        """Whether it made a lemma for a word that it was asked about."""
        if self._lemmas is None:
            (sentences,) = self.parse(["a"])
            self._lemmas = any(lemma for sentence in sentences for lemma in sentence.lemmas)
        return self._lemmas

    def parse(self, texts: Sequence[str]) -> Iterator[tuple[ParsedSentence, ...]]:
        """The sentences of each text."""
        from ufal.udpipe import ProcessingError

        pipeline = self._load()
        for text in texts:
            error = ProcessingError()
            output = pipeline.process(" ".join(text.split()), error)
            if error.occurred():
                raise DataError(f"{self.name} failed on {text[:60]!r}: {error.message}")
            placed = read_conllu(f"what {self.name} made of {text[:40]!r}", output.encode()) if output else []
            yield tuple(item.sentence for item in placed)

    def _load(self) -> Any:
        if self._pipeline is None:
            from ufal.udpipe import Model, Pipeline

            model = Model.load(self.name)
            if model is None:
                raise DataError(f"{self.name} is no model of UDPipe, or a damaged one; {_WAYS}")
            reader = "tokenize" if model.newTokenizer(Model.DEFAULT) is not None else "horizontal"
            self._model = model  # the pipeline does not keep it
            self._pipeline = Pipeline(model, reader, Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
        return self._pipeline


class StanzaParser(Parser):
    """Stanza's models of a language."""

    def __init__(self, language: str) -> None:
        version = _version("stanza", f"the parser stanza:{language}")
        self._language = language
        self._pipeline: Any = None
        digest = self._models_hash()
        super().__init__(f"{STANZA}{language}", f"stanza-{version}/{language}/{digest}")

    @property
    def gives_lemmas(self) -> bool:
        """Yes: lemmas are asked for."""
        return True

    def parse(self, texts: Sequence[str]) -> Iterator[tuple[ParsedSentence, ...]]:
        """The sentences of each text."""
        for document in self._load().bulk_process(list(texts)):
            yield tuple(_stanza_sentence(sentence.words) for sentence in document.sentences)

    def _models_hash(self) -> str:
        """Eight digits for the models of the language, and for which of them are used; fetched, if they may be."""
        try:
            from stanza.resources.common import DEFAULT_MODEL_DIR
        except ImportError as error:  # of what it needs in turn
            raise MissingResourceError(
                f"Stanza cannot be loaded ({_first_line(error)}): pip install stanza, with all it needs"
            ) from None
        resources = Path(DEFAULT_MODEL_DIR) / "resources.json"
        if not resources.is_file():
            self._load()
        try:
            entry = json.loads(resources.read_text(encoding="utf-8")).get(self._language) or {}
        except (OSError, ValueError, AttributeError):
            raise DataError(
                f"{resources} is not what Stanza wrote there: delete it, and fetch the models again"
            ) from None
        models = Path(DEFAULT_MODEL_DIR) / entry.get("alias", self._language)
        if not models.is_dir():
            self._load()
        chosen = json.dumps(entry.get("packages"), sort_keys=True)
        return hashlib.sha256(f"{content_hash(models)}{chosen}".encode()).hexdigest()[:8]

    def _load(self) -> Any:
        if self._pipeline is None:
            import stanza

            here = workspace.current()
            download = {} if here.allow_download else {"download_method": None}
            try:
                self._pipeline = stanza.Pipeline(
                    self._language,
                    processors="tokenize,mwt,pos,lemma,depparse",
                    verbose=False,
                    device=here.device,
                    **download,
                )
            except Exception as error:  # files, networks and languages, each with an exception of its own
                raise MissingResourceError(
                    f"Stanza has no models for {self._language!r} on this machine ({_first_line(error)}); "
                    f"--allow-download lets it fetch them, as stanza.download('{self._language}') does in Python"
                ) from None
        return self._pipeline


def _stanza_sentence(words: Sequence[Any]) -> ParsedSentence:
    return ParsedSentence(
        words=tuple(word.text for word in words),
        heads=tuple(int(word.head) for word in words),
        relations=tuple(word.deprel for word in words),
        tags=tuple(word.xpos or "" for word in words),
        lemmas=tuple(word.lemma or "" for word in words),
        classes=tuple(word.upos or "" for word in words),
    )


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def named_entities_of(pipeline: str, texts: Sequence[str]) -> list[list[str]]:
    """The names of people, places and things in every text, in order, by a pipeline of the texts' language."""
    folder = pipeline_folder(pipeline, "finding named entities")
    import spacy

    try:
        loaded = spacy.load(folder, exclude=list(NEEDLESS))
    except Exception as error:  # its components raise what they like
        raise DataError(
            f"{pipeline} cannot be loaded by spaCy: {str(error).strip().split(chr(10))[0]}"
        ) from None
    if not any(name in loaded.pipe_names for name in FINDERS):
        known = ", ".join(loaded.pipe_names) or "a tokenizer"
        raise DataError(f"{pipeline} knows no named entities, only {known}: a pipeline with ner is needed")
    return [
        [entity.text for entity in document.ents if entity.label_ not in NUMERIC and entity.text.strip()]
        for document in loaded.pipe(texts, batch_size=BATCH)
    ]
