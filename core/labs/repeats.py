"""What of a person's attempts counts: what a file says is compared with the lab, and attempts are
run again.

Everything in the files comes from strangers, and their runs may take more memory and time than
there is. Who has an honest file is never accused: another processor may compute another result from
the same seed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from core.data.sources import SOURCES
from core.errors import InputError
from core.files.log import logger
from core.labs.answers import MAX_ROWS, Answers
from core.labs.attempt import CURVE, Attempt
from core.labs.blocks.exercise import TrainedBlock
from core.labs.trial import MAX_SECONDS, DataSets, TooLongError, available_device, check_limits
from core.runs.plan import RunPlan
from core.text import printable
from core.training.run_settings import RunSettings
from kernels.registry import is_cpu_device, is_device_name

SECONDS = MAX_SECONDS
"""How long all attempts of one person that are run again may take."""
_LOSS_SHARE = 0.1  # by which a loss may differ on another kind of processor
_ROUNDING = 1e-4  # by which two evaluations of the same parameters may differ on a card
_TEST_LOSS = CURVE.index("test_loss")
_TEST_SCORE = CURVE.index("test_score")


@dataclass(frozen=True, slots=True)
class Repeat:
    """An attempt that was run again. `counted`: what counts instead of what the file says; None: it
    is not verified. `is_same`: all numbers were found again, to the bit. `here`: the result that
    was found where it misses a goal that the file's meets; else empty."""

    text: str
    counted: Attempt | None = None
    is_same: bool = False
    here: str = ""


def fault_of(answers: Answers, attempt: Attempt, data: DataSets) -> str:
    """Why the attempt is none that the lab asks of this person, or cannot be what the file says; or
    empty.

    Nothing is trained. What needs data that this machine lacks is not compared.
    """
    part = answers.lab.trained_part(attempt.part)
    plan = attempt.plan
    given = part.plans(answers.name)[attempt.variant]
    fault = other_plan(part, plan, given)
    if fault:
        return fault
    try:
        dataset = data.of(plan)
    except InputError:
        return ""
    try:
        parameters = data.context(plan).network.parameter_count
    except InputError as error:
        return str(error)
    # In a task the settings are the person's own.
    if not part.is_task and _complete(plan, data) != _complete(given, data):
        return "other settings than the lab gives"
    if attempt.parameters != parameters:
        return f"{attempt.parameters:,} parameters, where its settings give {parameters:,}"
    if attempt.epochs and attempt.is_regression != (dataset.kind != "classes"):
        return "its epochs have other numbers than those of such data"
    # The parameters at the end are the best epoch's with patience; the last finite ones where the
    # run diverged.
    is_last = attempt.is_complete and plan.settings.patience is None
    if is_last and not part.on:
        last = attempt.epochs[-1][_TEST_SCORE] or 0.0
        if abs(attempt.score - last) > _ROUNDING:
            return "its result is not that of its last epoch"
    return ""


def other_plan(part: TrainedBlock, plan: RunPlan, given: RunPlan) -> str:
    """What the plan has that the lab does not give, as far as that is known without its data; or
    empty.
    """
    if not is_device_name(plan.device):
        return f"a device that does not exist (“{plan.device[:40]}”)"
    # A step with the control lets everybody choose the data.
    named = {source.name for source in SOURCES} if "data" in part.setup.controls else set()
    if plan.data not in named | {given.data}:
        return "other data than the lab's"
    for setting in part.setup.vary.keys() - {*part.setup.controls}:
        if getattr(plan.settings, setting) != getattr(given.settings, setting):
            return f"another {setting.replace('_', ' ')} than the lab gives this person"
    return ""


def _complete(plan: RunPlan, data: DataSets) -> RunSettings:
    """The settings with the complete text of the network: the window trains 784-16-10 where a lab
    says 16.
    """
    return plan.settings.change(network=data.context(plan).network.text)


def order(answers: Answers, faults: dict[int, str]) -> list[int]:
    """The places of the attempts in the order in which they are run again, without those with
    faults.

    First the attempts that the table shows, those of tasks before those of runs; then the second
    best ones.
    """
    keys: list[tuple[tuple[int, bool, int, bool], int]] = []
    for number, part in enumerate(answers.lab.parts.trained):
        places = [place for place in answers.places_of(part.id) if place not in faults]
        ranked = part.ranked([answers.attempts[place] for place in places])
        ranks = dict[int, int]()
        for attempt in ranked:
            # By identity: two attempts may be equal.
            place = next(each for each in places if answers.attempts[each] is attempt)
            # Of a run each variant is shown, of a task only the best attempt.
            group = 0 if part.is_task else attempt.variant
            rank = ranks.get(group, -1) + 1
            ranks[group] = rank
            keys.append(((rank, not part.is_task, number, attempt is not ranked[0]), place))
    return [place for _, place in sorted(keys)]


class Repeater:
    """Runs attempts again. Those with the same settings are run once."""

    def __init__(self, data: DataSets) -> None:
        self._data = data
        self._found: dict[str, Attempt | InputError] = {}

    def iter_person(
        self, answers: Answers, places: Sequence[int], seconds: float
    ) -> Iterator[tuple[int, Repeat]]:
        """Yields the place and the outcome of each attempt. All together take `seconds` at most."""
        for place in places:
            begin = perf_counter()
            attempt = answers.attempts[place]
            try:
                repeat = self._repeat(answers.lab.trained_part(attempt.part), attempt, seconds)
            except InputError as error:
                repeat = Repeat(f"not verified: {error}")
            except Exception as error:  # one attempt must not stop those of the others
                logger.exception("an attempt could not be run again")
                repeat = Repeat(f"not verified: it failed here ({type(error).__name__})")
            # Also for what failed: it took the time as well.
            seconds -= perf_counter() - begin
            yield place, repeat

    def _repeat(self, part: TrainedBlock, attempt: Attempt, seconds: float) -> Repeat:
        plan = replace(attempt.plan, device=available_device(attempt.device), parsed=None)
        key = repr((attempt.settings, plan.data, plan.device, part.id))
        found = self._found.get(key)
        # A run that was too long for one person may be short enough for the time of another.
        if found is None or (isinstance(found, TooLongError) and found.seconds < seconds):
            if seconds <= 0:
                raise InputError("the time for this person was over")
            found = self._run(part, attempt.variant, plan, seconds)
            self._found[key] = found
        if isinstance(found, InputError):
            raise found
        return compared(part, attempt, found)

    def _run(
        self, part: TrainedBlock, variant: int, plan: RunPlan, seconds: float
    ) -> Attempt | InputError:
        try:
            check_limits(self._data.context(plan))
            return part.train(variant, plan, self._data, seconds=seconds)
        except InputError as error:
            return error


def compared(part: TrainedBlock, attempt: Attempt, found: Attempt) -> Repeat:
    """How the attempt compares with what running it again has `found`, and what counts.

    What counts are the numbers found, with the time that the file says. On another kind of
    processor, where rounding makes another result, it is what the file says, if that is within the
    tolerance.
    """
    seconds = f", {found.seconds:.3g} s here" if "seconds_at_most" in part.goals else ""
    # The run may have been found for another variant with the same settings.
    counted = replace(
        found.thinned(MAX_ROWS), part=attempt.part, variant=attempt.variant, seconds=attempt.seconds
    )
    if found.digest == attempt.digest:
        if _same_numbers(attempt, found):
            return Repeat(f"same to the bit{seconds}", counted, is_same=True)
        return Repeat(f"other numbers than the file says ({found.result}){seconds}", counted)
    other = _other_kind(attempt, found)
    if not other:
        text = (
            "other parameters than the file says, on the same kind of processor "
            f"({found.result}){seconds}"
        )
        return Repeat(text, counted)
    gap = abs(found.score - attempt.score) * 100
    if gap > part.tolerance:
        return Repeat(f"differs by {gap:.3g} points ({found.result}), {other}{seconds}", counted)
    text = f"within {part.tolerance:g} points ({found.result}), {other}{seconds}"
    # Too far off for another rounding: then the numbers found here count.
    if not _near(attempt, found):
        return Repeat(text, counted)
    claimed = replace(attempt, parameters=found.parameters)
    is_claim = part.meets(claimed) and not part.meets(counted)
    return Repeat(text, claimed, here=found.result if is_claim else "")


def _same_numbers(attempt: Attempt, found: Attempt) -> bool:
    """Whether all numbers of the file were found, those of the epochs that it keeps among them."""
    rows = {row[0]: row for row in found.epochs}
    # Only those that the file keeps: some are left out of many.
    same_epochs = all(rows.get(row[0]) == row for row in attempt.epochs)
    same_end = attempt.epochs_done == found.epochs_done and attempt.score == found.score
    return same_epochs and same_end and attempt.parameters == found.parameters


def _other_kind(attempt: Attempt, found: Attempt) -> str:
    """Why the parameters may differ without anybody's doing, in words; empty where they may not."""
    if found.device != attempt.device:
        return f"on {found.device} instead of {attempt.device}"
    if not is_cpu_device(found.device):
        return f"on {found.device}, where each type of card rounds in its own way"
    # Earlier versions did not write it; nobody is accused for that.
    if not attempt.arithmetic:
        return "on a processor that the file does not name"
    if attempt.arithmetic != found.arithmetic:
        # In the file's words: one that does not exist is seen.
        return f"on another kind of processor (“{printable(attempt.arithmetic[:40])}”)"
    if attempt.program != found.program:
        return "by another version of the program"
    return ""


def _near(attempt: Attempt, found: Attempt) -> bool:
    """Whether epochs and loss of the file may have been reached on another kind of processor."""
    if not attempt.epochs or not found.epochs:
        return False
    said = attempt.epochs[-1][_TEST_LOSS] or 0.0
    loss = found.epochs[-1][_TEST_LOSS] or 0.0
    return (
        # With rounding a target may be reached an epoch earlier or later.
        abs(attempt.epochs_done - found.epochs_done) <= 1 and abs(said - loss) <= _LOSS_SHARE * loss
    )
