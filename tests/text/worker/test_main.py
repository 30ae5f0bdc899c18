"""Batches of texts for a model hold every text once, and fill up little."""

from hypothesis import given
from hypothesis import strategies as st

from adjudge.text.worker.main import ALIKE, batches


@given(st.lists(st.integers(0, 300), max_size=80), st.integers(1, 32))
def test_every_text_is_in_one_batch_of_texts_of_its_length(lengths, size):
    made = list(batches(lengths, size))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    for batch in made:
        own = [lengths[place] for place in batch]
        assert 1 <= len(own) <= size
        assert own == sorted(own, reverse=True)
        assert own[-1] >= ALIKE * own[0]
    firsts = [lengths[batch[0]] for batch in made]
    assert firsts == sorted(firsts, reverse=True)


def test_batches_are_as_large_as_they_may_be():
    assert list(batches([10, 8, 9, 7, 10], 3)) == [[0, 4, 2], [1, 3]]
    assert list(batches([10, 2, 9, 2], 8)) == [[0, 2], [1, 3]]
    assert list(batches([5] * 7, 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert list(batches([], 3)) == []
