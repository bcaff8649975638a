"""Progress of a long task, and how its caller cancels it."""

from collections.abc import Callable
from threading import Event

Progress = Callable[[int, int], None]
"""A function of (done, total). It may raise `Cancelled`, which the task lets through."""


class Cancelled(Exception):  # noqa: N818 - a request of the user, not an error
    """Raised by a `Progress` function to end the task that calls it."""


def unless_cancelled(cancelled: Event, report: Progress) -> Progress:
    """A progress function that calls `report`, and raises `Cancelled` once the event is set."""

    def progress(done: int, total: int) -> None:
        if cancelled.is_set():
            raise Cancelled
        report(done, total)

    return progress
