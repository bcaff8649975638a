"""Settings and fixtures for all tests: parallel runs, an empty home for each test, the real data if
present.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import kernels
import main  # noqa: F401 - it chooses NumPy's products before NumPy is loaded, as in the program
from core.data import builtin
from core.data.cache import cached
from core.errors import InputError
from gui.window.display_check import require_plugin
from kernels import registry

# A machine with a card often has no Qt: the other tests run there.
HAS_QT = all(map(find_spec, ("PySide6", "pyqtgraph", "pytestqt")))
collect_ignore = [] if HAS_QT else ["gui"]


# Containers often set it. Each of the programs that tests start would then compile all modules that
# it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Load pytest-qt only after Qt's system libraries are there: its import fails without them.

    `-p no:pytest-qt` in pyproject.toml keeps pytest from loading it earlier.
    """
    if not HAS_QT:
        return
    try:
        require_plugin([os.environ.get("QT_QPA_PLATFORM", "offscreen").split(":")[0]])
    except InputError as error:
        pytest.exit(str(error), returncode=2)
    pluginmanager.import_plugin("pytestqt.plugin")


def pytest_configure(config: pytest.Config) -> None:
    """Ignore the false warnings of NumPy's matrix products with Apple's BLAS."""
    if sys.platform == "darwin":
        config.addinivalue_line("filterwarnings", "ignore:.*encountered in matmul:RuntimeWarning")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run in parallel, in one process per core, when all tests run: where pytest-xdist is, and
    without other wishes.

    The processes share Numba's cache, which is safe: see kernels/compiled.py.
    """
    everything = (
        config.args_source == pytest.Config.ArgsSource.TESTPATHS
        and "PYTEST_XDIST_WORKER" not in os.environ
    )
    if (
        everything
        and getattr(config.option, "numprocesses", 0) is None
        and not config.option.usepdb
    ):
        config.option.numprocesses = max(1, os.cpu_count() or 1)
        config.option.dist = "worksteal"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """The collection makes hundreds of thousands of objects that stay: no search for garbage among
    them, neither meanwhile nor in the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def qapp_cls() -> type:
    """pytest-qt makes the program's own application, whichever test of a process asks first."""
    from gui.window.application import Application

    return Application


@pytest.fixture(scope="session", autouse=True)
def session_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home for what fixtures of modules and of the session store: theirs are set up before those
    of a test.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIGITLAB_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the program's data and cache, so that no test depends on files
    outside.
    """
    folder = tmp_path / "home"
    monkeypatch.setenv("DIGITLAB_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def digits_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cached built-in digits, which take seconds to draw: drawn once for the tests of all processes."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIGITLAB_HOME", str(folder / "drawn"))
        builtin.load()
        (file,) = cached(builtin.NAME)
    return file


@pytest.fixture
def drawn_digits(home: Path, digits_file: Path) -> Path:
    """Puts the built-in digits into this test's home, as an earlier start did. Returns their file."""
    file = home / "cache" / "arrays" / digits_file.name
    file.parent.mkdir(parents=True)
    os.link(digits_file, file)
    return file


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is the packaged one."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)


@pytest.fixture
def uninstall(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Takes packages away by their names: neither an import nor a search finds them."""

    def take_away(*packages: str) -> None:
        for package in packages:
            monkeypatch.setitem(sys.modules, package, None)

    return take_away


@pytest.fixture
def install_memory(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Gives this computer so many bytes of memory, for all modules that ask for it."""
    asking = [
        module
        for module in list(sys.modules.values())
        if "installed_memory" in getattr(module, "__dict__", {})
    ]

    def install(size: int) -> None:
        for module in asking:
            monkeypatch.setattr(module, "installed_memory", lambda: size)

    return install


@pytest.fixture
def few_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Built-in digits in a moment, where nothing has to be learned well."""
    few = builtin.draw(300, 200)
    monkeypatch.setattr(builtin, "draw", lambda *_: few)


@pytest.fixture
def no_ignored_signals() -> Iterator[None]:
    """Signals that the program ends by arrive, also where the tests were started by `nohup`, which
    ignores SIGHUP.
    """
    numbers = [
        getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
    ]
    earlier = {number: signal.signal(number, signal.SIG_DFL) for number in numbers}
    yield
    for number, handler in earlier.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of mnist/ and fashion/ that DIGITLAB_DATA names. Without it the test is
    skipped.
    """
    given = os.environ.get("DIGITLAB_DATA")
    if not given:
        pytest.skip("DIGITLAB_DATA names no folder with mnist/ and fashion/")
    folder = Path(given).absolute()
    if not (folder / "mnist").is_dir():
        pytest.fail(f"DIGITLAB_DATA is {folder}, which has no mnist/")
    return folder


TOY_DEVICE = '''
"""A device that nothing outside its folder knows of."""

from kernels.device_spec import DeviceSpec


def _open():
    from kernels.sequential.device import Sequential

    class Toy(Sequential):
        name = "toy"

    return Toy()


DEVICE = DeviceSpec(
    name="toy", title="Toy", description="A device for tests.", rank=5, open=_open,
    bench_images={"dense": (100, 100), "cnn": (2, 2)},
)
'''


@pytest.fixture
def toy_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a device whose package lies in a folder of its own."""
    (tmp_path / "devices" / "toy").mkdir(parents=True)
    (tmp_path / "devices" / "toy" / "__init__.py").write_text(TOY_DEVICE)
    monkeypatch.setattr(kernels, "__path__", [*kernels.__path__, str(tmp_path / "devices")])
    registry.device_specs.cache_clear()
    yield "toy"
    registry.device_specs.cache_clear()
    sys.modules.pop("kernels.toy", None)
