"""What tests of texts share."""

import pytest


@pytest.fixture
def save(tmp_path):
    """Writes a file, and returns its path."""

    def write(data: bytes, name: str = "words.vec") -> str:
        path = tmp_path / name
        path.write_bytes(data)
        return str(path)

    return write
