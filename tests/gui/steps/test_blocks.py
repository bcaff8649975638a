"""What the band shows of a step, for every kind of run: the numbers are those of the step."""

import pytest
from PySide6.QtGui import QTextDocument

from core.data.sources import load_dataset
from core.inference.engine import Engine
from core.runs.plan import RunContext, RunPlan
from core.training.optimizers import OPTIMIZERS
from core.training.records import EPOCH_COLUMNS, EpochDone
from core.training.run_settings import RunSettings
from gui.stage.sheet import Sheet
from gui.steps.blocks import CHANGE, first_weight, weight_at, write_station
from gui.steps.page import look, look_at
from gui.text import number
from tests.core.inspection.test_one_step import CONVOLUTION, DENSE, OneStep, trained

RUNS = [
    *(("builtin", {"network": DENSE, "optimizer": name}) for name in OPTIMIZERS),
    ("builtin", {"network": CONVOLUTION, "optimizer": "adam", "l2": 0.01}),
    ("builtin", {"network": "10", "l1": 0.01}),
    ("builtin", {"network": DENSE, "loss": "squared-error", "activation": "sigmoid"}),
    ("rastrigin:20", {"network": "2-16-1", "activation": "tanh"}),
]


@pytest.mark.parametrize(("source", "values"), RUNS, ids=str)
def test_each_station_shows_the_numbers_of_the_step(qtbot, drawn_digits, source, values):
    data = load_dataset(source)
    plan = RunPlan(RunSettings(batch_size=20, **values), source)
    network = plan.network(data.input_shape, data.outputs, data.kind)
    record = trained(plan.settings, data, 2, look=True)[-1]
    context = RunContext(plan, data, network, (), "")
    step = OneStep(record.seen, context.model(record.checkpoint, None))
    engine = Engine(step.before)
    looked = look(step, None, engine)
    other = look_at(looked, 3, engine)
    engine.close()
    assert other.said is looked.said
    assert other.image == 3
    weight = first_weight(looked)
    numbers = dict.fromkeys(EPOCH_COLUMNS, 0.0) | {"epoch": 1, "test_score": 0.5}
    test = EpochDone(**numbers, checkpoint=record.checkpoint)
    for station in range(4):
        document = QTextDocument()
        document.setHtml(write_station(looked, station, weight, test, Sheet(1.0)))
        words = " ".join(document.toPlainText().split())
        if station == CHANGE:
            assert f"{number(weight.change.after)} new weight" in words
            score = "50.00 %" if looked.step.before.classes else "0.5"
            assert f"and the test, after epoch 1 {score}" in words
            for term in weight.change.terms:
                assert f"{number(term.value)} {term.caption}" in words
    for position, links in enumerate(looked.then.links):
        if links is not None and len(links.contributions):
            taken = weight_at(looked, position, 0)
            assert taken.position == position
            assert taken.line.targets[0] == links.targets[0]
