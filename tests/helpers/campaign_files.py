"""What the tests of other tools' campaigns share."""

from hypothesis import strategies as st

from adjudge.data.judgements import Span
from adjudge.data.tasks import Batch, TaskItem, Tasks, Translation
from helpers.alike import NASTY


def saved(folder, files):
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [str(folder / name) for name in files]


texts = st.lists(
    st.sampled_from(NASTY) | st.characters(codec="utf-8", exclude_characters="\0"), max_size=6
).map("".join)


names = st.sampled_from(("A", "b#c", "שלום", "=x", "漢", "e\u0301", "😀"))


@st.composite
def campaigns(draw, protocol="esa", blanks=True):
    """Batches with pages of several segments, errors marked beforehand, kinds, documents."""
    batches = []
    for number in range(draw(st.integers(1, 3))):
        items = []
        for page in range(draw(st.integers(1, 3))):
            document = draw(st.sampled_from(("", "d", "d e")))
            system = draw(names)
            kind = draw(st.sampled_from(("ordinary", "repeat", "bad reference", "reference")))
            for at in range(draw(st.integers(1, 2))):
                text = draw(texts)
                text = text if blanks else "x" + text
                spans = []
                for _ in range(draw(st.integers(0, 2))):
                    start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
                    severity = draw(st.sampled_from(("minor", "major")))
                    spans.append(Span(None, None, severity) if start == end else Span(start, end, severity))
                items.append(
                    TaskItem(
                        item=f"{number}.{page}.{at}",
                        translations=(Translation((system, "z"), text, tuple(spans)),),
                        source=draw(texts),
                        kind=kind,
                        document=document,
                        page=page,
                    )
                )
        batches.append(Batch(tuple(items), f"user {number}"))
    return Tasks("c", protocol, tuple(batches), ("de", "en"), in_context=True)


def one_of(protocol="da", **more):
    shown = TaskItem("7", (Translation(("A",), "x"),), source="s", **more)
    return Tasks("c", protocol, (Batch((shown,), "ann"),), ("eng", "deu"))
