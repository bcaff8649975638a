"""Wraps a device so that a callback sees every operator call."""

from collections.abc import Callable
from typing import Any

from kernels.device import Device

# The abstract methods of a device without those that only move arrays.
OPERATORS = Device.__abstractmethods__ - {"empty", "upload", "download", "write", "read"}

Operator = Callable[..., None]
# Called with the operator's name, the operator and its arguments; it has to call the operator itself.
Callback = Callable[[str, Operator, tuple[Any, ...]], None]


def _call(name: str, operator: Operator, arguments: tuple[Any, ...]) -> None:
    operator(*arguments)


class InstrumentedDevice:
    """Passes each operator call to `callback`; all other attributes are those of `device`.

    Steps are not recorded, since a recorded step calls no operators.
    """

    def __init__(self, device: Device, callback: Callback = _call) -> None:
        self._device, self._callback = device, callback

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._device, name)
        if name not in OPERATORS:
            return attribute

        def operator(*arguments: Any) -> None:
            self._callback(name, attribute, arguments)

        # Stored as an attribute, so that the next access does not come here.
        setattr(self, name, operator)
        return operator

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """Returns `step` itself."""
        return step
