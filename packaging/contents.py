"""What goes into the frozen program beside the modules that the packager finds, and what is kept out."""

import re
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Qt's own words travel in the languages that the program itself speaks.
TRANSLATIONS = ROOT / "resources" / "translations"

# Their licences go into the folder `licences`; Qt's, which its packages lack, are kept here.
SHIPPED = (
    "llvmlite", "numba", "numpy", "pillow", "platformdirs", "pyqtgraph", "python-mnist", "safetensors",
    "threadpoolctl", "tqdm",
)  # fmt: skip
SHIPPED_WITH_CUDA = (
    "cuda-bindings", "cuda-core", "cuda-pathfinder", "numba-cuda", "nvidia-cuda-cccl-cu12",
    "nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-runtime-cu12", "nvidia-nvjitlink-cu12",
)  # fmt: skip

EXCLUDED = (
    # Other Qt bindings would abort the build; the rest is only ever imported if it happens to be there.
    "PyQt5", "PyQt6", "PySide2", "IPython", "OpenGL", "cupy", "h5py", "jinja2", "matplotlib", "pandas",
    "scipy", "yaml", "tkinter", "setuptools", "pkg_resources", "pytest", "_pytest", "mypy", "ruff",
    "numpy.f2py", "numpy.testing", "numba.tests", "numba.testing", "numba.np.ufunc.tbbpool",
    "numba.np.ufunc.omppool", "pyqtgraph.examples", "pyqtgraph.opengl",
    "pyqtgraph.jupyter", "PIL.ImageTk", "PIL._avif", "PIL.AvifImagePlugin", "PIL._imagingcms",
    "PIL._imagingft", "lib2to3",
    # GNU readline is under the GPL.
    "readline",
)  # fmt: skip
# Copied as they are: they look for each other's files by themselves, which no packager can follow.
CUDA_TREES = ("numba_cuda", "cuda", "nvidia", "packaging")
REDIRECTOR = "_numba_cuda_redirector"
_NOT_COPIED = re.compile(
    r"(/(__pycache__|tests|cmake|\.metadata)/|\.(pyx|pxd|pyi|cpp|pyc)$|_static\.a$|\.alt\.)"
)

# Qt's parts that nothing here uses, by the file's name; they come along as plugins and their dependencies.
_UNUSED = re.compile(
    r"(Qt6?(Qml|Quick|VirtualKeyboard|Network|Pdf|Designer|Sql|Test|Multimedia|LabsStyleKit)"
    r"|/tls/|/networkinformation/|/generic/|/platforminputcontexts/libqtvirtualkeyboard"
    r"|/platforms/libq(vnc|linuxfb|minimal|minimalegl|eglfs|vkkhrdisplay)"
    r"|/platformthemes/libqgtk3"
    r"|/egldeviceintegrations/|/imageformats/(lib)?q(pdf|tga|wbmp|icns|tiff|webp)"
    r"|/plugins/qmllint|opengl32sw|d3dcompiler)"
)
# The driver belongs to the machine, never to the program.
_DRIVER = re.compile(r"(^|/)(libcuda\.so|libnvidia-|nvcuda\.dll)")


def discovered_modules() -> list[str]:
    """The modules that are imported by a computed name, which the packager cannot follow."""
    folders = [
        ROOT / name
        for name in ("kernels", "core/network/layers", "core/training/optimizers", "core/commands")
    ]
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    paths = [path.relative_to(ROOT).with_suffix("") for path in files]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


def is_wanted(name: str) -> bool:
    """Whether a collected file, by its place in the program, is to be kept."""
    place = name.replace("\\", "/")
    if place.startswith("PySide6/") and "/translations/" in place:
        return (TRANSLATIONS / place.rpartition("/")[2].replace("qtbase_", "digitlab_")).exists()
    return not (_UNUSED.search(place) or _DRIVER.search(place))


def cuda_files() -> list[tuple[str, str]]:
    """(file, folder in the program) of everything that computing on a graphics card needs but the driver."""
    site = Path(sysconfig.get_path("platlib"))
    files = [path for tree in CUDA_TREES for path in sorted((site / tree).rglob("*")) if path.is_file()]
    files.append(site / f"{REDIRECTOR}.py")
    return [
        (str(path), str(path.parent.relative_to(site)))
        for path in files
        if not _NOT_COPIED.search(path.as_posix()) and is_wanted(path.relative_to(site).as_posix())
    ]


def standard_modules(files: list[tuple[str, str]]) -> list[str]:
    """The standard library's modules that copied sources import: the packager does not read those."""
    found = set()
    for file, _ in files:
        if file.endswith(".py"):
            text = Path(file).read_text("utf-8", errors="replace")
            found |= set(re.findall(r"^\s*(?:from|import)\s+([A-Za-z_]\w*(?:\.\w+)*)", text, re.MULTILINE))
    return sorted(name for name in found if name.split(".")[0] in sys.stdlib_module_names)


def licence_files(packages: tuple[str, ...]) -> list[tuple[str, str]]:
    """(file, folder in the program) of each package's licences, and of this program's and Qt's own."""
    found = [(str(ROOT / "LICENSE"), "licences/digitlab")]
    found += [(str(path), "licences/qt") for path in sorted((ROOT / "packaging" / "licences").iterdir())]
    for package in packages:
        try:
            files = distribution(package).files or []
        except PackageNotFoundError:
            continue
        for file in files:
            if re.match(r"(LICEN[CS]E|COPYING|NOTICE)", file.name, re.IGNORECASE) and file.suffix != ".py":
                below = Path(*[part for part in file.parent.parts if not part.endswith(".dist-info")])
                found.append((str(file.locate()), str(Path("licences", package, below))))
    return found
