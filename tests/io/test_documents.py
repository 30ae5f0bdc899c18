"""Files of the shared tasks: SGM, mteval XML, WMT XML, mt-metrics-eval folders."""

from adjudge.io import load


def test_mteval_xml_holds_the_plain_text_it_was_made_of(shared):
    moses = shared.golden / "moses"
    loaded = load(
        references=[f"{moses}/w1.ref.xml"], source=f"{moses}/w1.src.xml", systems=[f"{moses}/w1.tst.xml"]
    )

    def trimmed(name):
        return tuple(text.strip(" \t") for text in shared.lines(name))

    assert loaded.test_set.references == (trimmed("w1.ref.en"),)
    assert loaded.test_set.sources == trimmed("w1.src.sk")
    assert loaded.outputs[0].segments == trimmed("w1.sys1.en")
    assert loaded.outputs[0].system == "sys1"
    two = load(references=[f"{moses}/zhen.ref.xml"], systems=[f"{moses}/zhen.tst.xml"])
    assert two.test_set.references == (trimmed("w2.zh-en.refA.en"), trimmed("w2.zh-en.refB.en"))
    assert two.outputs[0].segments == trimmed("w2.zh-en.Online-B.en")
