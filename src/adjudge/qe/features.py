"""All features of segments by name, from texts and what parallel text taught."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adjudge.qe import companions as companion_models
from adjudge.qe import quest, surface
from adjudge.qe.companions import Companions
from adjudge.qe.means import Array
from adjudge.qe.resources import Resources
from adjudge.qe.word_features import SEGMENT_NAMES, segment_features, word_scores

NAMES = (*quest.NAMES, *SEGMENT_NAMES, *surface.NAMES, surface.LANGUAGE, *companion_models.NAMES)
"""The columns of `black_box_features`."""
NO_COMPANIONS = Companions()


def black_box_features(
    resources: Resources,
    sources: Sequence[str],
    outputs: Sequence[str],
    companions: Companions = NO_COMPANIONS,
    *,
    threads: int = 0,
) -> Array:
    """Segments × features: all that can be known without the MT system."""
    source = resources.source.vocabulary.read(sources)
    target = resources.target.vocabulary.read(outputs)
    words = word_scores(resources, source, target, threads=threads)
    columns = [
        quest.quest_features(resources, sources, outputs, source, target),
        segment_features(words),
        surface.surface_features(sources, outputs),
        surface.language_feature(outputs, resources.languages[1])[:, None],
        companions.columns(sources, outputs),
    ]
    return np.concatenate(columns, 1)
