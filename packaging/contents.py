"""The contents of the frozen program: files to add to the modules that the packager finds, and
files to exclude.
"""

import re
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Qt's translations are shipped for the languages into which the program is translated.
TRANSLATIONS = ROOT / "resources" / "translations"

# Packages whose licenses go into the folder `licenses`. Qt's packages contain none; they lie in
# packaging/licenses.
SHIPPED = (
    "colorama",
    "llvmlite",
    "markdown-it-py",
    "mdurl",
    "ml-dtypes",
    "numba",
    "numpy",
    "onnx",
    "pillow",
    "platformdirs",
    "protobuf",
    "pygments",
    "pyqtgraph",
    "python-mnist",
    "safetensors",
    "threadpoolctl",
    "tqdm",
    "typing-extensions",
)

_QT = ("pyside6-essentials", "shiboken6")  # whose licenses lie in packaging/licenses
_ONLY_TO_BUILD = ("pyinstaller", "pyinstaller-hooks-contrib", "altgraph")

EXCLUDED = (
    # Other Qt bindings abort the build. The other packages are optional imports of our
    # dependencies.
    "PyQt5",
    "PyQt6",
    "PySide2",
    "IPython",
    "OpenGL",
    "cupy",
    "h5py",
    "jinja2",
    "pandas",
    "scipy",
    "sklearn",
    "yaml",
    "tkinter",
    "setuptools",
    "pkg_resources",
    "pytest",
    "_pytest",
    "mypy",
    "ruff",
    "numpy.f2py",
    "numpy.testing",
    "numba.tests",
    "numba.testing",
    # Compilers and bindings of CUDA; the program calls the driver itself.
    "numba.cuda",
    "cuda",
    "numba.np.ufunc.tbbpool",
    "numba.np.ufunc.omppool",
    "pyqtgraph.examples",
    "pyqtgraph.opengl",
    "pyqtgraph.jupyter",
    "PIL.ImageTk",
    "PIL._avif",
    "PIL.AvifImagePlugin",
    "PIL._imagingcms",
    "PIL._imagingft",
    "lib2to3",
    "matplotlib",
    "tzdata",
    # Of ONNX only writing, reading and checking of files is used.
    "onnx.backend",
    "onnx.reference",
    "onnx.test",
    "onnx.tools",
    "onnxruntime",
    # GNU readline is under the GPL.
    "readline",
)
# Files that the program does not use: plugins of Qt, libraries that they depend on, large icons,
# lists of files.
_UNUSED = re.compile(
    r"(Qt6?(Qml|Quick|VirtualKeyboard|Network|Pdf|Designer|Sql|Test|Multimedia|LabsStyleKit)"
    r"|/tls/|/networkinformation/|/generic/|/platforminputcontexts/(lib)?qtvirtualkeyboard"
    r"|/platforms/(lib)?q(direct2d|vnc|linuxfb|minimal|minimalegl|eglfs|vkkhrdisplay)"
    r"|/platformthemes/libqgtk3"
    r"|/egldeviceintegrations/|/imageformats/(lib)?q(pdf|tga|wbmp|icns|tiff|webp)"
    r"|\.dist-info/RECORD$|/plugins/qmllint|opengl32sw|d3dcompiler|PySide6/QtOpenGL\.|pyqtgraph/icons/peegee/)"
)
# The graphics driver must be that of the machine.
_DRIVER = re.compile(r"(^|/)(libcuda\.so|libnvidia-|nvcuda\.dll)")


# (file, folder in the program) of sources that are read as files: scripts for another Python.
SCRIPTS = (
    (str(ROOT / "core/bench/torch_script.py"), "core/bench"),
    (str(ROOT / "core/bench/jax_script.py"), "core/bench"),
)


def discovered_modules() -> list[str]:
    """The modules that are imported by a computed name, which the packager cannot follow."""
    folders = [
        ROOT / name
        for name in (
            "kernels",
            "core/network/layers",
            "core/training/optimizers",
            "core/commands",
            "core/export",
            "core/labs/blocks",
            "gui/labs/blocks",
            "core/bench",
        )
    ]
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    paths = [path.relative_to(ROOT).with_suffix("") for path in files]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


def is_wanted(name: str) -> bool:
    """Whether to keep a collected file, given its path in the program."""
    path = name.replace("\\", "/")
    if path.startswith("PySide6/") and "/translations/" in path:
        return (TRANSLATIONS / path.rpartition("/")[2].replace("qtbase_", "digitlab_")).exists()
    return not (_UNUSED.search(path) or _DRIVER.search(path))


def other_lexers() -> list[str]:
    """The modules of Pygments that color other languages than Python."""
    spec = find_spec("pygments.lexers")
    assert spec is not None
    assert spec.origin is not None
    used = ("__init__", "_mapping", "python")
    return [
        f"pygments.lexers.{path.stem}"
        for path in Path(spec.origin).parent.glob("*.py")
        if path.stem not in used
    ]


def kernels_for_cards() -> list[tuple[str, str]]:
    """(file, folder in the program) of the kernels for graphics cards; none on macOS, which has no
    cards.
    """
    if sys.platform == "darwin":
        return []
    kernels = ROOT / "kernels" / "cuda" / "kernels.zip"
    if not kernels.exists():
        raise SystemExit("There are no kernels for graphics cards: make kernels")
    return [(str(kernels), "kernels/cuda")]


def python_license() -> Path:
    """The license of Python, which lies in the folder of its library, on Windows beside the
    program.
    """
    folders = (Path(sysconfig.get_path("stdlib")), Path(sys.base_prefix))
    return next(file for folder in folders if (file := folder / "LICENSE.txt").is_file())


def unlicensed(modules: Iterable[str], packages: tuple[str, ...]) -> set[str]:
    """The packages with one of these modules whose license is not in the folder: not in `packages`,
    and not Qt's.
    """
    owners = packages_distributions()
    found = {owner for name in modules for owner in owners.get(name.partition(".")[0], ())}
    normal = {re.sub(r"[-_.]+", "-", name).lower() for name in found}
    return normal - {*packages, *_QT, *_ONLY_TO_BUILD}


def license_files(packages: tuple[str, ...]) -> list[tuple[str, str]]:
    """(file, folder in the program) of the licenses of the packages, of Qt, of Python and of this
    program.
    """
    licenses = [
        (str(ROOT / "LICENSE"), "licenses/digitlab"),
        (str(python_license()), "licenses/python"),
    ]
    licenses += [
        (str(path), "licenses/qt") for path in sorted((ROOT / "packaging" / "licenses").iterdir())
    ]
    for package in packages:
        try:
            files = distribution(package).files or []
        except PackageNotFoundError:
            continue
        for file in files:
            if (
                re.match(r"(LICEN[CS]E|COPYING|NOTICE)", file.name, re.IGNORECASE)
                and file.suffix != ".py"
            ):
                below = Path(
                    *[part for part in file.parent.parts if not part.endswith(".dist-info")]
                )
                licenses.append((str(file.locate()), str(Path("licenses", package, below))))
    return licenses
