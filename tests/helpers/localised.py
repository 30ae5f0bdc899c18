"""What the tests of translators' files share."""

from hypothesis import strategies as st

xml_text = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


pairs = st.lists(st.tuples(xml_text, xml_text), min_size=1)


def written(tmp_path, content, name):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def tmx(
    rows, source="en-US", before='<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
):
    """A translation memory from rows {language: segment as XML}."""
    units = "".join(
        "<tu>"
        + "".join(f'<tuv xml:lang="{name}"><seg>{text}</seg></tuv>' for name, text in row.items())
        + "</tu>\n"
        for row in rows
    )
    return f'{before}<tmx version="1.4"><header srclang="{source}"/><body>\n{units}</body></tmx>'


def xliff1(rows, target="de"):
    units = "".join(
        f'<trans-unit id="{at}"><source>{a}</source>{"" if b is None else f"<target>{b}</target>"}'
        "<alt-trans><source>no</source><target>never</target></alt-trans></trans-unit>\n"
        for at, (a, b) in enumerate(rows)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
        f'<file original="help.html" source-language="en" target-language="{target}" datatype="html"><body>\n'
        f"<group>{units}</group></body></file></xliff>"
    )


def xliff2(rows, target="de"):
    units = "".join(
        f'<unit id="u{at}"><notes><note>x</note></notes><segment><source>{a}</source>'
        f"{'' if b is None else f'<target>{b}</target>'}</segment></unit>\n"
        for at, (a, b) in enumerate(rows)
    )
    return (
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0"'
        f' srcLang="en" trgLang="{target}"><file id="f1">{units}</file></xliff>'
    )


THREE = [{"en-US": "a1", "de-DE": "b1", "fr": "c1"}, {"fr": "c2", "en-US": "a2", "de-DE": "b2"}]
