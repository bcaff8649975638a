"""The text form of changes of the learning rate: `300:0.01, 600:schedule`."""

from collections.abc import Iterable

from core.errors import InputError
from core.training.records import RateChange

SCHEDULE = "schedule"
_MAX_CHANGES = 1000


def parse_planned_rates(text: str) -> tuple[RateChange, ...]:
    """The changes that `text` describes, by ascending step. Raises InputError, with the setting's name."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    changes: dict[int, RateChange] = {}
    for part in parts[:_MAX_CHANGES]:
        step, _, rate = part.partition(":")
        try:
            change = RateChange(int(step), None if rate.strip() == SCHEDULE else float(rate))
        except (ValueError, OverflowError):
            raise _error(part) from None
        rate_is_valid = change.learning_rate is None or 0 < change.learning_rate < float("inf")
        if not 0 <= change.step < 1 << 31 or not rate_is_valid:
            raise _error(part)
        changes[change.step] = change
    return tuple(changes[step] for step in sorted(changes))


def format_planned_rates(changes: Iterable[RateChange]) -> str:
    """The text that `parse_planned_rates` reads back exactly."""
    return ", ".join(
        f"{change.step}:{SCHEDULE if change.learning_rate is None else repr(change.learning_rate)}"
        for change in changes
    )


def _error(part: str) -> InputError:
    return InputError(
        "{setting} {part}: write a step, a colon and the rate from that step on, such as 300:0.01, or "
        "300:schedule for the schedule's rate.",
        setting="rate_changes", part=part,
    )  # fmt: skip
