"""Races and profiles as tables, which are printed, shown and exported like those of the
benchmarks.
"""

from contextlib import closing

from core.bench.rows import Bench, Note, Options, Row, Rows, Table
from core.data.dataset import Dataset
from core.measure.profile import Profile, iter_profile
from core.measure.race import Contestant, RaceProgress, RaceResult, iter_race, rank
from core.training.run_settings import RunSettings
from kernels.device import Device


def contestant_name(contestant: Contestant) -> str:
    """Such as `vectorized` or `vectorized, 2 workers`."""
    if contestant.workers == 1:
        return contestant.device
    return f"{contestant.device}, {contestant.workers} workers"


class RaceReport:
    """Collects the progress of a race; `rows` are the results so far."""

    def __init__(self) -> None:
        self.results: dict[Contestant, RaceResult] = {}
        self.warning = ""
        self._epochs: list[Row] = []

    def add_progress(self, progress: RaceProgress) -> None:
        contestant = progress.result.contestant
        record = progress.record
        self.results[contestant] = progress.result
        if record.numbers is not None:
            self._epochs.append(
                Row(
                    "scores",
                    {
                        "contestant": contestant_name(contestant),
                        "repetition": progress.repetition,
                        "epoch": record.epoch,
                        "seconds": record.seconds,
                        "score": record.test_score,
                        "test_loss": record.test_loss,
                    },
                )
            )

    def rows(self) -> list[Row]:
        """The contestants by speed, then the score of each after each epoch."""
        results = rank([result for result in self.results.values() if result.outcome.images])
        rows = []
        for result in results:
            speed = result.images_per_second
            slowest = results[-1].images_per_second
            rows.append(
                Row(
                    "results",
                    {
                        "contestant": contestant_name(result.contestant),
                        "images_per_second": speed,
                        "spread": 50 * result.spread if len(result.speeds) > 1 else None,
                        "repetitions": len(result.speeds),
                        "seconds": result.outcome.seconds,
                        "score": result.outcome.score,
                        "seconds_to_target": result.outcome.seconds_to_target,
                        "over_slowest": speed / slowest if slowest else None,
                    },
                )
            )
        return [*rows, *self._epochs]


def race_bench(
    settings: RunSettings,
    dataset: Dataset,
    contestants: tuple[Contestant, ...],
    repetitions: int = 1,
) -> Bench:

    def iter_rows(options: Options) -> Rows:
        report = RaceReport()
        with closing(
            iter_race(settings, dataset, contestants, options.check, repetitions)
        ) as records:
            for record in records:
                record.add_to(report)
        if report.warning:
            yield Note(report.warning)
        yield from report.rows()

    return Bench("race", race_tables(f"{settings.network} on {dataset.title}"), iter_rows)


def profile_bench(
    settings: RunSettings, dataset: Dataset, device: Device, steps: int = 200
) -> Bench:

    def iter_rows(options: Options) -> Rows:
        with closing(iter_profile(settings, dataset, device, steps)) as profiles:
            for profile in profiles:
                options.check()
                last = profile
        if last.warning:
            yield Note(last.warning)
        yield from profile_rows(last)

    tables = profile_tables(f"{settings.network} on {dataset.title}, {device.name}")
    return Bench("profile", tables, iter_rows)


def profile_rows(profile: Profile) -> list[Row]:
    """One row for each operator, then the whole step as training runs it."""
    rows = [
        Row(
            "operators",
            {
                "operator": operator.name,
                "calls": operator.calls,
                "seconds": operator.seconds,
                "spread": operator.spread,
                "share": 100 * operator.share,
            },
        )
        for operator in profile.operators
    ]
    step = {
        "what": "a step as training runs it",
        "steps": profile.steps,
        "seconds": profile.step_seconds,
        "skipped": 100 * profile.skipped,
    }
    return [*rows, Row("step", step)]


def race_tables(subject: str) -> tuple[Table, Table]:
    results = {
        "contestant": "contestant",
        "images_per_second": "images a second",
        "spread": "half the range, %",
        "repetitions": "repetitions",
        "seconds": "seconds",
        "score": "test score",
        "seconds_to_target": "seconds to target",
        "over_slowest": "times as fast as the slowest",
    }
    scores = {
        "contestant": "contestant",
        "repetition": "repetition",
        "epoch": "epoch",
        "seconds": "seconds",
        "score": "test score",
        "test_loss": "test loss",
    }
    return (
        Table("results", f"Race: {subject}", results),
        Table(
            "scores",
            f"Race: {subject}, after each epoch",
            scores,
        ),
    )


def profile_tables(subject: str) -> tuple[Table, Table]:
    operators = {
        "operator": "operator",
        "calls": "calls a step",
        "seconds": "seconds a step",
        "spread": "half the interquartile range, seconds",
        "share": "share, %",
    }
    step = {
        "what": "measured",
        "steps": "steps",
        "seconds": "seconds a step",
        "skipped": "blank pixels, skipped, %",
    }
    return (
        Table("operators", f"Operators of a step: {subject}", operators),
        Table("step", f"A step: {subject}", step),
    )
