"""Probing: reasons instead of exceptions, several cards, one probe at a time, no import of CUDA
before it is needed.
"""

import importlib
import importlib.util
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from kernels.cuda import errors, installed
from kernels.cuda import probe as probing
from kernels.cuda.driver import DriverError
from kernels.installation import start_command
from kernels.registry import (
    DeviceInfo,
    DeviceUnavailable,
    all_device_names,
    is_device_name,
    open_device,
    probe,
)
from tests.limits import SECONDS

needs_numba_cuda = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None,
    reason="numba-cuda is not installed: uv run --extra cuda pytest",
)


@pytest.fixture(autouse=True)
def forget_results():
    probing.forget_results()
    yield
    probing.forget_results()


@pytest.fixture(autouse=True)
def shipped(monkeypatch):
    """Whether there are shipped kernels, which a clone has after `make kernels`."""
    state = SimpleNamespace(there=False)
    monkeypatch.setattr(installed, "uses_shipped_kernels", lambda: state.there)
    return state


def card(name, capability, gigabytes):
    from kernels.cuda.host import CardProperties

    return CardProperties(name, gigabytes * 10**9, capability)


class Library:
    """NVIDIA's driver library; `cards` is None where it is not installed, and `error` is how its
    start fails.
    """

    cards = None
    error = ""

    def load(self):
        if self.cards is None:
            raise DriverError("The library of the driver cannot be found.")
        return self

    def cuInit(self, flags):  # noqa: N802
        if self.error:
            raise DriverError(f"Call to cuInit results in CUDA_ERROR_{self.error}")

    def cuDeviceGetCount(self, pointer):  # noqa: N802
        pointer._obj.value = self.cards


@pytest.fixture
def library(monkeypatch):
    """What the program finds of the driver without a compiler."""
    library = Library()
    monkeypatch.setattr("kernels.cuda.driver.driver", library.load)
    return library


@pytest.fixture
def driver(monkeypatch):
    """A stand-in for the driver, with a list of cards; `computed` lists the cards on which a kernel
    was run.
    """
    pytest.importorskip("numba_cuda")
    from kernels.cuda import host

    importlib.import_module("kernels.cuda.device")
    state = SimpleNamespace(
        cards=[],
        computed=[],
        opened=[],
        broken={},
        version=(13, 0),
    )

    def compute_on(number):
        state.computed.append(number)
        return state.broken.get(number, probing._results[number])

    def open_card(number):
        state.opened.append(number)
        return number

    monkeypatch.setattr(probing, "can_have_cards", lambda: True)
    monkeypatch.setattr(probing, "start_driver", lambda: len(state.cards))
    monkeypatch.setattr(probing, "driver_version", lambda: state.version)
    monkeypatch.setattr(host, "cards", lambda: state.cards)
    monkeypatch.setattr(probing, "_compute_on", compute_on)
    monkeypatch.setattr("kernels.cuda.device.Cuda", open_card)
    return state


def test_each_card_is_a_device_with_its_memory_capability_and_driver(driver):
    driver.cards += [card("GTX 1080", (6, 1), 8), card("H100", (9, 0), 85)]
    assert all_device_names() == ["sequential", "vectorized", "cuda", "cuda:1"]
    first, second = probe("cuda"), probe("cuda:1")
    assert (first.name, first.title, second.name, second.title) == (
        "cuda",
        "GTX 1080",
        "cuda:1",
        "H100",
    )
    assert first.available
    assert second.details["card 1"] == "H100, 85.0 GB, compute capability 9.0"
    assert second.details["driver"] == "for CUDA 13.0"


def test_no_context_is_created_on_cards_that_are_not_used(driver):
    driver.cards += [
        card("Old", (3, 5), 2),
        card("A", (9, 0), 8),
        card("B", (9, 0), 8),
        card("C", (9, 0), 8),
    ]
    assert [probe(name).available for name in all_device_names()[2:]] == [False, True, True, True]
    assert driver.computed == [1]
    assert open_device("cuda:3") == 3
    assert open_device("cuda:3") == 3
    assert driver.computed == [1, 3]


def test_a_card_that_computes_wrongly_is_found_when_it_is_opened(driver):
    driver.cards += [card("A", (9, 0), 8), card("B", (9, 0), 8)]
    driver.broken[1] = DeviceInfo("cuda:1", "A", False, "cuda: broken.")
    assert probe("cuda:1").available
    with pytest.raises(DeviceUnavailable, match="broken"):
        open_device("cuda:1")
    assert probe("cuda:1").reason == "cuda: broken."


def test_auto_takes_the_first_card_that_can_be_used(driver):
    driver.cards += [card("Old", (3, 5), 2), card("New", (9, 0), 24)]
    open_device("auto")
    assert driver.opened == [1]
    assert "5.0 or newer is needed" in probe("cuda").reason


def test_a_card_that_is_not_there_is_a_reason(driver):
    driver.cards.append(card("A", (9, 0), 8))
    assert probe("cuda:3").reason == "cuda:3: no such card; there are 1, from cuda:0 on."


def test_names_of_cards():
    assert all(map(is_device_name, ("auto", "sequential", "cuda", "cuda:1")))
    assert not any(map(is_device_name, ("cuda:0", "cuda:x", "cuda:", "vectorized:1", "abacus")))


def test_a_second_thread_waits_for_the_first_probe(monkeypatch):
    """While one thread starts the driver, numba-cuda tells another one that there is none."""
    starting, started, results = threading.Event(), threading.Event(), []
    count = [0]

    def slow(find, index):
        count[0] += 1
        starting.set()
        assert started.wait(SECONDS)
        return probing.DeviceInfo("cuda", "Card", True)

    monkeypatch.setattr(probing, "_safely", slow)
    threads = [
        threading.Thread(target=lambda: results.append(probing.probe().available)) for _ in range(2)
    ]
    threads[0].start()
    assert starting.wait(SECONDS)
    threads[1].start()
    started.set()
    for thread in threads:
        thread.join(10)
    assert results == [True, True]
    assert count == [2]  # properties and test, by one thread


def test_after_a_sticky_error_the_card_is_not_offered_again(driver, monkeypatch):
    driver.cards.append(card("A", (9, 0), 8))
    assert probe("cuda").available
    monkeypatch.setattr(errors, "_sticky_error", None)
    with pytest.raises(errors.DeviceError), errors.translate_errors:
        raise RuntimeError("CUDA_ERROR_ILLEGAL_ADDRESS")
    assert "Restart the program" in probe("cuda").reason
    assert "A computation on the graphics card failed" in probe("cuda").reason
    with pytest.raises(DeviceUnavailable):
        open_device("cuda")
    assert open_device("auto").name == "vectorized"


def test_without_the_package_the_reason_has_the_command_that_installs_it(uninstall, library):
    uninstall("numba_cuda")
    library.cards = 1
    info = probing.probe()
    assert not info.available
    assert start_command("cuda") in info.reason
    assert info.advice.startswith(
        "This computer has an NVIDIA graphics card, but the package numba-cuda"
    )


def test_shipped_kernels_need_no_package(uninstall, shipped):
    shipped.there = True
    uninstall("numba_cuda", "cuda", "cuda.core")
    assert installed.missing_package() == ""


def test_the_least_driver_and_card_are_named(driver):
    driver.version = (12, 0)
    driver.cards += [card("New", (14, 0), 99), card("Old", (3, 5), 2)]
    assert probe("cuda").available
    assert "5.0 or newer is needed" in probe("cuda:1").reason
    probing.forget_results()
    driver.version = (11, 8)
    assert "12.0 is needed" in probe("cuda").reason


def test_without_a_card_nothing_is_advised(uninstall):
    uninstall("numba_cuda")
    assert probing.probe().advice == ""


@pytest.mark.parametrize(
    ("error", "count", "found"), [("", 2, True), ("", 0, False), ("NO_DEVICE", 0, False)]
)
def test_the_driver_is_asked_for_cards_without_numba(error, count, found, library):
    library.error = error
    library.cards = count
    assert installed.driver_finds_card() is found


def test_without_a_driver_there_is_no_card():
    assert not installed.driver_finds_card()


def test_a_failure_while_probing_is_a_reason(monkeypatch):
    monkeypatch.setattr(probing, "can_have_cards", lambda: True)
    monkeypatch.setattr(probing, "missing_package", str)

    def fail(index):
        raise OSError("libnvJitLink.so.12: cannot open shared object file\nmore lines")

    monkeypatch.setattr(probing, "_probe", fail)
    info = probing.probe()
    assert not info.available
    assert info.reason == "cuda: OSError: libnvJitLink.so.12: cannot open shared object file"


@needs_numba_cuda
def test_an_error_of_cuda_while_probing_is_its_sentence(monkeypatch):
    monkeypatch.setattr(probing, "can_have_cards", lambda: True)

    def fail(index):
        raise RuntimeError("CUDA_ERROR_OUT_OF_MEMORY")

    monkeypatch.setattr(probing, "_probe", fail)
    assert "not enough memory" in probing.probe().reason


def test_the_result_is_kept(monkeypatch):
    first = probing.probe()
    monkeypatch.setattr(probing, "_probe", pytest.fail)
    assert probing.probe() is first


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("\nCUDA driver library cannot be found.\nEnsure that", "no NVIDIA driver was found"),
        ("Call to cuInit results in CUDA_ERROR_NO_DEVICE", "finds no card"),
        ("Call to cuInit results in CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "Restart the computer"),
        ("something else", "does not start: something else"),
    ],
)
def test_the_reason_for_a_missing_driver_is_kept(error, words):
    assert words in probing._no_driver(error)


def test_choosing_cuda_without_a_card_explains_itself():
    info = probe("cuda")
    if info.available:
        pytest.skip("a card answers here")
    with pytest.raises(DeviceUnavailable, match="cuda: "):
        open_device("cuda")
    assert open_device("auto").name == "vectorized"


def test_nothing_of_cuda_is_imported_before_it_is_asked_for():
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed, so nothing of it can be imported")
    code = (
        "import sys, kernels.registry, core.training.trainer, core.commands\n"
        "kernels.registry.open_device('vectorized')\n"
        "print([m for m in sys.modules if m.startswith(('numba.cuda', 'cuda.', 'kernels.cuda.'))])"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
