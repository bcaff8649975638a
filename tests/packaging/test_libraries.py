"""The shared libraries of the frozen program."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ORDER = """
import ctypes, sys
from pathlib import Path
data, common, i18n = (ctypes.CDLL(path, ctypes.RTLD_GLOBAL) for path in sys.argv[1:])
version = Path(sys.argv[1]).suffix[1:]
error = ctypes.c_int(0)
function = lambda library, name: getattr(library, f"{name}_{version}")
order = function(i18n, "ucol_open"); order.restype = ctypes.c_void_p
collator = order(b"sv", ctypes.byref(error))
assert error.value <= 0, error
compare = function(i18n, "ucol_strcollUTF8")
texts = ["\\u00e4".encode(), b"z"]
arguments = [argument for text in texts for argument in (text, ctypes.c_int(len(text)))]
print(compare(ctypes.c_void_p(collator), *arguments, ctypes.byref(error)))
for encoding in (b"gb18030", b"shift_jis", b"utf-8"):
    function(common, "ucnv_open")(encoding, ctypes.byref(error))
    assert error.value <= 0, (encoding, error)
calendar = function(i18n, "ucal_open"); calendar.restype = ctypes.c_void_p
zone = "Europe/Berlin".encode("utf-16-le") + bytes(2)
made = calendar(zone, 13, b"de", 0, ctypes.byref(error))
name = ctypes.create_string_buffer(200)
count = function(i18n, "ucal_getTimeZoneDisplayName")(
    ctypes.c_void_p(made), 0, b"de", name, 100, ctypes.byref(error)
)
assert error.value <= 0, error
print(name.raw[: 2 * count].decode("utf-16-le"))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Qt brings ICU on Linux only")
def test_what_qt_asks_of_unicodes_data_is_kept(tmp_path):
    """In Swedish, ä comes after z; encodings and names of time zones are known."""
    from libraries import without_unused_unicode

    spec = find_spec("PySide6")
    folder = Path(spec.submodule_search_locations[0], "Qt", "lib") if spec else tmp_path
    files = [path for name in ("data", "uc", "i18n") for path in folder.glob(f"libicu{name}.so.*")]
    if len(files) != 3:
        pytest.skip("this Qt has no ICU of its own")
    copies = [Path(shutil.copy(file, tmp_path)) for file in files]
    whole = copies[0].read_bytes()
    small = without_unused_unicode(whole)
    assert len(small) < len(whole) - 15_000_000
    copies[0].write_bytes(small)
    done = subprocess.run(
        [sys.executable, "-c", ORDER, *map(str, copies)], capture_output=True, text=True
    )
    assert done.stdout.splitlines() == ["1", "Mitteleuropäische Normalzeit"], done.stderr
