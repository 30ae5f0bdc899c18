"""An ONNX file that looks every token's vector up in a table, written byte by byte: no package is needed for it."""

import struct
from pathlib import Path

FLOAT, INT64 = 1, 7


def _number(value: int) -> bytes:
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    return bytes([*parts, value])


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    data = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | 2) + _number(len(data)) + data


def _value(name: str, kind: int, *sizes: str | int) -> bytes:
    dimensions = b"".join(_field(1, _field(1 if isinstance(size, int) else 2, size)) for size in sizes)
    tensor = _field(1, kind) + _field(2, dimensions)
    return _field(1, name) + _field(2, _field(1, tensor))


def write(path: Path, table: list[list[float]]) -> None:
    """Write a model whose vector of token `i` is row `i` of the table."""
    width = len(table[0])
    data = b"".join(struct.pack(f"<{width}f", *row) for row in table)
    tensor = (
        _field(1, len(table)) + _field(1, width) + _field(2, FLOAT) + _field(8, "table") + _field(9, data)
    )
    node = _field(1, "table") + _field(1, "input_ids") + _field(2, "last_hidden_state") + _field(4, "Gather")
    graph = (
        _field(1, node)
        + _field(2, "lookup")
        + _field(5, tensor)
        + _field(11, _value("input_ids", INT64, "texts", "tokens"))
        + _field(12, _value("last_hidden_state", FLOAT, "texts", "tokens", width))
    )
    path.write_bytes(_field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 13)))
