"""What leaves the segment browser as a file is read by the programs it is for."""

import csv
import tomllib
import zipfile

from adjudge.cli import main
from adjudge.io.load import load
from helpers.report_pages import small_table

TABLE = small_table()


def starred(reader, *identifiers):
    visit = reader().open(TABLE)
    for identifier in identifiers:
        visit.card(identifier).locator(".star").click()
    visit.page.get_by_role("button", name="Export").click()
    return visit


def test_segments_as_a_table_that_can_be_read_again(reader, tmp_path):
    visit = starred(reader, "3", "5")
    with visit.page.expect_download() as saved:
        visit.page.get_by_role("button", name="Table (TSV)").click()
    path = tmp_path / "stars.tsv"
    saved.value.save_as(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    rows = list(csv.DictReader(lines, delimiter="\t"))
    assert [(row["id"], row["star"], row["label.domain"]) for row in rows] == [
        ("3", "1", "news"),
        ("5", "1", "social"),
    ]
    assert rows[0]["mt.B"] == TABLE.outputs["B"][2]
    assert (rows[0]["chrf.B"], rows[0]["ter.A"], rows[0]["da.B"], rows[1]["da.B"]) == ("71", "0", "15", "")
    assert rows[0]["lexical.B"] == "3"
    loaded = load(references=[str(path)], systems=[str(path)])
    assert [output.segments[1] for output in loaded.outputs] == [TABLE.outputs[name][4] for name in "ABC"]


def test_segments_as_a_campaign_that_can_be_made(reader, tmp_path, sqlite, capsys):
    visit = starred(reader, "2", "3", "4", "5")
    dialog = visit.page.get_by_role("dialog")
    for protocol in ("da", "mqm", "preference"):
        dialog.get_by_label("Protocol").select_option(protocol)
        dialog.get_by_label("Name").fill(f"{protocol} from the report")
        with visit.page.expect_download() as saved:
            dialog.get_by_role("button", name="Campaign (ZIP)").click()
        assert "4 segments of 2 systems" in dialog.inner_text()
        folder = tmp_path / protocol
        saved.value.save_as(folder / "campaign.zip")
        with zipfile.ZipFile(folder / "campaign.zip") as archive:
            assert archive.testzip() is None
            archive.extractall(folder)
        campaign = tomllib.loads((folder / "campaign.toml").read_text(encoding="utf-8"))
        assert campaign["protocol"]["name"] == protocol
        assert campaign["systems"] == {"B": "system-1.jsonl", "A": "system-2.jsonl"}
        database = sqlite.removeprefix("sqlite:///")
        code = main(["human", "new", str(folder / "campaign.toml"), "-d", database])
        told = capsys.readouterr()
        assert code == 0, told.err
        assert (
            f"campaign '{protocol} from the report': {protocol}, 2 systems, 4 segments" in told.out + told.err
        )


def test_references_that_no_chosen_segment_has_stay_behind(reader, tmp_path):
    visit = starred(reader, "1", "3")
    with visit.page.expect_download() as saved:
        visit.page.get_by_role("button", name="Campaign (ZIP)").click()
    saved.value.save_as(tmp_path / "campaign.zip")
    with zipfile.ZipFile(tmp_path / "campaign.zip") as archive:
        campaign = tomllib.loads(archive.read("campaign.toml").decode())
    assert campaign["test_set"]["references"] == ["reference-1.jsonl"]


def test_a_campaign_without_languages_or_segments_is_refused_with_a_word(reader):
    visit = starred(reader)
    dialog = visit.page.get_by_role("dialog")
    dialog.get_by_label("Which segments").select_option("notes")
    dialog.get_by_role("button", name="Campaign (ZIP)").click()
    assert "There is no segment to export" in dialog.inner_text()
    dialog.get_by_label("Which segments").select_option("shown")
    dialog.get_by_label("Languages").fill("")
    dialog.get_by_role("button", name="Campaign (ZIP)").click()
    assert "A campaign needs its languages" in dialog.inner_text()
