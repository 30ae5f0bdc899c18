"""What the tests of files with documents share."""

from xml.sax.saxutils import escape

from hypothesis import strategies as st

# what XML can hold, without the white space that these formats take for layout
xml_characters = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")


xml_text = st.text(xml_characters)


def written(tmp_path, content, name):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def wmt(documents, before='<?xml version="1.0" encoding="utf-8"?>\n', collection=None):
    """A WMT XML file from [(attributes of doc, [(tag with attributes, segments)])]."""
    parts = []
    for attributes, columns in documents:
        parts.append(f"<doc {attributes}>")
        for tag, texts in columns:
            segments = "".join(f'<seg id="{at}">{escape(text)}</seg>' for at, text in enumerate(texts, 1))
            parts.append(f"<{tag}><p>{segments}</p></{tag.split()[0]}>")
        parts.append("</doc>")
    body = "\n".join(parts)
    if collection:
        body = f'<collection id="{collection}">{body}</collection>'
    return f'{before}<dataset id="t">{body}</dataset>'


WMT = [
    (
        'id="d" origlang="en" domain="news"',
        [
            ('src lang="en"', ["s1", "s2"]),
            ('ref lang="de" translator="A"', ["a1", "a2"]),
            ('ref lang="de" translator="B"', ["b1", "b2"]),
            ('hyp lang="de" system="X"', ["x1", "x2"]),
            ('hyp lang="de" system="Y"', ["y1", "y2"]),
            ('supplemental type="summary"', ["left aside"]),
        ],
    ),
    (
        'id="e" origlang="fr" testsuite="names"',
        [
            ('src lang="en"', ["s3"]),
            ('ref lang="de" translator="B"', ["b3"]),
            ('hyp lang="de" system="X"', ["x3"]),
            ('hyp lang="de" system="Y"', ["y3"]),
        ],
    ),
]
