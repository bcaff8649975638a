"""Trains several plans side by side: in order, by turns or at once; `Outcome` is what each of them
has reached.

A training is a generator of records, made by `core.runs.training.iter_run`. None of it runs before
its first record is asked for, so that a plan without its turn takes no memory. Whoever trains plans
chooses how they share the machine:

* in order, each to its end before the next begins: `outcome_of(records)` for each of them;
* by turns in this thread, one record each: `SideBySide`, which `iter_turns` goes through: the
  runs of a study, which are watched as they learn, and the contestants of a race on the processor,
  which must not disturb each other's times;
* at once, each in a thread of its own: `iter_at_once`, for devices that compute beside the
  processor.

    with closing(iter_run(plan, dataset)) as records:
        outcome = outcome_of(records, watch=clock.check)

A lab trains the variants of a part in order, and its attempt is made from the outcome. A kernel in
use trains one plan twice in order, where `iter_run(..., prepare=...)` puts the kernel into the
device first.
"""

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from queue import SimpleQueue
from threading import Event, Thread
from typing import Generic, TypeVar

from core.progress import Cancelled, Check
from core.runs.plan import RunContext
from core.runs.training import RunRecord
from core.training.records import Epoch, Finished, Point

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a training has reached so far.

    `epochs`: those before the checkpoint that it continues among them. `begun`: before the first of
    them, a point of the curve of training for each record. `images`: trained on so far.
    `seconds`: of training, without evaluation. `state`: as in `RunInfo`. `message`: its advice, or
    the error that ended it. `end`: the last record, where it was trained in this process.
    """

    context: RunContext | None = None
    epochs: tuple[Epoch, ...] = ()
    images: int = 0
    seconds: float = 0.0
    state: str = "running"
    message: str = ""
    end: Finished | None = None
    begun: tuple[Point, ...] = ()

    @property
    def has_ended(self) -> bool:
        return self.state != "running"

    @property
    def score(self) -> float | None:
        """Of the last evaluation on the test set; None before the first."""
        if self.end is not None:
            return self.end.test_score
        return self.epochs[-1].test_score if self.epochs else None

    @property
    def seconds_to_target(self) -> float | None:
        """Seconds after which the target of the settings was reached; None before the end, or where
        it was not.
        """
        return self.end.seconds_to_target if self.end is not None else None

    def after(self, record: RunRecord) -> "Outcome":
        """The outcome with one more record."""
        if record.numbers is not None:
            # A run that continues from its best checkpoint trains some epochs again.
            epochs = (*self.epochs[: record.numbers.epoch - 1], record.numbers)
            return replace(self, epochs=epochs, begun=(), seconds=record.seconds)
        if record.reason is not None:
            ended = replace(self, state=record.reason, message=record.advice, end=record)
            return replace(ended, seconds=record.seconds)
        if record.context is not None:
            return replace(self, context=record.context, epochs=record.context.history)
        if record.steps is not None:
            images = (record.epoch - 1) * record.images + record.position
            begun = self.begun
            if not self.epochs and record.score is not None:
                begun = (*begun, (images / record.images, record.loss, record.score))
            return replace(self, seconds=record.seconds, images=images, begun=begun)
        return self

    def failed(self, error: Exception) -> "Outcome":
        return replace(self, state="fault", message=str(error) or type(error).__name__)


def outcome_of(
    records: Iterable[RunRecord], watch: Callable[[RunRecord], object] = lambda record: None
) -> Outcome:
    """The outcome of a training, of which `watch` is given each record; an exception that it raises
    ends it.
    """
    outcome = Outcome()
    for record in records:
        outcome = outcome.after(record)
        watch(record)
    return outcome


def by_turns(outcome: Outcome) -> float:
    """The order of `SideBySide` in which each training has the next turn after all others have had
    theirs.
    """
    return 0.0


def by_seconds(outcome: Outcome) -> float:
    """The order in which the training goes next that has computed for the shortest time."""
    return outcome.seconds


class SideBySide(Generic[Key]):
    """Trainings of which one is advanced at a time, by a record; each has its own key.

    `order`: the training for which it is least goes next; of equals, the one that has waited
    longest. `outcomes`: of all trainings that were added, also of those that have ended.
    """

    def __init__(self, order: Callable[[Outcome], float] = by_turns) -> None:
        self._order = order
        # The one that has waited longest first.
        self._trainings: dict[Key, Generator[RunRecord]] = {}
        self.outcomes: dict[Key, Outcome] = {}

    def __bool__(self) -> bool:
        """Whether a training has not ended."""
        return bool(self._trainings)

    def add(self, key: Key, records: Generator[RunRecord]) -> None:
        self._trainings[key] = records
        self.outcomes[key] = Outcome()

    def next_key(self) -> Key:
        """The key of the training that goes next."""
        return min(self._trainings, key=lambda key: self._order(self.outcomes[key]))

    def advance(self, key: Key) -> RunRecord:
        """The next record of this training; with its last one it ends, and frees its device.

        An exception that the training raises ends it alone.
        """
        records = self._trainings.pop(key)
        # Taken out before: where it raises, the training has ended and must not get another turn.
        record = next(records)
        self.outcomes[key] = self.outcomes[key].after(record)
        if record.reason is not None:
            records.close()
        else:
            self._trainings[key] = records
        return record

    def close(self) -> None:
        """Stop all trainings."""
        while self._trainings:
            self._trainings.popitem()[1].close()


def iter_turns(trainings: SideBySide[Key]) -> Generator[tuple[Key, RunRecord]]:
    """Advance the trainings until all have ended, or the generator is closed."""
    with closing(trainings):
        while trainings:
            key = trainings.next_key()
            yield key, trainings.advance(key)


def iter_at_once(
    starts: Sequence[Callable[[Check], Generator[Item]]], check: Check
) -> Generator[Item]:
    """The items of several generators, each made and advanced in a thread of its own if there are
    several.

    Each is given a function to call between its parts: `check`, which raises Cancelled once the
    caller has closed this generator. An exception of one of them ends all.
    """
    if len(starts) == 1:
        yield from starts[0](check)
        return
    stop = Event()
    queue: SimpleQueue[Item | _End] = SimpleQueue()

    def check_or_stop() -> None:
        if stop.is_set():
            raise Cancelled
        check()

    def produce(start: Callable[[Check], Generator[Item]]) -> None:
        error = None
        try:
            with closing(start(check_or_stop)) as items:
                for item in items:
                    if stop.is_set():
                        break
                    queue.put(item)
        except BaseException as reason:
            error = reason
        queue.put(_End(error))

    threads = [Thread(target=produce, args=(start,), daemon=True) for start in starts]
    for thread in threads:
        thread.start()
    try:
        running = len(threads)
        while running:
            item = queue.get()
            if not isinstance(item, _End):
                yield item
            elif item.error is not None:
                raise item.error
            else:
                running -= 1
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@dataclass(frozen=True, slots=True)
class _End:
    """A thread of `iter_at_once` has ended."""

    error: BaseException | None
