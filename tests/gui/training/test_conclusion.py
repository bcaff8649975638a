"""The sentences after a run and a comparison: each says only what its curves show."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.data.dataset import Split
from core.inspection.health import Finding
from core.studies.conclusion import Group
from core.studies.study import StudyRun
from core.training.records import Epoch
from gui.runs.verdict import verdict_of
from gui.training.conclusion import run_text


def digits(examples):
    split = Split(np.zeros((examples, 1), np.float32), np.arange(examples, dtype=np.int32) % 10)
    return SimpleNamespace(kind="classes", classes=tuple("0123456789"), test=split)


DIGITS = digits(10_000)
FEW = digits(200)
VALUES = SimpleNamespace(
    kind="regression", classes=(), test=Split(np.zeros((1000, 1)), np.zeros((1000, 1)))
)
RATE = "learning_rate"


def curve(*scores, losses=None, train=None, test_losses=None, validation=None):
    """The epochs of a run. losses: of training; train: its scores."""
    last = len(scores)
    losses = losses or [1.0] * last
    rows = []
    for k, score in enumerate(scores):
        rows.append(
            Epoch(
                epoch=k + 1,
                step=100 * (k + 1),
                seconds=k + 1.0,
                epoch_seconds=1.0,
                train_loss=losses[k],
                train_score=train[k] if train else score,
                test_loss=(test_losses or losses)[k],
                test_score=score,
                validation_loss=validation[k] if validation else None,
                images_per_second=1e4,
                learning_rate=0.1,
            )
        )
    return rows


def group(name, *curves, value=None, state="epochs", keeps_best=False):
    runs = [StudyRun(k, {}, "", state, epochs) for k, epochs in enumerate(curves)]
    return Group(name, tuple(runs), value, keeps_best)


def rate(value, *curves, **more):
    return group(f"rate {value}", *curves, value=value, **more)


def still(*scores):
    """A run whose training loss still falls by a fifth in its last epoch."""
    return curve(*scores, losses=[2.0 * 0.8**k for k in range(len(scores))])


DEAD = Finding("dead", 0, {"layer": "1", "share": "100 %"})
SLOW = Finding("slow", 0, {"share": "0.01 %"})
GOOD = curve(0.95, 0.97, 0.975, 0.977)
COMPARISONS = {
    "too small, and still learning": (
        RATE,
        [rate(0.001, still(0.3, 0.5, 0.6)), rate(0.1, curve(0.8, 0.9, 0.907))],
        "After epoch 3: rate 0.1 learns best: 90.70 %; rate 0.001 is too slow: 60.00 %, and still "
        "learning.",
    ),
    "too small, and at its end": (
        RATE,
        [rate(0.05, curve(0.9, 0.94, 0.94)), rate(0.1, GOOD)],
        "After epoch 3: rate 0.1 learns best: 97.50 %; rate 0.05 reaches less: 94.00 %; the "
        "highest so far: rate 0.1, 97.70 % after epoch 4.",
    ),
    "so small that nothing has happened": (
        RATE,
        [rate(1e-6, still(0.1, 0.11, 0.12)), rate(0.1, GOOD)],
        "After epoch 3: rate 0.1 learns best: 97.50 %; rate 1e-06 is too slow: 12.00 %, it has "
        "hardly begun to learn; the highest so far: rate 0.1, 97.70 % after epoch 4.",
    ),
    "too large, jagged, and the training loss happens to fall": (
        RATE,
        [rate(0.002, GOOD), rate(0.1, still(0.93, 0.89, 0.94, 0.923))],
        "After epoch 4: rate 0.002 learns best: 97.70 %; rate 0.1 is too large: 92.30 %, it jumps "
        "from epoch to epoch.",
    ),
    "too large, repeated: jagged and wide": (
        RATE,
        [
            rate(0.0002, still(0.9, 0.94, 0.95), still(0.9, 0.94, 0.951)),
            rate(0.002, curve(0.95, 0.97, 0.977), curve(0.95, 0.97, 0.979)),
            rate(0.1, still(0.93, 0.89, 0.95), still(0.9, 0.93, 0.89)),
        ],
        "After epoch 3: rate 0.002 learns best: 97.80 % (97.70 % to 97.90 %); rate 0.0002 is too "
        "slow: 95.05 % (95.00 % to 95.10 %), and still learning; rate 0.1 is too large: 92.00 % "
        "(89.00 % to 95.00 %), it jumps from epoch to epoch.",
    ),
    "too large, smooth, but one start unlike another": (
        RATE,
        [
            rate(0.1, curve(0.95, 0.977), curve(0.95, 0.979)),
            rate(1, curve(0.8, 0.85), curve(0.9, 0.95)),
        ],
        "After epoch 2: rate 0.1 learns best: 97.80 % (97.70 % to 97.90 %); rate 1 is too large: "
        "90.00 % (85.00 % to 95.00 %), its runs differ widely.",
    ),
    "larger than the best, without a sign of why": (
        RATE,
        [rate(0.1, GOOD), rate(0.3, curve(0.9, 0.93, 0.94, 0.941))],
        "After epoch 4: rate 0.1 learns best: 97.70 %; rate 0.3 reaches less: 94.10 %.",
    ),
    "larger than the best, and slower": (
        RATE,
        [rate(0.1, GOOD), rate(0.3, still(0.5, 0.6, 0.65, 0.7))],
        "After epoch 4: rate 0.1 learns best: 97.70 %; rate 0.3 is still learning: 70.00 %.",
    ),
    "so large that the units have died": (
        RATE,
        [rate(0.1, GOOD), rate(3, curve(0.1, 0.098, 0.101))],
        "After epoch 3: rate 0.1 learns best: 97.50 %; rate 3 is too large: it learns nothing, "
        "100 % of the units of layer 1 are never active (dead); the highest so far: rate 0.1, "
        "97.70 % after epoch 4.",
    ),
    "diverged before the first epoch": (
        RATE,
        [rate(0.1, GOOD), rate(1000, [], state="diverged")],
        "After epoch 4: rate 0.1 learns best: 97.70 %; rate 1000 diverges: its numbers grow "
        "beyond all limits.",
    ),
    "diverged after some epochs": (
        RATE,
        [rate(0.1, GOOD), rate(30, curve(0.8, 0.9), state="diverged")],
        "After epoch 4: rate 0.1 learns best: 97.70 %; rate 30 diverges: its numbers grow beyond "
        "all limits.",
    ),
    "all diverged": (
        RATE,
        [rate(30, [], state="diverged"), rate(1000, [], state="diverged")],
        "Rate 30 diverges: its numbers grow beyond all limits; rate 1000 diverges: its numbers "
        "grow beyond all limits.",
    ),
    "none has learned": (
        RATE,
        [rate(1e-7, curve(0.1, 0.1)), rate(1e-6, curve(0.11, 0.11))],
        "After epoch 2: rate 1e-06 learns nothing, the weights have hardly changed since the "
        "start, by 0.01 %; rate 1e-07 learns nothing, the weights have hardly changed since the "
        "start, by 0.01 %.",
    ),
    "none has an epoch": (RATE, [rate(0.1, []), rate(0.2, [])], "No run has completed an epoch."),
    "one could not be trained": (
        "network",
        [group("784-32-10", GOOD), group("784-9999999-10", [], state="fault")],
        "After epoch 4: 784-32-10 learns best: 97.70 %; 784-9999999-10 could not be trained.",
    ),
    "a tie of single runs": (
        RATE,
        [rate(0.1, curve(0.975, 0.977)), rate(0.2, curve(0.975, 0.9765))],
        "After epoch 2: rate 0.1 learns best: 97.70 %; rate 0.2 is as good within chance: 97.65 %.",
    ),
    "a tie that jumps on the way is none the worse": (
        RATE,
        [rate(0.1, GOOD), rate(0.2, curve(0.96, 0.93, 0.97, 0.9765))],
        "After epoch 4: rate 0.1 learns best: 97.70 %; rate 0.2 is as good within chance: 97.65 %.",
    ),
    "all images are read with both": (
        RATE,
        [rate(0.1, curve(1.0)), rate(0.3, curve(1.0))],
        "After epoch 1: rate 0.1 learns best: 100.00 %; rate 0.3 is as good within chance: 100.00 "
        "%.",
    ),
    "the same difference on a small test set is chance": (
        "batch_size",
        [group("batch 50", curve(0.93, 0.95)), group("batch 100", curve(0.92, 0.93))],
        "After epoch 2: batch 50 learns best: 95.00 %; batch 100 is as good within chance: 93.00 "
        "%.",
    ),
    "repetitions do not tell them apart": (
        "activation",
        [group("ReLU", curve(0.9), curve(0.92)), group("tanh", curve(0.89), curve(0.90))],
        "After epoch 1: ReLU learns best: 91.00 % (90.00 % to 92.00 %); tanh is as good within "
        "chance: 89.50 % (89.00 % to 90.00 %).",
    ),
    "repetitions tell them apart": (
        "activation",
        [group("ReLU", curve(0.95), curve(0.952)), group("tanh", curve(0.93), curve(0.931))],
        "After epoch 1: ReLU learns best: 95.10 % (95.00 % to 95.20 %); tanh reaches less: 93.05 "
        "% (93.00 % to 93.10 %).",
    ),
    "only the seed differs": (
        "seed",
        [
            group("seed 0", GOOD),
            group("seed 1", curve(0.9, 0.975)),
            group("seed 2", curve(0.9, 0.979)),
        ],
        "After epoch 2: only the random start differs, so this is chance: 97.47 % (97.00 % to "
        "97.90 %); the highest so far: seed 2, 97.90 % after epoch 2.",
    ),
    "one value, repeated": (
        RATE,
        [rate(0.1, curve(0.9, 0.977), curve(0.9, 0.979))],
        "After epoch 2: rate 0.1: 97.80 % (97.70 % to 97.90 %).",
    ),
    "batch size: large ones step seldom": (
        "batch_size",
        [group("batch 10", GOOD), group("batch 1000", still(0.6, 0.8, 0.85))],
        "After epoch 3: batch 10 learns best: 97.50 %; batch 1000 is still learning: 85.00 %; the "
        "highest so far: batch 10, 97.70 % after epoch 4.",
    ),
    "batch size: a very small one jumps": (
        "batch_size",
        [group("batch 100", GOOD), group("batch 1", curve(0.9, 0.85, 0.91, 0.9))],
        "After epoch 4: batch 100 learns best: 97.70 %; batch 1 jumps from epoch to epoch: 90.00 "
        "%.",
    ),
    "activation: a saturated one depends on the start": (
        "activation",
        [group("ReLU", curve(0.977), curve(0.978)), group("sigmoid", curve(0.5), curve(0.9))],
        "After epoch 1: ReLU learns best: 97.75 % (97.70 % to 97.80 %); sigmoid depends on the "
        "random start: 70.00 % (50.00 % to 90.00 %).",
    ),
    "width: too few units": (
        "hidden_units",
        [group("units 4", curve(0.6, 0.7, 0.7)), group("units 128", GOOD)],
        "After epoch 3: units 128 learns best: 97.50 %; units 4 reaches less: 70.00 %; the "
        "highest so far: units 128, 97.70 % after epoch 4.",
    ),
    "width: learns by heart": (
        "network",
        [
            group("784-32-10", curve(0.9, 0.92, train=(0.91, 0.95))),
            group(
                "784-2000-10",
                curve(0.89, 0.9, train=(0.95, 0.999), losses=(0.3, 0.01), test_losses=(0.3, 0.5)),
            ),
        ],
        "After epoch 2: 784-32-10 learns best: 92.00 %; 784-2000-10 learns more by heart: 90.00 "
        "%, and 99.90 % of the training images.",
    ),
    "optimizer: the training loss falls, but the test loss rises": (
        "optimizer",
        [
            group("Adam", GOOD),
            group(
                "SGD", curve(0.9, 0.9, losses=(0.5, 0.3), test_losses=(0.4, 0.5), train=(0.9, 0.91))
            ),
        ],
        "After epoch 2: Adam learns best: 97.00 %; SGD reaches less: 90.00 %; the highest so far: "
        "Adam, 97.70 % after epoch 4.",
    ),
    "optimizer: the best one still learns": (
        "optimizer",
        [group("Adam", still(0.8, 0.9, 0.95)), group("SGD", still(0.5, 0.6, 0.7))],
        "After epoch 3: Adam learns best: 95.00 %, and still learns; SGD is still learning: 70.00 "
        "%.",
    ),
    "regression, with R²": (
        RATE,
        [
            rate(0.1, curve(0.5, 0.8, 0.93)),
            rate(1, curve(0.01, 0.0, 0.02)),
            rate(0.5, curve(0.7, 0.4, 0.6)),
        ],
        "After epoch 3: rate 0.1 learns best: R² 0.93; rate 0.5 is too large: R² 0.6, it jumps "
        "from epoch to epoch; rate 1 is too large: it learns nothing.",
    ),
    "early stopping: the best epoch was kept": (
        "patience",
        [
            group(
                "patience 2",
                curve(0.95, 0.977, 0.96, 0.94, validation=(0.3, 0.2, 0.3, 0.4)),
                keeps_best=True,
            ),
            group("patience off", curve(0.95, 0.97, 0.96, 0.94)),
        ],
        "Patience 2 learns best: 97.70 % after epoch 2; patience off reaches less: 94.00 % after "
        "epoch 4.",
    ),
    "stopped: compared where both have learned as long": (
        RATE,
        [
            rate(0.1, curve(0.5, 0.6, 0.9, 0.95)),
            rate(0.3, curve(0.7, 0.8), state="stopped"),
        ],
        "After epoch 2: rate 0.3 learns best: 80.00 %; rate 0.1 reaches less: 60.00 %; the "
        "highest so far: rate 0.1, 95.00 % after epoch 4; stopped: rate 0.3 after epoch 2.",
    ),
    "several settings differ": (
        "",
        [group("rate 0.1, batch 10", GOOD), group("rate 0.01, batch 100", still(0.3, 0.5, 0.6))],
        "After epoch 3: rate 0.1, batch 10 learns best: 97.50 %; rate 0.01, batch 100 is still "
        "learning: 60.00 %; the highest so far: rate 0.1, batch 10, 97.70 % after epoch 4.",
    ),
}


@pytest.mark.parametrize("case", COMPARISONS)
def test_the_sentence_of_a_comparison(case):
    setting, groups, said = COMPARISONS[case]
    data = DIGITS
    if "regression" in case:
        data = VALUES
    elif "small test set" in case:
        data = FEW
    dead = {} if data is VALUES else {"rate 3": DEAD, "rate 1e-07": SLOW, "rate 1e-06": SLOW}

    verdict = verdict_of(groups, setting, data, dead)
    text, best = verdict.text, verdict.best

    assert text == said
    assert (best is not None) == ("learns best" in text or case == "one value, repeated")
    assert (
        best is None
        or "learns best" not in text
        or f"{best.name} learns best".lower() in text.lower()
    )


STATES = ("epochs", "epochs", "epochs", "stopped", "running", "diverged", "pruned", "patience")


def random_groups(random):
    """Up to four values with up to three runs each: any lengths, states and scores."""
    groups = []
    for number in range(random.integers(1, 5)):
        keeps_best = bool(random.random() < 0.2)
        runs = []
        for k in range(random.integers(1, 4)):
            scores = random.integers(500, 10_000, random.integers(0, 9)) / 10_000
            losses = list(random.random(len(scores)))
            epochs = curve(*scores.tolist(), validation=losses) if len(scores) else []
            runs.append(StudyRun(k, {}, "", str(random.choice(STATES)), epochs))
        groups.append(Group(f"rate 0.{number + 1}x", tuple(runs), number, keeps_best))
    return groups


def rounded(scores):
    mean = sum(scores) / len(scores)
    return {f"{100 * each:.2f}" for each in (mean, min(scores), max(scores))}


def table_of(group, epoch):
    """What the table says of a value at this epoch; at 0 at the epochs that its runs have kept."""
    rows = []
    for run in group.runs:
        known = [each for each in run.epochs if not epoch or each.epoch <= epoch]
        if run.state != "running" and known:
            is_best = not epoch and group.keeps_best
            rows.append(min(known, key=lambda row: row.validation_loss) if is_best else known[-1])
    return rows


@pytest.mark.parametrize("seed", range(300))
def test_every_number_of_a_comparison_is_one_of_the_table(seed):
    groups = random_groups(np.random.default_rng(seed))
    by_name = {group.name: group for group in groups}
    verdict = verdict_of(groups, RATE, DIGITS, {})
    whole = [run for group in groups for run in group.runs if run.epochs]
    lengths = [
        len(run.epochs) for run in whole if run.state not in ("running", "diverged", "pruned")
    ]
    if (
        lengths
        and max(lengths) > 2 * min(lengths)
        and not any(group.keeps_best for group in groups)
    ):
        assert verdict.best is None
    for part, text in verdict.parts:
        scores = set(re.findall(r"([\d.]+)\u202f?\s?%", text))
        epochs = [int(n) for n in re.findall(r"epochs?,? (\d+)|for (\d+)", text) for n in n if n]
        if part is not None:
            rows = table_of(by_name[part.name], verdict.epoch)
            trained = rounded([row.train_score for row in rows]) if rows else set()
            assert scores <= (
                rounded([row.test_score for row in rows]) | trained if rows else set()
            )
            assert set(epochs) <= {row.epoch for row in rows}
        elif text.startswith("the highest"):
            ended = [run for run in whole if run.state != "running"]
            best = max((row for run in ended for row in run.epochs), key=lambda row: row.test_score)
            assert (scores, epochs) == ({f"{100 * best.test_score:.2f}"}, [best.epoch])
        elif text.startswith("stopped"):
            assert epochs == [len(run.epochs) for run in whole if run.state == "stopped"]
        elif "has learned for" in text:
            assert verdict.best is None
            assert max(epochs) > 2 * min(epochs)
            assert set(epochs) <= {row.epoch for run in whole for row in run.epochs}
        elif "in training" in text:
            for group in groups:
                assert (group.name in text) == any(run.state == "running" for run in group.runs)
        else:
            assert not scores, text


LAST = curve(0.5, 0.9775)[-1]
RUNS = {
    "alone": ({}, "97.75 % of 10,000 test images read right, 225 wrong."),
    "better": (
        {"before": ("rate 0.5", 0.97)},
        "That is 0.75 points more than the run before (rate 0.5).",
    ),
    "worse": (
        {"before": ("rate 0.5", 0.99)},
        "That is 1.2 points less than the run before (rate 0.5).",
    ),
    "chance": (
        {"before": ("seed 2", 0.977)},
        "That is 0.05 points more than the run before (seed 2), which may be chance.",
    ),
    "the same": (
        {"before": ("with the same settings", 0.9775)},
        "That is as much as the run before (with the same settings).",
    ),
    "the rate was changed": (
        {"before": ("with the same settings", 0.99), "changes": "the rate was set to 3 in epoch 3"},
        "That is 1.2 points less than the run before (with the same settings), after the rate was "
        "set to 3 in epoch 3.",
    ),
    "the rate was changed, and there is no run before": (
        {"changes": "the rate was set to 3 in epoch 3"},
        "225 wrong. The rate was set to 3 in epoch 3.",
    ),
    "continued": (
        {"before": ("rate 0.5", 0.5), "continued": curve(0.9, 0.95)[-1]},
        "That is 2.8 points more than after epoch 2, where it was continued.",
    ),
    "ending": (
        {"ending": "Stopped in epoch 3 of 10"},
        "Stopped in epoch 3 of 10: 97.75 % of 10,000 test images",
    ),
    "guesses": (
        {"last": curve(0.098)[-1]},
        "902 of 1,000 wrong. That is no more than by guessing.",
    ),
}


@pytest.mark.parametrize("case", RUNS)
def test_the_sentence_of_a_run(case):
    given, said = RUNS[case]
    text = run_text(**{"last": LAST, "dataset": DIGITS} | given)
    assert said.replace("902 of 1,000 wrong", "9,020 wrong") in text


@pytest.mark.parametrize(
    ("train", "test", "said"),
    [(0.99, 0.94, True), (0.99, 0.98, False), (0.2, 0.1, False)],
)
def test_overfitting_is_said_of_a_network_that_reads_most_training_images(train, test, said):
    last = replace(LAST, train_score=train, test_score=test)
    assert ("by heart" in run_text(last, DIGITS)) == said


def test_a_small_test_set_is_no_proof_of_overfitting():
    last = replace(LAST, train_score=0.99, test_score=0.95)
    assert "by heart" not in run_text(last, digits(60))
    assert "by heart" in run_text(last, digits(1000))


def test_values_are_explained_in_shares_of_their_variance():
    assert run_text(LAST, VALUES).startswith(
        "It explains 0.9775 of the variance of the test values"
    )
