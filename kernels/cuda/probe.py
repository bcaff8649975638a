"""Finds the cards of this machine and tests whether they compute correctly, once in the life of the
program.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from kernels.cuda.driver import DriverError, driver_version, start_driver
from kernels.cuda.installed import can_have_cards, missing_package, reason_and_advice
from kernels.cuda.shipped import LEAST_CARD, LEAST_DRIVER
from kernels.device_spec import DeviceInfo

_TITLE = "NVIDIA graphics card"
_NO_DRIVER = (
    "cuda: no NVIDIA driver was found. Install the driver of your card, or train on the CPU."
)

# One at a time: while a thread starts the driver, a second one would be told that there is none
# (numba/numba#7387).
_lock = threading.Lock()
_results: dict[int, DeviceInfo] = {}
_tested: set[int] = set()
_count: int | None = None


def count_cards() -> int:
    """The number of cards; 1 if there is none, so that probing it gives the reason. May take
    seconds.
    """
    global _count
    with _lock:
        if _count is None:
            _count = 1
            if not missing_package():
                with suppress(DriverError):
                    _count = max(1, start_driver())
        return _count


def probe(index: int = 0) -> DeviceInfo:
    """Whether card `index` can be used. The first call starts CUDA and runs a small kernel: it may
    take seconds.

    The kernel runs on the first card that is supported, which `auto` takes; on the others when they
    are opened, since running it creates a context, which takes memory and keeps the card awake.
    `details` names the driver, the card with its memory and compute capability. Raises
    nothing: an error becomes the `reason`. After a sticky error no card is available until the
    program is restarted.
    """
    with _lock:
        first = next((card for card in range(index) if _properties(card).available), index)
        info = _properties(index) if first < index else _test(index)
    return _without_sticky_error(info)


def probe_by_computing(index: int) -> DeviceInfo:
    """As `probe`, with the kernel run on this card in any case."""
    with _lock:
        info = _test(index)
    return _without_sticky_error(info)


def _properties(index: int) -> DeviceInfo:
    """What is known of the card, without computing on it unless that was done before."""
    if index not in _results:
        _results[index] = _safely(_probe, index)
    return _results[index]


def _test(index: int) -> DeviceInfo:
    """Run the small kernel on the card if it is supported and was not tested before."""
    info = _properties(index)
    if info.available and index not in _tested:
        _tested.add(index)
        info = _results[index] = _safely(_compute_on, index)
    return info


def forget_results() -> None:
    """Probe anew at the next call; for tests."""
    global _count
    with _lock:
        _results.clear()
        _tested.clear()
        _count = None


def _without_sticky_error(info: DeviceInfo) -> DeviceInfo:
    if not info.available:
        return info
    from kernels.cuda.errors import sticky_error

    error = sticky_error()
    if error is None:
        return info
    reason = f"cuda: Restart the program to use the graphics card again. Before: {error}"
    return replace(info, available=False, reason=reason)


def _safely(find: Callable[[int], DeviceInfo], index: int) -> DeviceInfo:
    """find(index); an exception becomes the reason."""
    if not can_have_cards():
        return _unavailable(index, _NO_DRIVER)
    if missing := missing_package():
        reason, advice = reason_and_advice(missing)
        return replace(_unavailable(index, reason), advice=advice)
    try:
        return find(index)
    except Exception as error:
        from kernels.cuda.errors import as_device_error

        if (device_error := as_device_error(error)) is not None:
            return _unavailable(index, f"cuda: {device_error}")
        lines = str(error).strip().splitlines()
        return _unavailable(
            index, f"cuda: {type(error).__name__}: {lines[0] if lines else 'no further message'}"
        )


def _probe(index: int) -> DeviceInfo:
    from kernels.cuda.toolkit import SIMULATED

    if SIMULATED:
        details = {"simulator": "kernels run as Python threads, very slowly"}
        return DeviceInfo(_device_name(index), "CUDA simulator", True, details=details)
    try:
        start_driver()
    except DriverError as error:
        return _unavailable(index, _no_driver(str(error)))
    supported = driver_version()
    details = {"driver": f"for CUDA {_dotted(supported)}"}
    if supported < LEAST_DRIVER:
        reason = (
            f"cuda: the NVIDIA driver supports CUDA up to {_dotted(supported)}, but version "
            f"{_dotted(LEAST_DRIVER)} is needed. Update the driver."
        )
        return _unavailable(index, reason, details=details)
    from kernels.cuda.host import cards as find_cards

    cards = find_cards()
    if index >= len(cards):
        there = f"there are {len(cards)}, from cuda:0 on" if cards else "no card was found"
        return _unavailable(
            index, f"{_device_name(index)}: no such card; {there}.", details=details
        )
    card = cards[index]
    capability = _dotted(card.capability)
    details[f"card {index}"] = (
        f"{card.name}, {card.memory / 1e9:.1f} GB, compute capability {capability}"
    )
    reason = ""
    if card.capability < LEAST_CARD:
        reason = (
            f"cuda: {card.name} has compute capability {capability}; "
            f"{_dotted(LEAST_CARD)} or newer is needed."
        )
    hardware = f"{details[f'card {index}']}, driver {details['driver']}"
    return DeviceInfo(_device_name(index), card.name, not reason, reason, details, hardware)


def _compute_on(index: int) -> DeviceInfo:
    """The known properties of the card, after running a small kernel on it and checking the
    result.
    """
    import numpy as np

    from kernels.cuda.card import Card
    from kernels.cuda.toolkit import double_and_add_one

    card = Card(index)
    # Not on the default stream: a capture in another thread would be invalidated.
    stream = card.new_stream()
    numbers = np.arange(8, dtype=np.float32)
    result = np.empty_like(numbers)
    array = card.upload(numbers, stream)
    double_and_add_one[(1,), (8,), stream](array)
    card.copy_to_host(array, result, stream)
    card.synchronize(stream)
    reason = (
        "cuda: the card gave a wrong result for a small kernel; the card or its driver is broken."
    )
    right = np.array_equal(result, 2 * numbers + 1)
    return replace(_results[index], available=right, reason="" if right else reason)


def _device_name(index: int) -> str:
    """The value of `--device`: `cuda` for the first card, `cuda:1` for the second."""
    return f"cuda:{index}" if index else "cuda"


def _no_driver(error: str) -> str:
    """The reason for an error at the start of the driver."""
    if "cannot be found" in error:
        return _NO_DRIVER
    if "NO_DEVICE" in error:
        return "cuda: the NVIDIA driver is there, but it finds no card."
    if "DRIVER_MISMATCH" in error:
        return "cuda: parts of the NVIDIA driver are of different versions. Restart the computer."
    return f"cuda: the NVIDIA driver does not start: {error}."


def _dotted(version: tuple[int, ...]) -> str:
    return f"{version[0]}.{version[1]}"


def _unavailable(index: int, reason: str, details: dict[str, str] | None = None) -> DeviceInfo:
    return DeviceInfo(_device_name(index), _TITLE, False, reason, details or {})
