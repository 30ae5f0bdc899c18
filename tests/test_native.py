"""The border: what does not cross it, and what happens where the system gives no threads."""

import os
import resource
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge import _native
from adjudge.data import TestSet
from adjudge.errors import DataError
from adjudge.metrics import metric

KERNELS = {
    "bleu_rows": ("none", 4),
    "cder_rows": ("none",),
    "chrf_rows": (6, 2, 2.0, False, False),
    "exact_rows": ("none", False),
    "overlap_rows": ("none", False, 2.0),
    "ribes_rows": ("none", 0.25, 0.1),
    "sk_rows": ("none", 4, 0.75),
    "ter_rows": (False, False, False, False),
    "wer_rows": ("none",),
}
HELPED = """
from adjudge import metrics
from adjudge.data import TestSet
bleu = metrics.metric("bleu")
prepared = bleu.prepare(TestSet(references=(["a b"] * 1000,)))
print(bleu.stats(prepared, ["a b"] * 1000, threads=4).sum(0)[:4].tolist())
import threading
try:
    threading.Thread(target=print).start()
except RuntimeError:
    print("no threads")
"""


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_get_a_hypothesis_and_a_reference_for_every_segment(kernel):
    rows = getattr(_native, kernel)
    full, holes = _native.texts(["a", "b"]), _native.texts(["a", None])
    with pytest.raises(ValueError, match="segment 2 has no reference at all"):
        rows(full, [holes, holes], *KERNELS[kernel], 1)
    with pytest.raises(ValueError, match="segment 2 is missing"):
        rows(holes, [full], *KERNELS[kernel], 1)
    with pytest.raises(ValueError, match="2 hypotheses against 1 references"):
        rows(full, [full, _native.texts(["a"])], *KERNELS[kernel], 1)
    with pytest.raises(ValueError, match="no references"):
        rows(full, [], *KERNELS[kernel], 1)
    assert rows(full, [holes, full], *KERNELS[kernel], 1).shape[0] == 2


def test_segments_cross_the_border_whatever_holds_them():
    class Text(str):
        pass

    assert _native.tokenize(_native.texts((Text("a b"), "ä b")), "none") == [["a", "b"], ["ä", "b"]]


@given(st.lists(st.text(st.sampled_from("aZ é߿ࠀ€\uffff\U00010000😀"), max_size=40)))
def test_characters_of_any_width_come_back_as_they_went(segments):
    # Lengths around 16, where ASCII characters are taken together, and each of Python's ways to keep a string.
    runs = [f"{'a' * 15}{segment}{'b' * 17}" for segment in segments]
    assert _native.texts([*segments, *runs]).strings() == [*segments, *runs]


@pytest.mark.parametrize("place", [0, 15, 16, 31, 40])
def test_an_unpaired_surrogate_is_seen_anywhere(place):
    with pytest.raises(DataError, match="segment 1 holds an unpaired surrogate"):
        _native.texts(["a" * place + "\udfff" + "b" * 20])


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        (["fine", "\ud800"], "segment 2 holds an unpaired surrogate"),
        ([3], "segment 1 is int, not str"),
        (["a", b"b"], "segment 2 is bytes, not str"),
    ],
)
def test_what_is_no_text_does_not_cross(segments, message):
    with pytest.raises(DataError, match=message):
        _native.texts(segments)


def test_without_more_threads_the_present_one_does_all_the_work():
    def no_room_for_stacks():
        # A new thread's stack is as large as this allows, and so much memory there is not.
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 47, resource.getrlimit(resource.RLIMIT_STACK)[1]))

    done = subprocess.run(
        [sys.executable, "-c", HELPED],
        capture_output=True,
        text=True,
        preexec_fn=no_room_for_stacks,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.stdout.splitlines() == ["[2000.0, 2000.0, 2000.0, 1000.0]", "no threads"], done.stderr


def test_a_process_forked_after_threads_scores_as_well():
    bleu = metric("bleu")
    prepared = bleu.prepare(TestSet(references=(["a b"] * 1000,)))
    rows = bleu.stats(prepared, ["a b"] * 1000, threads=2)
    child = os.fork()
    if child == 0:
        os._exit(int(not (bleu.stats(prepared, ["a b"] * 1000, threads=2) == rows).all()))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_long_words_that_differ_in_the_middle_only_take_no_longer():
    line = " ".join(f"https://a.org/{i:08d}/page.html" for i in range(30_000))
    bag = metric("f1(tokenize=none)")
    start = time.perf_counter()
    rows = bag.stats(bag.prepare(TestSet(references=([line],))), [line])
    assert rows.tolist() == [[30_000.0] * 3]
    assert time.perf_counter() - start < 2  # 0.03 s; 4 s where all of them share a slot


@given(st.lists(st.none() | st.text() | st.text(st.characters(max_codepoint=127)), max_size=5))
def test_lower_casing_on_the_way_is_pythons(segments: list[str | None]) -> None:
    folded = [None if s is None else s.lower() for s in segments]
    ours = _native.tokenize(_native.texts(segments, lowercase=True), "char")
    assert ours == _native.tokenize(_native.texts(folded), "char")


@given(st.lists(st.none() | st.text(st.characters(), max_size=5)))
def test_columns_are_measured_and_joined_as_python_does(column):
    segments = tuple(column)
    assert _native.segment_lengths(segments) == ",".join("-" if s is None else str(len(s)) for s in segments)
    assert _native.joined_utf8(segments) == "".join(filter(None, segments)).encode("utf-8", "surrogatepass")
    longer = (place for place, text in enumerate(segments) if text and len(text) > 2)
    assert _native.first_longer(segments, 2) == next(longer, -1)


def test_columns_hold_nothing_but_text():
    for function in (_native.segment_lengths, _native.joined_utf8, _native.blank_segments):
        with pytest.raises(TypeError, match="segment 2 is not str"):
            function(("a", 3))
