"""The parse of any text: given with the test set, kept from an earlier time, or made by a parser."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence

from adjudge import workspace
from adjudge.data.dependencies import Parse, ParsedSentence, Treebank
from adjudge.data.trees import Tree
from adjudge.errors import MissingResourceError
from adjudge.io import conllu
from adjudge.io.content_store import key_of
from adjudge.io.tree_files import TreeText
from adjudge.text import parsers

KIND = "trees"
"""Under which parses are kept in the store."""
COLUMNS = ("words", "heads", "relations", "tags", "lemmas", "classes")


class Parses:
    """Parses by text: first those that were given, then those of a parser."""

    def __init__(self, treebank: Treebank | None, parser: str = "", purpose: str = "this metric") -> None:
        self._given = treebank
        self._parser = parser
        self._purpose = purpose

    def of(self, texts: Sequence[str | None]) -> list[Parse | None]:
        """The parse of each text, None for None; blank texts have no sentences, and what is missing is parsed."""
        known: dict[str, Parse] = {}
        for text in dict.fromkeys(text for text in texts if text is not None):
            if not text.strip():
                known[text] = ()
            elif self._given is not None and text in self._given:
                known[text] = self._given[text]
        missing = list(dict.fromkeys(text for text in texts if text is not None and text not in known))
        if missing:
            self._check(missing, len(known))
            known.update(parse_texts(missing, self._parser))
        return [None if text is None else known[text] for text in texts]

    def signature(self, texts: Iterable[str | None]) -> dict[str, str]:
        """What trees are made by: a hash of those given for these texts, and the parser of the others."""
        fields = {}
        if self._given is not None:
            fields["trees"] = self._given.fingerprint(text for text in texts if text is not None)[:8]
        if self._parser:
            fields["parser"] = parsers.find(self._parser).signature
        return fields

    def gives_lemmas(self, texts: Iterable[str | None]) -> bool:
        """Whether the trees of these texts have lemmas; those of a parser, if it makes them."""
        given = [self._given.get(text, ()) for text in texts if text is not None] if self._given else []
        sentences = [part for parse in given for part in parse]
        if any(isinstance(part, Tree) or not any(part.lemmas) for part in sentences):
            return False
        return bool(sentences) or not self._parser or parsers.find(self._parser).gives_lemmas

    def _check(self, missing: Sequence[str], known: int) -> None:
        if self._parser:
            return
        if self._given is None:
            raise MissingResourceError(
                f"{self._purpose} compares trees, and there are none: give them with --trees TEXT=FILE.conllu, or name "
                "a parser, as in parser=en_core_web_sm (a spaCy pipeline or its folder, a UDPipe model, stanza:LANG)"
            )
        raise MissingResourceError(
            f"{self._purpose} has no trees of {len(missing)} of {len(missing) + known} texts, as of "
            f"{missing[0][:50]!r}: "
            "give them too (--trees TEXT=FILE.conllu), or name a parser for them (parser=NAME)"
        )


def parse_texts(texts: Sequence[str], name: str) -> dict[str, tuple[ParsedSentence, ...]]:
    """The sentences of each distinct text; what the store has is not parsed again."""
    parser = parsers.find(name)
    here = workspace.current()
    keys = {text: key_of(parser.signature, text) for text in dict.fromkeys(texts)}
    kept = here.store.get(KIND, list(keys.values())) if here.store is not None else {}
    known = {text: unpack_sentences(kept[key]) for text, key in keys.items() if key in kept}
    # Batches of similar length waste least; the longest come first, so that progress does not slow down at the end.
    new = sorted((text for text in keys if text not in known), key=len, reverse=True)
    for start in range(0, len(new), parsers.BATCH):
        here.tell(f"parsing with {parser.name}", start, len(new))
        batch = new[start : start + parsers.BATCH]
        parses = dict(zip(batch, parser.parse(batch), strict=True))
        if here.store is not None:
            here.store.put(KIND, {keys[text]: pack_sentences(parse) for text, parse in parses.items()})
        known.update(parses)
    if new:
        here.tell(f"parsing with {parser.name}", len(new), len(new))
    return known


def parsed_documents(texts: Sequence[TreeText], parser: str) -> Iterator[str]:
    """The lines of a CoNLL-U file with the trees of texts, each under the name of its file."""
    segments = [segment for text in texts for segment in text.segments]
    parses = Parses(None, parser).of(segments)
    documents = []
    for text in texts:
        text_parses, parses = parses[: len(text.segments)], parses[len(text.segments) :]
        sentences = [
            tuple(part for part in parse or () if isinstance(part, ParsedSentence)) for parse in text_parses
        ]
        documents.append((os.path.basename(text.path), sentences))
    return conllu.write(documents)


def pack_sentences(sentences: Sequence[ParsedSentence]) -> bytes:
    """Sentences as bytes."""
    columns = [[getattr(sentence, name) for name in COLUMNS] for sentence in sentences]
    return json.dumps(columns, separators=(",", ":")).encode()


def unpack_sentences(data: bytes) -> tuple[ParsedSentence, ...]:
    """Sentences from such bytes."""
    return tuple(
        ParsedSentence(**{name: tuple(column) for name, column in zip(COLUMNS, columns, strict=True)})
        for columns in json.loads(data)
    )
