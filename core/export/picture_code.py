"""The source text by which an exported script reads a picture file and prepares it for the network.

It is that of `core.drawing.ink`: the results are the same to the bit.
"""

from inspect import getsource

from core.data.class_names import DIGITS
from core.data.published import fills_frame
from core.drawing import ink

_READ = """
def read_ink(path):
    with Image.open(path, formats=tuple(FORMATS)) as image:
        return plain_ink(*gray_of_file(image))


def prepare(ink):
    image = {prepare}
    if image is None:
        raise SystemExit("The picture shows nothing to read.")
    return image / np.float32(255)
"""

READ_PICTURE = """\
try:
    ink = read_ink(sys.argv[1])
except OSError as error:
    reason = error.strerror or "it is no picture"
    sys.exit(f"{sys.argv[1]} cannot be read as a picture ({reason}): choose another file.")
"""
"""The lines of a script that read the picture of its argument; they end it with a sentence where
that fails.
"""


def picture_code(classes: tuple[str, ...]) -> str:
    """The functions `read_ink` and `prepare` for a model of these classes, and all that they
    call.
    """
    text = getsource(ink).split("import numpy as np\n", 1)[1]
    prepare = (
        "fill_frame(ink)"
        if fills_frame(classes)
        else f"normalize(ink, usual_thickness={classes == DIGITS})"
    )
    return text.replace(": Any", "").replace(" -> Any", "") + "\n" + _READ.format(prepare=prepare)
