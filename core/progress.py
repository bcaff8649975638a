"""Progress of a long task, and how its caller cancels it."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""A function of (done, total). It may raise `Cancelled`, which the task lets through."""


class Cancelled(Exception):  # noqa: N818 - a request of the user, not an error
    """Raised by a `Progress` function to end the task that calls it."""
