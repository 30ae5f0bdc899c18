"""What columns of judgements are called, and what the values in them mean."""

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
"""Columns that may hold the judgement itself; the first that is there is taken."""
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
"""How it may have been asked, as files and people call it; which way scores go hangs on it."""
SCORES = {"hter": ("hter", *RATINGS)}
"""Columns that may hold the judgement, for protocols with names of their own."""
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
"""Numbers that stand beside the judgement, by the name they are kept under."""
LABELS = {
    "document": DOCUMENT,
    "hit": HIT,
    "domain": DOMAIN,
    "origin": ORIGIN,
    "languages": LANGUAGES,
}
"""Labels that have a word of their own; every other column keeps its name."""
TRANSLATION = ("target", "targettext", "translation", "hypothesis", "hyp", "mt", "output")
TEXTS = frozenset(
    {
        *TRANSLATION,
        *("source", "src", "sourcetext", "original", "reference", "ref", "text", "tgt", "trg"),
        *("sourcecontextleft", "sourcecontextright", "targetcontextleft", "targetcontextright"),
        *("comment", "comments", "email", "groups", "modelscores", "itemdatabaseid"),
    }
)
"""What nobody groups judgements by: texts, remarks."""
_KINDS: Mapping[str, int] = {
    **dict.fromkeys(("tgt", "system", "sys", "ordinary", "target", ""), ORDINARY),
    **dict.fromkeys(("chk", "repeat", "repeated", "duplicate", "dup"), REPEAT),
    **dict.fromkeys(("bad", "badref", "badreference", "cal"), BAD_REFERENCE),
    **dict.fromkeys(("ref", "reference"), REFERENCE),
    **dict.fromkeys(("tutorial",), TUTORIAL),
}
APPRAISE_KINDS = ("TGT", "CHK", "BAD", "REF")
"""As Appraise writes them."""
TIES = ("tie", "tied", "equal", "draw", "both", "none", "neither", "=", "0")
NOT_RATED = "None"
"""How a file with a line for every segment says that one was not judged."""


def plain(name: str) -> str:
    """A name without case and signs: `Segment_ID` and `segmentId` are one."""
    return re.sub(r"[^a-z0-9]+", "", name.lower())


def find(names: Iterable[str], wanted: Iterable[str]) -> str | None:
    """The column that is called by the first of some words that there is one for."""
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(plain(name), name)
    return next((known[word] for word in wanted if word in known), None)


def kind_of(text: str) -> int | None:
    """What an item was shown for, by the tool's own word; None for a word nobody uses."""
    return _KINDS.get(plain(text))
