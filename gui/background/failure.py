"""Converts the exception of a background task into a message for the window."""

import traceback
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from core.errors import InputError, limited
from core.files.log import logger
from gui.text import sentence


@dataclass(frozen=True, slots=True)
class Failure:
    """`text`: one sentence. `details`: text to copy. `device_error`: the run could continue on another device.

    `tone`: of the banner.
    """

    text: str
    details: str = ""
    device_error: bool = False
    tone: str = "bad"


def failure_of(error: BaseException) -> Failure:
    """The text of an InputError; for other exceptions a message with the traceback as details."""
    if isinstance(error, InputError):
        return Failure(sentence(error))
    details = "".join(traceback.format_exception(error))
    if isinstance(error, MemoryError):
        text = QCoreApplication.translate(
            "Failure", "There is not enough memory for this: use a smaller network or a smaller batch."
        )
        return Failure(text, details)
    from kernels.errors import DeviceError
    from kernels.registry import DeviceUnavailable

    if isinstance(error, DeviceError):
        logger.error("%s", details)
        return Failure(str(error), details, device_error=True)

    if isinstance(error, DeviceUnavailable):
        return Failure(str(error), details)
    logger.error("%s", details)
    template = QCoreApplication.translate(
        "Failure",
        "An error occurred in the program: {what}. Nothing else was lost; copy the details to report it.",
    )
    return Failure(template.format(what=limited(str(error)) or type(error).__name__), details)
