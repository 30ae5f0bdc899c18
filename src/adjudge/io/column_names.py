"""Names of columns in tables of judgements, scores and texts, and what their values mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from adjudge.data.judgements import BAD_REFERENCE, ORDINARY, REFERENCE, REPEAT, TUTORIAL

SYSTEM = ("system", "systemid", "sys", "sysid", "systemname", "targetid")
ITEM = (
    "segment",
    "segmentid",
    "seg",
    "segid",
    "globalsegid",
    "sid",
    "line",
    "lineid",
    "linenumber",
    "item",
    "itemid",
    "expitemnumber",
    "srcindex",
    "index",
    "id",
)
ANNOTATOR = (
    "annotator",
    "annotatorid",
    "judge",
    "judgeid",
    "rater",
    "raterid",
    "worker",
    "workerid",
    "user",
    "userid",
    "username",
    "login",
    "participant",
    "participantid",
    "evaluator",
)
DOCUMENT = ("document", "doc", "docid", "documentid")
KIND = ("kind", "type", "itemtype", "segmenttype", "tst")
START = ("start", "starttime", "timestart", "startedat")
END = ("end", "endtime", "timeend", "endedat")
SECONDS = ("seconds", "duration", "durationinseconds", "worktimeinseconds", "time")
HIT = ("hit", "hitid", "assignmentid", "batch", "batchnumber", "batchno", "taskid")
RANKING = ("ranking", "rankingid")
RANK = ("rank",)
SPANS = ("spans", "errors", "errorspans", "spanerrors", "errorsjson", "mqm", "mqmannotations", "esaspans")
SOURCE_LANGUAGE = ("srclang", "sourcelang", "sourcelanguage", "inputsrc")
TARGET_LANGUAGE = ("trglang", "tgtlang", "targetlang", "targetlanguage", "inputtrg")
LANGUAGES = ("languages", "lp", "langs", "languagepair")
WHOLE_DOCUMENT = ("isdocscore", "iscompletedocument")
ORIGIN = ("origin", "origlang", "originallanguage")
DOMAIN = ("domain", "genre", "domainname")
CHOICE = ("preferred", "preference", "winner", "choice", "better", "rating")

Z = ("z", "zscore", "zscr", "zmean")
RATINGS = (
    "score",
    "raw",
    "rawscore",
    "rawscr",
    "rating",
    "human",
    "humanscore",
    "overall",
    "da",
    "sqm",
    "esa",
    "esascore",
    "mqmscore",
    "mqmavgscore",
    "adequacy",
    "fluency",
    "mean",
    *Z,
)
"""Columns that may hold the judgement itself; the first one present is used."""
PROTOCOLS = (
    *(
        "da",
        "sqm",
        "esa",
        "mqm",
        "adequacy",
        "fluency",
        "adequacy-fluency",
        "hter",
        "post-edit",
        "post-editing",
    ),
    *("yes-no", "acceptability", "comprehension", "rank", "ranking", "pairwise", "preference"),
)
"""Protocols as files and people call them; they decide which direction of scores is better."""
SCORES = {"hter": ("hter", *RATINGS)}
"""Columns that may hold the judgement, for protocols that name them differently."""
MEASURES = {
    "z": Z,
    "raw": ("raw", "rawscore", "rawscr"),
    "mean": ("mean",),
    "hter": ("hter",),
    "n": ("n", "count"),
    "judgements": ("judgements", "njudgements", "nall"),
    "keystrokes": ("keystrokes", "keys", "keypresses"),
    "words": ("words", "wordcount", "sourcewords"),
    "characters": ("characters", "chars"),
    "edits": ("edits", "insertions", "deletions"),
    "hit_seconds": ("hitseconds",),
}
"""Numbers beside the judgement, by the name under which they are stored."""
LABELS = {
    "document": DOCUMENT,
    "hit": HIT,
    "domain": DOMAIN,
    "origin": ORIGIN,
    "languages": LANGUAGES,
}
"""Labels with a standard name; every other column keeps its own."""
SOURCE = ("source", "sourcetext", "src", "original")
REFERENCE_TEXT = ("reference", "ref", "referencetext")
TRANSLATION = ("target", "targettext", "translation", "hypothesis", "hyp", "mt", "output")
TEXTS = frozenset(
    {
        *TRANSLATION,
        *SOURCE,
        *REFERENCE_TEXT,
        *("text", "tgt", "trg"),
        *("sourcecontextleft", "sourcecontextright", "targetcontextleft", "targetcontextright"),
        *("comment", "comments", "email", "groups", "modelscores", "itemdatabaseid"),
    }
)
"""Columns that are no labels: texts, remarks."""
_KINDS: Mapping[str, int] = {
    **dict.fromkeys(("tgt", "system", "sys", "ordinary", "target", ""), ORDINARY),
    **dict.fromkeys(("chk", "repeat", "repeated", "duplicate", "dup"), REPEAT),
    **dict.fromkeys(("bad", "badref", "badreference", "cal"), BAD_REFERENCE),
    **dict.fromkeys(("ref", "reference"), REFERENCE),
    **dict.fromkeys(("tutorial",), TUTORIAL),
}
APPRAISE_KINDS = ("TGT", "CHK", "BAD", "REF")
"""Kinds of items as Appraise writes them."""
TIES = ("tie", "tied", "equal", "draw", "both", "none", "neither", "=", "0")
NOT_RATED = "None"
"""The score of a segment that was not judged, in files with a line for every segment."""


def plain(name: str) -> str:
    """A name without case and punctuation, so that `Segment_ID` and `segmentId` are equal."""
    return re.sub(r"[^a-z0-9]+", "", name.lower())


def find(names: Iterable[str], words: Iterable[str]) -> str | None:
    """The column whose name is the first of these words that there is a column for."""
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(plain(name), name)
    return next((known[word] for word in words if word in known), None)


def kind_of(text: str) -> int | None:
    """The kind of an item by a tool's word for it; None for an unknown word."""
    return _KINDS.get(plain(text))
