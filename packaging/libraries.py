"""The shared libraries of the frozen program on Linux: removes unneeded ones, debug symbols and
data of Unicode.
"""

import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]  # path in the program, source file (or the target of a link), kind

# Libraries with debug symbols. Those that NumPy and Pillow bundle were patched after linking, and
# stripping breaks them.
_WITH_SYMBOLS = re.compile(
    r"(^|/)(libllvmlite|libpython|libicu)[^/]*$|/lib-dynload/"
    r"|^(numba|numpy|PIL|safetensors|onnx|ml_dtypes|sqlalchemy)/.*\.so$"
)


# Data of ICU for what Qt does by itself or not at all: borders of words, units, currencies, names
# of languages and regions, transliteration, numbers in words, checks for confusable names.
_UNUSED_UNICODE = re.compile(rb"/(brkitr|unit|curr|lang|region|translit|rbnf)/|\.(spp|cfu)\0$")
_LOAD = 1  # type of a segment that is loaded

# What the packager leaves to the system, and a system without a desktop lacks. libGL and libEGL are
# those of GLVND, which only pass calls on to the driver of the machine; the program draws without
# them, but Qt is linked to them.
_SYSTEM_LIBRARIES = (
    "libEGL.so.1",
    "libGL.so.1",
    "libGLX.so.0",
    "libGLdispatch.so.0",
    "libxcb.so.1",
    "libXau.so.6",
    "libXdmcp.so.6",
    "libbsd.so.0",
    "libmd.so.0",
    "libwayland-client.so.0",
    "libwayland-cursor.so.0",
    "libwayland-egl.so.1",
)


def system_libraries() -> list[Entry]:
    """Libraries of the system to add to the program: those of the list above that are installed.
    Linux only.
    """
    if not sys.platform.startswith("linux"):
        return []
    listing = subprocess.run(
        ["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True
    ).stdout
    paths: dict[str, str] = {}
    for line in listing.splitlines():
        name, _, path = line.partition(" => ")
        paths.setdefault(name.split(" ")[0].strip(), path)
    if "libGLdispatch.so.0" not in paths:
        raise SystemExit(
            "libGL is not that of GLVND, so it fits no other machine: install Debian's packages."
        )
    return [(name, paths[name], "BINARY") for name in _SYSTEM_LIBRARIES if name in paths]


def is_dependency(path: str) -> bool:
    """Whether the packager added this file only because another one depends on it."""
    return "/" not in path or path.startswith("PySide6/Qt/lib/")


def without_orphans(entries: list[Entry]) -> list[Entry]:
    """`entries` without the libraries that none of them depends on any more. Other systems:
    unchanged.
    """
    if not sys.platform.startswith("linux"):
        return entries
    from PyInstaller.depend.bindepend import get_imports

    roots = [file for path, file, kind in entries if kind != "SYMLINK" and not is_dependency(path)]
    roots += [file for path, file, _ in entries if path.startswith("libpython")]
    # The list of the dynamic loader is transitive.
    needed = {name for file in roots for name, _ in get_imports(file)}
    return [
        entry
        for entry in entries
        if not is_dependency(entry[0])
        or PurePosixPath(entry[0]).name in needed
        or entry[0].startswith("libpython")
    ]


def stripped(entries: list[Entry], folder: Path) -> list[Entry]:
    """Replace large libraries by copies in `folder` without debug symbols and unused data, if
    `strip` is installed.
    """
    if not sys.platform.startswith("linux") or shutil.which("strip") is None:
        return entries
    return [_strip(entry, folder) for entry in entries]


def _strip(entry: Entry, folder: Path) -> Entry:
    path, file, kind = entry
    if kind == "SYMLINK" or not _WITH_SYMBOLS.search(path):
        return entry
    copy = folder / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
    done = subprocess.run(
        ["strip", "--strip-unneeded", str(copy)], capture_output=True, check=False
    )
    if done.returncode == 0 and copy.name.startswith("libicudata"):
        copy.write_bytes(without_unused_unicode(copy.read_bytes()))
    return (path, str(copy), kind) if done.returncode == 0 else entry


def without_unused_unicode(library: bytes) -> bytes:
    """ICU's data library, an ELF file, without the data that Qt asks ICU for in none of its calls.

    Qt uses its converters of encodings, its order of texts and its names of time zones. The package
    of data has a header, the number of its parts, (place of the name, place of the data) of each
    part from the end of the header on, the names, and the data at multiples of 16.
    """
    start = library.index(b"\xda\x27\x14\0\0\0\0\0\x02\0CmnD") - 2
    (segments,) = struct.unpack_from("<Q", library, 32)
    count = struct.unpack_from("<H", library, 56)[0]
    # Type, flags, offset in the file, address, physical address, size in the file and in memory,
    # alignment.
    headers = [
        list(struct.unpack_from("<IIQQQQQQ", library, segments + 56 * n)) for n in range(count)
    ]
    data, rest = (header for header in headers if header[0] == _LOAD)
    package = _package_of_used(library[start : data[5]])
    tail, begin = library[rest[2] : rest[2] + rest[5]], rest[2]
    # A segment lies at the same place in its page in the file as in memory.
    place = start + len(package)
    place += (rest[3] - place) % rest[7]
    data[5] = data[6] = start + len(package)
    for header in headers:
        if header[2] >= begin:
            header[2] += place - begin
    result = bytearray(library[:start] + package)
    result += bytes(place - len(result)) + tail
    for n, header in enumerate(headers):
        struct.pack_into("<IIQQQQQQ", result, segments + 56 * n, *header)
    # The table of sections, which the loader does not read, is gone.
    struct.pack_into("<Q", result, 40, 0)
    struct.pack_into("<HHH", result, 58, 0, 0, 0)
    return bytes(result)


def _package_of_used(package: bytes) -> bytes:
    """The package of ICU's data without the parts that _UNUSED_UNICODE matches."""
    base = struct.unpack_from("<H", package)[0]
    (count,) = struct.unpack_from("<I", package, base)
    places = [struct.unpack_from("<II", package, base + 4 + 8 * n) for n in range(count)]
    ends = [place for _, place in places[1:]] + [len(package) - base]
    parts = [
        (
            package[base + name : package.index(b"\0", base + name) + 1],
            package[base + first : base + end],
        )
        for (name, first), end in zip(places, ends, strict=True)
    ]
    parts = [part for part in parts if not _UNUSED_UNICODE.search(part[0])]
    names, data = bytearray(), bytearray()
    first_name = 4 + 8 * len(parts)
    first = -(-(first_name + sum(len(name) for name, _ in parts)) // 16) * 16
    table = struct.pack("<I", len(parts))
    for name, content in parts:
        table += struct.pack("<II", first_name + len(names), first + len(data))
        names += name
        data += content + bytes(-len(content) % 16)
    head = table + names
    return package[:base] + head + bytes(first - len(head)) + data
