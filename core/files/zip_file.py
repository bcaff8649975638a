"""Opens zip files of strangers: few entries, each with a name, stored or deflated, and not
encrypted.
"""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

ZIP = b"PK\x03\x04"
"""What a zip file begins with."""

_ENTRY = b"PK\x01\x02"  # begins the entry of a file in the directory of a zip file
_BLOCK = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1


@contextmanager
def open_zip(file: BinaryIO, max_files: int) -> Iterator[zipfile.ZipFile]:
    """The archive in `file`, which can seek; folders have entries of their own beside `max_files`
    files.

    Raises ValueError in words for any other, and what READ_ERRORS names for damaged ones.
    """
    # Counted before they are read: the entries of a small file may take a gigabyte.
    if _count(file) > 10 * max_files:
        raise ValueError(f"it holds too many files; at most {max_files:,} are read")
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        raise ValueError("it is no zip file that can be read") from None
    with archive:
        for entry in archive.infolist():
            if not entry.filename:
                raise ValueError("a file in it has no name")
            if entry.flag_bits & _ENCRYPTED:
                raise ValueError("it is encrypted")
            if entry.compress_type not in _METHODS:
                raise ValueError(
                    "it is packed in a way that is not read; choose the method “deflate”"
                )
        yield archive


def _count(file: BinaryIO) -> int:
    """How often the begin of an entry stands in the file, which is then at its begin."""
    file.seek(0)
    found = 0
    end = b""
    while block := file.read(_BLOCK):
        text = end + block
        found += text.count(_ENTRY)
        end = text[-len(_ENTRY) + 1 :]
    file.seek(0)
    return found
