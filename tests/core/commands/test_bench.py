"""`main.py bench`: measurements on the command line."""

import errno
import json

import pytest

from core.commands import bench
from tests.core.bench.tiny import TINY


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setattr(bench, "QUICK", TINY)


def test_json_is_one_object_a_line(program):
    outcome = program("bench", "operators", "--quick", "--device", "vectorized", "--json")
    assert outcome.code == 0
    lines = [
        record for record in map(json.loads, outcome.out.splitlines()) if "remark" not in record
    ]
    assert [(line["table"], line["size"]) for line in lines] == [
        ("product", 4), ("product", 8), ("addition", 4), ("addition", 8),
    ]  # fmt: skip
    assert all(line["bench"] == "operators" and line["seconds"] > 0 for line in lines)


def test_tables_for_people_and_files(program, tmp_path):
    outcome = program("bench", "operators", "--quick", "--device", "vectorized", "--out", tmp_path)
    assert "Product of two square matrices" in outcome.out
    assert (tmp_path / "operators-product.csv").exists()


def test_output_that_cannot_be_printed_does_not_lose_the_files(program, tmp_path, monkeypatch):
    def full_disk(*cells, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(bench.console, "print_row", full_disk)
    monkeypatch.setattr(bench.console, "discard_output", lambda: None)
    outcome = program("bench", "operators", "--quick", "--device", "vectorized", "--out", tmp_path)
    assert outcome.code == 2
    assert "No space left" in outcome.err
    assert len((tmp_path / "operators-addition.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("speed",), "choose one of operators"),
    (("operators", "--device", "gpu"), "choose one of auto"),
])  # fmt: skip
def test_refusals(program, arguments, sentence):
    found = program("bench", *arguments)
    assert (found.code, found.out) == (2, "")
    assert sentence in found.err
