"""Errors of a device during a run: memory, driver, card. They are not errors of the user or of the
program.
"""

from typing import Literal

Kind = Literal["memory", "driver", "lost", "kernel", "toolkit"]


class DeviceError(RuntimeError):
    """`str()` is one English sentence that says what happened and what can be done.

    `kind`: `memory` (not enough on the device), `driver` (absent, or too old for what was asked),
    `lost` (the device stopped answering), `kernel` (a kernel failed; the device's arrays are gone),
    `toolkit` (a library is missing or broken). What was copied to host memory before the fault is
    still good.
    """

    def __init__(self, kind: Kind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: Kind = kind
