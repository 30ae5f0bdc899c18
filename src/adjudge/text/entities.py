"""Named entities, as pipelines of spaCy know them where one is installed."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.errors import DataError
from adjudge.text.parsers import BATCH, pipeline_folder

NUMERIC = ("CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME")
"""Kinds of entities that are no names: numbers, dates and units are looked for otherwise."""
FINDERS = ("ner", "entity_ruler", "span_ruler")
NEEDLESS = ("parser", "lemmatizer", "attribute_ruler", "textcat", "textcat_multilabel", "entity_linker")


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
