"""Where judgements come from: the labels of what counts."""

from adjudge.data.judgements import NameColumn
from adjudge.dossiers.checklist import Provenance
from helpers.judged import ratings


def test_labels_of_what_counts() -> None:
    """Control items say nothing of the test set; words for contexts are understood, others are kept."""
    judgements = ratings(
        [("x", "a", "1", 1.0), ("x", "a", "2", 2.0), ("x", "b", "1", 3.0), ("x", "a", "9", 0.0)],
        ["ordinary", "ordinary", "ordinary", "bad reference"],
        labels={
            "origin": NameColumn.of(["de", None, "de", "en"]),
            "domain": NameColumn.of(["news", "talk", "news", "web"]),
            "languages": NameColumn.of(["de-en", "de-en", "de-en", "cs-en"]),
            "type": NameColumn.of(["sentence", "document", "sentence", "sentence"]),
        },
    )
    result = Provenance.of(judgements)
    assert result.origins == ("de", "")
    assert result.domains == ("news", "talk")
    assert result.languages == ("de-en",)
    assert result.contexts == {"segment": 2, "document": 1}
    changed = judgements.labelled("type", NameColumn.of(["new", "old", "new", "new"]))
    assert Provenance.of(changed).contexts == {}
    marked = judgements.labelled("level", NameColumn.of(["segment", "document", "segment", "segment"]))
    assert Provenance.of(marked).contexts == {"document": 3}
    assert Provenance.of(ratings([("x", "a", "1", 1.0)])) == Provenance()
