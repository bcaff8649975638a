"""Drawings in files are read by the command line, and drawings on an exported page by the page."""

from contextlib import closing

import numpy as np
import pytest
from PIL import Image, ImageDraw

from core.drawing.rendering import paint_strokes
from core.drawing.strokes import PenStroke
from core.inference.model_file import models_folder
from tests.doors.conftest import INSTALLED
from tests.handwriting import STROKES
from tools import browser
from tools.models.non_digits import LETTERS

SIDE = 560


def save_drawing(path, strokes, ink="black", paper="white"):
    """Write strokes in a square of side 1 as a picture in two colors, as a paint program does."""
    pens = [PenStroke(SIDE * np.array(stroke), 40.0) for stroke in strokes]
    drawing = Image.new("RGB", (SIDE, SIDE), paper)
    drawing.paste(ink, mask=Image.fromarray(paint_strokes(pens, (SIDE, SIDE))))
    drawing.save(path)


def letter(name):
    """The strokes of a letter in a square of side 1."""
    strokes = [
        [word.rstrip("!").split(",") for word in part.split()]
        for part in LETTERS[name][0].split("|")
    ]
    return [[(0.2 + float(x) / 180, 0.2 + float(y) / 180) for x, y in stroke] for stroke in strokes]


def test_drawings_in_files_are_read_by_the_command_line(program, tmp_path):
    for name, strokes in STROKES.items():
        save_drawing(tmp_path / f"{name}.png", strokes)
    save_drawing(tmp_path / "X.png", letter("X"))
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n and nothing else")

    done = program("classify", *(f"{name}.png" for name in STROKES), "broken.png", "X.png")

    lines = done.stdout.splitlines()
    assert [line[: len("0.png: 0 (")] for line in lines[:-1]] == [
        f"{name}.png: {name} (" for name in STROKES
    ]
    assert lines[-1].startswith("X.png: no digit")
    assert done.returncode == 2
    assert "broken.png" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_digits_that_touch_are_read_by_the_command_line(program, tmp_path):
    strokes = [[(x / 2 - 0.05, y) for x, y in stroke] for stroke in STROKES["2"]]
    right = max(x for stroke in strokes for x, _ in stroke)
    left = min(x / 2 for stroke in STROKES["3"] for x, _ in stroke)
    strokes += [[(x / 2 - left + right, y) for x, y in stroke] for stroke in STROKES["3"]]
    save_drawing(tmp_path / "23.png", strokes)

    assert program("classify", "23.png").stdout.startswith("23.png: 23 (")


def test_a_table_of_cells_is_read_cell_by_cell(program, tmp_path):
    drawing = Image.new("L", (660, 340), "white")
    for index, strokes in enumerate(STROKES.values()):
        save_drawing(tmp_path / "cell.png", strokes)
        with Image.open(tmp_path / "cell.png") as cell:
            place = (index % 4 * 160 + 40, index // 4 * 160 + 40)
            drawing.paste(cell.convert("L").resize((100, 100)), place)
    pen = ImageDraw.Draw(drawing)
    for edge in range(10, 660, 160):
        pen.line((edge, 10, edge, 330), "black", 5)
    for edge in range(10, 340, 160):
        pen.line((10, edge, 650, edge), "black", 5)
    drawing.save(tmp_path / "table.png")

    assert program("classify", "table.png").stdout.startswith("table.png: 0123, 457 (")


def test_a_network_in_an_onnx_file_reads_like_any_model(program, tmp_path):
    pytest.importorskip("onnx")
    if INSTALLED:
        pytest.skip("the wheel is installed without extras")
    program("export", models_folder() / "mnist.safetensors", "net.onnx")
    save_drawing(tmp_path / "3.png", STROKES["3"])
    assert program("classify", "3.png", "--model", "net.onnx").stdout.startswith("3.png: 3 (")
    done = program("evaluate", "--model", "net.onnx", "--data", "builtin")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("kind", ["png", "jpg"])
def test_ink_of_any_color_on_paper_of_any_color_is_read(program, tmp_path, kind):
    colors = [
        ("black", "red"),
        ("black", "#646464"),
        ("white", "orange"),
        ("white", "#a0a0a0"),
        ("red", "#008200"),  # equally bright
        ("yellow", "white"),
        ("#d7d7d7", "#ebebeb"),  # a faint pencil
    ]
    files = [f"{number}.{kind}" for number in range(len(colors))]
    for name, (ink, paper) in zip(files, colors, strict=True):
        save_drawing(tmp_path / name, STROKES["3"], ink, paper)

    done = program("classify", *files)

    answers = [line.split(" (")[0] for line in done.stdout.splitlines()]
    assert answers == [f"{name}: 3" for name in files]


def test_a_picture_that_cannot_be_read_says_what_to_do(program, tmp_path):
    noise = np.random.default_rng(0).normal(0, 3, (SIDE, SIDE))
    faint = noise.copy()
    faint[100:400, 260:290] -= 3
    for name, levels in (("empty.png", noise), ("faint.png", faint)):
        Image.fromarray(np.rint(235 + levels).astype(np.uint8)).save(tmp_path / name)
    save_drawing(tmp_path / "small.png", [[(0.5, 0.5), (0.51, 0.51)]])
    save_drawing(tmp_path / "X.png", letter("X"))

    done = program("classify", "empty.png", "faint.png", "small.png", "X.png", "--show", "out.png")

    empty, faint, small, letter_x = done.stdout.splitlines()
    assert "is empty: choose" in empty
    assert "too faint: take" in faint
    assert "too small to be read: crop" in small
    assert "no digit" in letter_x
    assert ": choose" in letter_x
    with Image.open(tmp_path / "out.png") as steps:
        tile = steps.height // 4
        assert steps.width == 4 * tile
        ink = np.asarray(steps)[3 * tile :, tile : 2 * tile]
    assert ink.min() == 0
    assert (ink == 255).mean() > 0.5


def test_an_exported_page_reads_like_the_program(program, tmp_path):
    if browser.CHROMIUM is None:
        pytest.skip(browser.WHY_NOT)
    done = program("export", models_folder() / "mnist.safetensors", "page.html")
    assert (done.returncode, done.stderr) == (0, "")

    with closing(browser.Browser(tmp_path)) as page:
        page.open(tmp_path / "page.html")
        for name, strokes in STROKES.items():
            page.evaluate("clear()")
            page.draw(strokes)
            assert page.evaluate("element('large').textContent") == name
        assert page.faults == []
