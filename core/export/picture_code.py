"""The source text by which an exported script reads a picture file and prepares it for the network.

It does in NumPy and Pillow what `core.drawing.ink` and `core.drawing.thickness` do; a test compares the two.
"""

from core.data.class_names import CLOTHES, DIGITS

READ = """
def read_ink(path):  # the ink of a picture, dark on light or light on dark: (height, width), 0 for the background to 1
    formats = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP")  # Pillow starts another program to read some others
    with Image.open(path, formats=formats) as image:
        lossy = image.format in ("JPEG", "MPO", "WEBP")
        image.draft("RGB", (1024, 1024))
        if image.mode[0] in "IF":  # gray of more than 8 bits
            values = np.asarray(image, np.float64) - np.min(image)
            image = Image.fromarray((values * (255 / max(values.max(), 1e-9))).astype(np.uint8))
        image = image if image.mode in ("L", "RGB") else image.convert("L" if image.mode == "1" else "RGBA")
        image.thumbnail((1024, 1024), Image.Resampling.BOX)
        values = np.asarray(ImageOps.exif_transpose(image)).astype(np.float32) * np.float32(1 / 255)
    gray = values if values.ndim == 2 else values[..., :3] @ np.float32([0.299, 0.587, 0.114])
    if values.shape[2:] == (4,):  # white shows through behind dark ink, black behind light ink
        alpha = values[..., 3]
        gray = gray * alpha + np.float32((gray * alpha).sum() <= 0.5 * alpha.sum()) * (1 - alpha)
    background = float(np.median(np.concatenate((gray[0], gray[-1], gray[:, 0], gray[:, -1]))))
    ink = np.maximum(background - gray if background > 0.5 else gray - background, 0)
    ink = ink / ink.max() if ink.max() >= 0.15 else np.zeros_like(ink)
    return np.maximum(ink - 0.2, 0) / 0.8 if lossy else ink

def crop(ink):
    rows, columns = np.flatnonzero((ink > 0.1).any(1)), np.flatnonzero((ink > 0.1).any(0))
    if not len(rows):
        raise SystemExit("The picture shows nothing to read.")
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]

def shrink(box, side):  # averages of areas, so that the longest side has this many pixels
    scale = side / max(box.shape)
    for _ in range(2):
        count, size = max(1, round(len(box) * scale)), len(box)
        edges = np.arange(count + 1) * (size / count)
        rows = np.minimum(edges.astype(int), size - 1)
        sums = np.vstack((np.zeros_like(box[:1]), np.cumsum(box, axis=0)))[rows]
        box = np.diff(sums + (edges - rows)[:, None].astype("f4") * box[rows], axis=0).T * np.float32(count / size)
    return box
"""

_THICKNESS = """
def erode(values, steps, first=0):  # the minimum over octagons: crosses and squares of 3x3 pixels by turns
    for step in range(first, first + steps):
        padded = np.pad(values, 1, "edge")
        tall = np.minimum.reduce([padded[:-2], padded[1:-1], padded[2:]])
        wide = tall if step % 2 else padded[1:-1]
        values = np.minimum.reduce([tall[:, 1:-1], wide[:, :-2], wide[:, 2:]])
    return values

def usual_thickness(box, usual=2.3 / 20):  # the box with strokes as thick as MNIST's, if they are far too thin or thick
    small = shrink(box, min(120, max(box.shape)))
    small, areas = small / small.max(), []
    left, side = np.pad(small > 0.4, 1), max(small.shape)
    while left.any():
        areas, left = [*areas, left.sum()], erode(left, 1, len(areas))
    width = 4 * (sum(areas) / areas[0] - 0.5)
    change = (width - usual * side) / (2 * (1 - usual))
    steps = round(abs(change))  # removed from, or added to, each edge
    ink = erode(np.pad(small, 1), steps) if change > 0 else 1 - erode(1 - np.pad(small, steps + 1), steps)
    return box if 0.6 * usual <= width / side <= 1.6 * usual or ink.max() <= 0.4 else crop(ink)
"""

_CENTERED = """
def prepare(ink):  # the picture as MNIST's are: 20 of 28 pixels tall or wide, the center of mass in the middle
    box = crop(ink)
    if 8 * max(box.shape) < min(ink.shape) or min(box.shape) > 0.6 * max(box.shape) and box.mean() > 0.75:
        raise SystemExit("The picture shows only a dot.")
    small = shrink(box, 20)
    middle = [round(float(small.sum(1 - i) @ np.arange(small.shape[i])) / float(small.sum())) for i in (0, 1)]
    top, left = (min(max(14 - m, 0), 28 - n) for m, n in zip(middle, small.shape))
    image = np.pad(small, ((top, 28 - top - small.shape[0]), (left, 28 - left - small.shape[1])))
    return np.rint(image * (255 / small.max())) / np.float32(255)
"""

_FRAME = """
def prepare(ink):  # the picture as Fashion-MNIST's are: it fills 28 x 28 pixels
    small = shrink(crop(ink), 28)
    top, left = ((28 - n) // 2 for n in small.shape)
    image = np.pad(small, ((top, 28 - top - small.shape[0]), (left, 28 - left - small.shape[1])))
    return np.rint(image * (255 / small.max())) / np.float32(255)
"""


def prepare_code(classes: tuple[str, ...]) -> str:
    """The function `prepare` for a model of these classes, which does what `core.reading.preparation` does."""
    if classes == CLOTHES:
        return _FRAME
    if classes != DIGITS:
        return _CENTERED
    box = "usual_thickness(box) if max(box.shape) > 40 else box"
    return _THICKNESS + _CENTERED.replace("shrink(box, 20)", f"shrink({box}, 20)")
