"""A device with an ear at its operators: what a step asks of it, one operator after the other."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from core.profile import OPERATORS
from kernels.device import Device

Heard = Callable[[str, tuple[Any, ...]], None]


class Listening:
    """A device that tells `heard` each operator's name and arguments before it runs; all else is the device's own.

    Steps are not recorded: a recorded step could not be listened to.
    """

    def __init__(self, device: Device, heard: Heard | None = None) -> None:
        self._device, self.heard = device, heard

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._device, name)
        return self._telling(name, attribute) if name in OPERATORS else attribute

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """The step itself."""
        return step

    def limits(self) -> AbstractContextManager[object]:
        return self._device.limits()

    def _telling(self, name: str, operator: Callable[..., None]) -> Callable[..., None]:
        def call(*arguments: Any) -> None:
            if self.heard is not None:
                self.heard(name, arguments)
            operator(*arguments)

        # The next call finds it without asking again.
        setattr(self, name, call)
        return call
