"""How a long task reports its progress, and how its caller cancels it.

The caller hands in one function, which the task calls between its parts: a `Check`, or a `Progress`
where the task knows how much there is to do. To cancel the task the function raises `Cancelled`,
which the task lets through.
"""

from collections.abc import Callable


class Cancelled(Exception):  # noqa: N818 - a request of the user, not an error
    """Raised by a `Check` or a `Progress` to end the task that calls it."""


Check = Callable[[], None]
"""May raise `Cancelled`."""

Progress = Callable[[int, int], None]
"""A function of (done, total). It may raise `Cancelled`."""


def never_cancel() -> None:
    """A `Check` that never cancels."""


def ignore_progress(done: int, total: int) -> None:
    """A `Progress` that nobody looks at."""
