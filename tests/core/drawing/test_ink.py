import os
import subprocess

import numpy as np
import pytest
from PIL import Image

from core.drawing.ink import gray_of, normalize, plain_ink, raw
from core.drawing.picture import read_image
from core.errors import InputError


def stroke(ink: np.ndarray, start, end, width: float, level=255) -> np.ndarray:
    """A line of ink from (row, column) to (row, column), in place."""
    rows, columns = np.mgrid[: ink.shape[0], : ink.shape[1]] + 0.5
    (y0, x0), (y1, x1) = start, end
    along = ((rows - y0) * (y1 - y0) + (columns - x0) * (x1 - x0)) / max(
        (y1 - y0) ** 2 + (x1 - x0) ** 2, 1e-9
    )
    along = np.clip(along, 0, 1)
    distance = np.hypot(rows - y0 - along * (y1 - y0), columns - x0 - along * (x1 - x0))
    ink[distance <= width / 2] = level
    return ink


def seven(side=280, top=40, left=60, height=200, width=20, level=255) -> np.ndarray:
    ink = np.zeros((side, side), np.uint8)
    stroke(ink, (top, left), (top, left + height * 0.6), width, level)
    return stroke(
        ink, (top, left + height * 0.6), (top + height, left + height * 0.2), width, level
    )


def centroid(image: np.ndarray) -> tuple[float, float]:
    values = image.astype(float)
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    return (rows * values).sum() / values.sum(), (columns * values).sum() / values.sum()


def sides(image: np.ndarray) -> tuple[int, int]:
    rows, columns = np.nonzero(image)
    return np.ptp(rows) + 1, np.ptp(columns) + 1


def test_the_longest_side_is_twenty_the_centroid_at_fourteen_and_the_peak_full():
    image = normalize(seven())
    assert image.shape == (28, 28)
    assert image.dtype == np.uint8
    assert max(sides(image)) == 20
    assert image.max() == 255
    assert all(13.5 <= place <= 14.5 for place in centroid(image))


@pytest.mark.parametrize(("top", "left"), [(12, 12), (12, 140), (68, 20), (60, 130)])
def test_where_it_is_drawn_does_not_matter(top, left):
    np.testing.assert_array_equal(normalize(seven(top=top, left=left)), normalize(seven()))


@pytest.mark.parametrize("scale", [0.5, 2])
def test_how_large_it_is_drawn_hardly_matters(scale):
    size = {
        "height": 200 * scale,
        "width": 20 * scale,
        "top": 40 * scale,
        "left": 60 * scale,
        "side": 560,
    }
    difference = normalize(seven(**size)).astype(int) - normalize(seven(side=560))
    assert np.abs(difference).mean() < 3


def test_light_ink_is_stretched_to_full_ink():
    assert normalize(seven(level=100)).max() == 255


def test_floats_from_zero_to_one_mean_the_same_as_bytes():
    ink = seven()
    np.testing.assert_array_equal(normalize(ink), normalize(ink.astype(np.float32) / 255))
    np.testing.assert_array_equal(normalize(ink), normalize(ink > 0))


def test_a_wide_drawing_whose_mass_is_at_one_end_stays_inside():
    ink = np.zeros((280, 280), np.uint8)
    stroke(ink, (100, 20), (100, 260), 6)
    ink[85:115, 10:60] = 255
    image = normalize(ink)
    assert max(sides(image)) == 20


def test_area_averaging_counts_every_pixel():
    ink = np.zeros((200, 200), np.uint8)
    ink[40:160, 40:160:2] = 255
    ink[40:160, 159] = 255
    assert normalize(ink)[8:20, 8:20].std() == 0


@pytest.mark.parametrize(
    "ink",
    [
        np.zeros((280, 280), np.uint8),
        np.zeros((0, 0), np.uint8),
        np.full((280, 280), 20, np.uint8),
        np.full((28, 28), np.nan),
        stroke(np.zeros((280, 280), np.uint8), (100, 100), (100, 100), 20),
        stroke(np.zeros((280, 280), np.uint8), (100, 100), (108, 104), 24),
        stroke(np.zeros((280, 280), np.uint8), (100, 100), (100, 100), 60),
        stroke(np.zeros((280, 280), np.uint8), (5, 5), (5, 5), 1),
    ],
    ids=["blank", "nothing", "faint", "nan", "dot", "dab", "blob", "speck"],
)
def test_nearly_empty_pictures_are_refused(ink):
    assert normalize(ink) is None


def test_small_and_thin_digits_are_digits():
    assert normalize(seven(height=45, width=8)) is not None
    one = stroke(np.zeros((280, 280), np.uint8), (60, 100), (220, 100), 3)
    assert normalize(one) is not None
    short = stroke(np.zeros((280, 280), np.uint8), (100, 100), (140, 104), 20)
    assert normalize(short) is not None


def test_raw_neither_moves_nor_scales():
    corner = np.zeros((280, 280), np.uint8)
    corner[:20, :30] = 255
    image = raw(corner)
    assert image.shape == (28, 28)
    assert (image[:2, :3] == 255).all()
    assert image.sum() == 255 * 6


def test_raw_of_a_wide_picture_keeps_its_proportions():
    image = raw(np.full((100, 200), 255, np.uint8))
    assert (image[7:21] == 255).all()
    assert not image[:7].any()
    assert not image[21:].any()


def picture(mode: str) -> Image.Image:
    ink = seven()
    if mode == "white on black":
        return Image.fromarray(ink)
    if mode == "black on clear":
        return Image.merge("LA", (Image.new("L", (280, 280)), Image.fromarray(ink))).convert("RGBA")
    if mode == "white on clear":
        return Image.merge("LA", (Image.new("L", (280, 280), 255), Image.fromarray(ink)))
    dark = Image.fromarray(255 - ink)
    if mode == "blue on yellow":
        ones = ink > 0
        pixels = np.where(ones[..., None], (20, 20, 160), (250, 240, 180)).astype(np.uint8)
        return Image.fromarray(pixels)
    if mode == "I;16":
        return Image.fromarray((255 - ink).astype(np.uint16) * 256)
    return dark.convert(mode)


MODES = [
    "L",
    "1",
    "RGB",
    "RGBA",
    "P",
    "LA",
    "CMYK",
    "I;16",
    "F",
    "white on black",
    "black on clear",
    "white on clear",
    "blue on yellow",
]


@pytest.mark.parametrize("mode", MODES)
def test_every_kind_of_picture_gives_the_same_digit(mode):
    difference = normalize(plain_ink(gray_of(picture(mode)))).astype(int) - normalize(seven())
    assert np.abs(difference).max() <= 2


def test_a_picture_without_contrast_has_no_ink():
    assert normalize(plain_ink(gray_of(np.full((50, 50), 200, np.uint8)))) is None
    assert normalize(plain_ink(gray_of(np.full((50, 50, 3), 0.5)))) is None


@pytest.mark.parametrize("ending", ["png", "bmp", "gif", "tif", "jpg", "webp"])
def test_image_files_are_read(tmp_path, ending):
    path = tmp_path / f"seven.{ending}"
    Image.fromarray(255 - seven()).convert("RGB").save(path)
    difference = normalize(read_image(path)).astype(int) - normalize(seven())
    assert np.abs(difference).mean() < 3


def test_a_photograph_is_turned_upright(tmp_path):
    path = tmp_path / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(np.rot90(255 - seven())).save(path, exif=exif, quality=95)
    difference = normalize(read_image(path)).astype(int) - normalize(seven())
    assert np.abs(difference).mean() < 3


def test_large_pictures_are_shrunk(tmp_path):
    path = tmp_path / "large.png"
    Image.fromarray(255 - seven()).resize((3000, 2000)).save(path)
    assert read_image(path).shape == (683, 1024)


def test_files_that_are_not_pictures_are_refused(tmp_path):
    text = tmp_path / "notes.png"
    text.write_text("not a picture")
    broken = tmp_path / "broken.png"
    Image.fromarray(seven()).save(broken)
    broken.write_bytes(broken.read_bytes()[:200])
    for path, words in [
        (text, "is not a picture"),
        (broken, "cannot be read"),
        (tmp_path / "none.png", "does not exist"),
        (tmp_path, "is a folder"),
    ]:
        with pytest.raises(InputError, match=words) as caught:
            read_image(path)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize("kind", ["EPS", "PDF", "PPM", "TGA", "PCX"])
def test_other_formats_are_refused_whatever_their_name(tmp_path, monkeypatch, kind):
    """Pillow would start Ghostscript to read EPS."""
    path = tmp_path / "digit.png"
    Image.fromarray(255 - seven()).save(path, kind)
    monkeypatch.setattr(subprocess, "Popen", None)
    with pytest.raises(InputError, match="is not a picture"):
        read_image(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_device_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "link.png").symlink_to("/dev/zero")
    for name in ("pipe.png", "link.png"):
        with pytest.raises(InputError, match="pipe, socket or device"):
            read_image(tmp_path / name)


@pytest.mark.parametrize("side", [7_500, 12_000, 60_000])
def test_decompression_bombs_are_refused_before_unpacking(tmp_path, side):
    import struct
    import zlib

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    path = tmp_path / "bomb.png"
    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000)))
    )
    with pytest.raises(InputError, match="pixels"):
        read_image(path)


def test_normalizing_mnist_digits_changes_them_little(data_folder):
    from core.data.idx import find, read_split

    images = read_split(find(data_folder / "mnist"), "test").inputs[:2000, :, :, 0]
    again = [normalize(image) for image in images]
    assert all(image is not None for image in again)
    same = [np.abs(a.astype(int) - b).mean() < 2 for a, b in zip(again, images, strict=True)]
    assert np.mean(same) > 0.8


def test_mnist_digits_at_any_place_and_size_are_restored(data_folder):
    from core.data.idx import find, read_split

    images = read_split(find(data_folder / "mnist"), "test").inputs[:200, :, :, 0]
    rng = np.random.default_rng(0)
    close = 0
    for image in images:
        scale = int(rng.integers(4, 11))
        canvas = np.zeros((600, 600), np.uint8)
        top, left = rng.integers(0, 600 - 28 * scale, 2)
        canvas[top : top + 28 * scale, left : left + 28 * scale] = np.kron(
            image, np.ones((scale, scale), np.uint8)
        )
        close += np.abs(normalize(canvas).astype(int) - image).mean() < 4
    assert close > 180
