"""What the tests of spreadsheets share."""

import csv
import io

import pytest

HEADERS = ("ref", "mt", "note")


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def columns(table):
    return {name: tuple(column) for name, column in table.columns.items()}


def as_csv(rows, **dialect):
    text = io.StringIO()
    csv.writer(text, **dialect).writerows([HEADERS[: len(rows[0])], *rows])
    return text.getvalue()


def workbook(path, sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return str(path)
