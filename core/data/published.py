"""The published data sets that can be downloaded: their files, mirrors, checksums and classes.

A new one is an entry in `PUBLISHED`: ten classes of images of 28x28 in four IDX files.

MNIST: LeCun, Cortes, Burges (CC BY-SA 3.0). Fashion-MNIST: Xiao, Rasul, Vollgraf, Zalando Research
(MIT). The SHA-256 are those of the unpacked files, since mirrors pack them differently. Packed
sizes are for the progress bar.
"""

import hashlib
import struct
from dataclasses import dataclass

import numpy as np

from core.data.class_names import DIGITS, Classes
from core.data.dataset import Split
from core.data.idx import LABELS, NAMES


@dataclass(frozen=True, slots=True)
class Remote:
    """One file: its name without ".gz", the SHA-256 and size of its unpacked content, its packed
    size in bytes.
    """

    name: str
    sha256: str
    unpacked: int
    packed: int

    @property
    def max_packed(self) -> int:
        """Limit of the packed size: mirrors pack differently."""
        return 2 * self.packed + (1 << 16)


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of a data set, the addresses of its mirrors, each ending in "/", and the names of
    its classes.
    """

    title: str
    mirrors: tuple[str, ...]
    files: tuple[Remote, ...]
    classes: Classes = DIGITS
    fills_frame: bool = False
    """Whether pictures fill the image, instead of having their center of mass in its middle."""


def _files(*contents: tuple[str, int, int]) -> tuple[Remote, ...]:
    """The four files, by SHA-256, unpacked and packed size: images and labels to learn from, then
    those to test.
    """
    return tuple(
        Remote(name, *content) for name, content in zip(NAMES.values(), contents, strict=True)
    )


_MNIST = Collection(
    "MNIST",
    (
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
    ),
    _files(
        ("ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db", 47_040_016, 9_912_422),
        ("65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", 60_008, 28_881),
        ("0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7", 7_840_016, 1_648_877),
        ("ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2", 10_008, 4_542),
    ),
)
_FASHION = Collection(
    "Fashion-MNIST",
    (
        "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
        # It has no encryption, but the checksums decide whether its files are used.
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
    ),
    _files(
        (
            "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
            47_040_016,
            26_421_880,
        ),
        ("bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9", 60_008, 29_515),
        ("5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b", 7_840_016, 4_422_102),
        ("0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34", 10_008, 5_148),
    ),
    (
        "T-shirt",
        "Trousers",
        "Pullover",
        "Dress",
        "Coat",
        "Sandal",
        "Shirt",
        "Sneaker",
        "Bag",
        "Ankle boot",
    ),
    fills_frame=True,
)

PUBLISHED: dict[str, Collection] = {"mnist": _MNIST, "fashion": _FASHION}
"""By their names on the command line and in files."""

IMAGE_SOURCES = ("builtin", *PUBLISHED)
"""Named data sets of which the shape of the images and the number of the classes are known without
loading them.
"""


def fills_frame(classes: Classes) -> bool:
    """Whether a picture of these classes is to fill the image: that of a published data set whose
    pictures do.
    """
    return any(
        collection.fills_frame and collection.classes == classes
        for collection in PUBLISHED.values()
    )


def classes_of(test: Split, folder: str = "") -> Classes:
    """The classes of files that do not name them: of the published data set with these test labels,
    else the digits.

    `folder`: the name of the folder, which also says so when it begins with the name of a published
    data set.
    """
    header = struct.pack(">2I", LABELS, len(test))
    digest = hashlib.sha256(header + test.targets.astype(np.uint8).tobytes()).hexdigest()
    for name, collection in PUBLISHED.items():
        is_known = any(remote.sha256 == digest for remote in collection.files)
        if is_known or folder.lower().startswith(name):
            return collection.classes
    return DIGITS
