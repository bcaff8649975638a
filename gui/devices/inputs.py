"""What the Devices tab needs of the settings panel and of the list of devices."""

from typing import Protocol

from PySide6.QtCore import SignalInstance

from core.training.run_settings import RunSettings
from kernels.registry import DeviceInfo


class DataChoice(Protocol):
    def source(self) -> str: ...
    def summary(self) -> str: ...
    def is_available(self) -> bool: ...


class RunInputs(Protocol):
    """`changed` is emitted when another run or other data are chosen."""

    @property
    def changed(self) -> SignalInstance: ...
    @property
    def data(self) -> DataChoice: ...
    def run(self) -> RunSettings | None: ...


class KnownDevices(Protocol):
    """`chosen` is emitted when more is known about the devices."""

    @property
    def chosen(self) -> SignalInstance: ...
    def known(self) -> list[DeviceInfo]: ...
