"""A device with an ear at its operators: each that a step asks for goes through a function of the listener's."""

from collections.abc import Callable
from typing import Any

from kernels.device import Device

# Operators are what every device must offer, but for the traffic of arrays.
OPERATORS = Device.__abstractmethods__ - {"empty", "upload", "download", "write", "read"}

Operator = Callable[..., None]


def _plainly(name: str, operator: Operator, arguments: tuple[Any, ...]) -> None:
    operator(*arguments)


class InstrumentedDevice:
    """A device whose operators are left to `call(name, operator, arguments)`; all else is the device's own.

    Steps are not recorded: a recorded step could not be listened to.
    """

    def __init__(
        self, device: Device, call: Callable[[str, Operator, tuple[Any, ...]], None] = _plainly
    ) -> None:
        self._device, self._call = device, call

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._device, name)
        if name not in OPERATORS:
            return attribute

        def operator(*arguments: Any) -> None:
            self._call(name, attribute, arguments)

        # The next call finds it without asking again.
        setattr(self, name, operator)
        return operator

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step itself."""
        return step
