"""An exported script prepares pictures exactly as the program does, and prints the class."""

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image, ImageDraw, UnidentifiedImageError

from core.data.class_names import DIGITS
from core.data.published import PUBLISHED
from core.drawing.ink import FORMATS
from core.drawing.picture import read_image
from core.export.picture_code import picture_code
from core.inference.model_file import bundled_model
from core.reading.reader import prepare
from tests.core.export.cases import export_to


def stroke(size, width, ink=0, paper=255, mode="L"):
    """A seven."""
    image = Image.new(mode, size, paper)
    w, h = size
    points = [(w * 0.3, h * 0.25), (w * 0.65, h * 0.25), (w * 0.42, h * 0.8)]
    ImageDraw.Draw(image).line(points, fill=ink, width=width, joint="curve")
    return image


def sixteen_bits():
    values = np.asarray(stroke((90, 120), 8)).astype(np.uint16) * 200 + 900
    return Image.fromarray(values)


def rotated():
    """A photograph held on its side, as its Exif data say."""
    image = stroke((300, 200), 12).rotate(90, expand=True)
    image.getexif()[0x0112] = 6
    return image


PICTURES = {
    "dark.png": lambda: stroke((200, 260), 14),
    "light.png": lambda: stroke((200, 260), 14, ink=240, paper=10),
    "thin.png": lambda: stroke((400, 400), 4),
    "thick.png": lambda: stroke((400, 400), 90),
    "tiny.png": lambda: stroke((28, 28), 2),
    "large.jpg": lambda: stroke(
        (2300, 1800), 130, mode="RGB", ink=(30, 20, 90), paper=(235, 230, 220)
    ),
    "photo.jpg": rotated,
    "transparent.png": lambda: stroke(
        (120, 160), 10, mode="RGBA", ink=(0, 0, 0, 255), paper=(0, 0, 0, 0)
    ),
    "palette.gif": lambda: stroke((120, 160), 10).convert("P"),
    "bits.png": lambda: stroke((120, 160), 10).convert("1"),
    "deep.png": sixteen_bits,
}


@pytest.fixture(scope="module")
def code():
    """The functions of scripts for digits, for clothes and for other classes, by the classes."""
    head = "import numpy as np\nfrom PIL import Image\n"
    functions = {}
    for classes in (DIGITS, PUBLISHED["fashion"].classes, ("hook", "stroke")):
        names: dict = {}
        exec(head + picture_code(classes), names)
        functions[classes] = names
    return functions


@pytest.mark.parametrize("name", PICTURES)
def test_the_prepared_picture_is_that_of_the_program(tmp_path, code, name):
    image = PICTURES[name]()
    path = tmp_path / name
    image.save(path, exif=image.getexif())
    ink = read_image(path)
    np.testing.assert_array_equal(code[DIGITS]["read_ink"](path), ink)
    for classes, names in code.items():
        np.testing.assert_array_equal(
            np.rint(names["prepare"](names["read_ink"](path)) * 255), prepare(ink, classes)
        )


def run(path, picture):
    return subprocess.run(
        [sys.executable, "-W", "error", str(path), str(picture)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_script_prints_the_digit_of_a_picture(tmp_path):
    path = export_to(tmp_path, bundled_model(), ".py")
    stroke((200, 260), 14).save(tmp_path / "seven.png")
    done = run(path, tmp_path / "seven.png")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("7 ")
    assert done.stdout.count("%") == 3


def test_the_script_says_that_a_picture_is_empty(tmp_path):
    path = export_to(tmp_path, bundled_model(), ".py")
    Image.new("L", (50, 50), 255).save(tmp_path / "empty.png")
    done = run(path, tmp_path / "empty.png")
    assert done.returncode != 0
    assert done.stderr.strip() == "The picture shows nothing to read."


def test_an_exported_script_reads_no_other_formats_than_the_program(code, tmp_path):
    """Pillow starts Ghostscript to read EPS, whatever the name of the file."""
    path = tmp_path / "x.png"
    path.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 50 50\n%%EndComments\n")
    for functions in code.values():
        with pytest.raises(UnidentifiedImageError):
            functions["read_ink"](path)
    assert all(functions["FORMATS"] == FORMATS for functions in code.values())
