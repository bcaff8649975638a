"""A bench's rows as CSV and PNG."""

import json

import pytest
from PIL import Image

from core.bench.chart import HEIGHT, WIDTH, draw
from core.bench.export import export, to_csv, to_json
from core.bench.rows import Bench, Chart, Row, Table

COLUMNS = (("device", "device"), ("n", "size, pixels"), ("s", "seconds"), ("theirs", "seconds, published"))
ROWS = [
    Row("t", {"device": device, "n": n, "s": n * factor, "theirs": 2.0 if n == 10 else None})
    for device, factor in (("a", 0.001), ("b", 0.5)) for n in (1, 10, 100)
]  # fmt: skip


def table(**chart):
    return Table("t", "Seconds against size", COLUMNS, Chart(**chart) if chart else None)


@pytest.mark.parametrize("chart", [
    {"x": "n", "y": "s", "series": ("device",), "x_log": True, "y_log": True, "published": "theirs"},
    {"x": "n", "y": "s", "series": ("device",)},
    {"x": "device", "y": "s"},
])  # fmt: skip
def test_a_chart_has_ink_in_its_frame(chart):
    image = draw(table(**chart), ROWS)
    assert image.size == (WIDTH, HEIGHT)
    frame = image.crop((150, 80, WIDTH - 240, HEIGHT - 80))
    assert len(frame.getcolors(100_000)) > 2


def colours(image, box):
    return {colour for _, colour in image.crop(box).getcolors(100_000)}


def test_a_timeline_has_a_lane_for_each_stream():
    columns = (("kernel", "kernel"), ("stream", "stream"), ("start", "begins"), ("end", "ends"))
    rows = [
        Row("t", {"kernel": name, "stream": stream, "start": start, "end": end})
        for name, stream, start, end in (("copy", 2, 0, 10), ("product", 1, 10, 100), ("sum", 1, 100, 100.01))
    ]
    image = draw(Table("t", "A step", columns, Chart("start", "stream", ("kernel",), until="end")), rows)
    first, second = (colours(image, (111, top, 730, top + 40)) for top in (80, 170))
    # The grid and the page are in both.
    assert len(first | second) == 2 + 3
    assert len(first & second) <= 2


def test_many_bars_lie_with_their_names_beside_them():
    columns = (("name", "operator"), ("s", "seconds"))
    rows = [Row("t", {"name": f"an operator of some length, number {k}", "s": float(k)}) for k in range(12)]
    image = draw(Table("t", "Operators", columns, Chart("name", "s")), rows)
    # No ink where names that are too long would be cut, and a bar right of them.
    assert colours(image, (0, 60, 20, HEIGHT)) == {(255, 255, 255)}
    page = (255, 255, 255)
    assert page in colours(image, (331, 70, 700, 95))
    assert page not in colours(image, (331, HEIGHT - 100, 500, HEIGHT - 80))


@pytest.mark.parametrize("rows", [[], [Row("t", {"device": "a", "n": 1, "s": None})]])
def test_nothing_measured_is_no_chart(rows):
    assert draw(table(x="n", y="s"), rows) is None


@pytest.mark.parametrize("values", [(0.0,), (3.0, 3.0), (-1.0, 2.0), (0.0, 1e-9), (1e12,)])
@pytest.mark.parametrize("logarithmic", [False, True])
def test_any_numbers_can_be_drawn(values, logarithmic):
    rows = [Row("t", {"device": "a", "n": k, "s": value}) for k, value in enumerate(values)]
    assert draw(table(x="n", y="s", x_log=logarithmic, y_log=logarithmic), rows) is not None


def test_a_csv_has_the_headings_and_leaves_out_what_does_not_apply():
    lines = to_csv(table(), ROWS).splitlines()
    assert lines[0] == 'device,"size, pixels",seconds,"seconds, published"'
    assert lines[1:3] == ["a,1,0.001,", "a,10,0.01,2.0"]


def test_what_is_no_number_is_nothing_in_json():
    rows = [Row("t", {"device": "a", "n": 1, "s": float("nan"), "theirs": float("inf")})]
    found = json.loads(to_json(Bench("b", "B", (table(),), lambda options: iter(rows)), rows))
    assert found["tables"]["t"]["rows"] == [{"device": "a", "n": 1, "s": None, "theirs": None}]


def test_each_table_becomes_two_files_beside_one_of_all(tmp_path):
    bench = Bench("b", "B", (table(x="n", y="s"), Table("empty", "", COLUMNS)), lambda options: iter(ROWS))
    written = export(bench, ROWS, tmp_path / "new", ["so it was"])
    assert [path.name for path in written] == ["b.json", "b-t.csv", "b-t.png"]
    found = json.loads(written[0].read_text(encoding="utf-8"))
    assert found["machine"]
    assert found["card"] is None
    assert found["remarks"] == ["so it was"]
    assert found["tables"]["t"]["rows"] == [row.values for row in ROWS]
    with Image.open(written[2]) as image:
        assert image.size == (WIDTH, HEIGHT)
