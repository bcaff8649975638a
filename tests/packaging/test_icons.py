"""All icons are made from one SVG file."""

from make_icons import ICO_SIZES, SIZES, make_icons
from PIL import Image


def test_every_size_and_format_is_made(qapp, tmp_path):
    make_icons(tmp_path)
    for size in SIZES:
        with Image.open(tmp_path / "hicolor" / f"{size}x{size}" / "apps" / "digitlab.png") as icon:
            assert icon.size == (size, size)
            assert icon.getpixel((0, 0))[3] == 0  # round corners
            assert icon.getpixel((size // 2, size // 8))[3] == 255
    assert (tmp_path / "hicolor" / "scalable" / "apps" / "digitlab.svg").exists()
    with Image.open(tmp_path / "digitlab.ico") as icon:
        assert icon.info["sizes"] == {(size, size) for size in ICO_SIZES}
    with Image.open(tmp_path / "digitlab.icns") as icon:
        assert max(icon.info["sizes"])[0] == 512
