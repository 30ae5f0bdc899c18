"""An estimator that is trained once."""

import pytest

from helpers import estimators


@pytest.fixture(scope="session")
def small():
    return estimators.estimator()


@pytest.fixture(scope="session")
def small_file():
    return str(estimators.model_file())
