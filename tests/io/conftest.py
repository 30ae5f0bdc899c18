"""Files that tests of reading start from."""

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(**named):
        for name, text in named.items():
            put(name.replace("__", "."), text)

    def put(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    write.put = put
    return write
