"""The text of a study says what was put into it."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.runs.plan import RunPlan
from core.studies.spec import MAX_VALUES, parse_study, read_study, study_text
from core.training.presets import PRESETS
from core.training.run_settings import RunSettings

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_text_of_a_study_is_read_back(preset):
    plan = RunPlan(preset.settings.change(validation=0.2), 'C:\\new "data"', "cuda:1")
    vary = {"seed": [1, 2], "activation": ["tanh"], "nesterov": [True, False]}
    spec = parse_study(study_text("a (1)", plan, vary), "other")
    assert (spec.name, spec.plan.data, spec.plan.device) == ("a (1)", plan.data, "cuda:1")
    changes = {"activation": "tanh", "seed": 1}
    assert spec.plan.settings.change(**changes) == plan.settings.change(**changes)
    assert spec.runs == 4
    assert spec.combinations()[0] == {"seed": 1, "activation": "tanh", "nesterov": True}


def test_ranges_and_data_are_read_back():
    vary = {
        "data": ["mnist", "fashion"],
        "learning_rate": {"from": 1e-3, "to": 0.1, "log": True, "count": 3},
    }
    spec = parse_study(study_text("a", RunPlan(RunSettings()), vary), "a")
    assert spec.data_names() == ["mnist", "fashion"]
    assert spec.vary["learning_rate"] == (0.001, 0.01, 0.1)
    assert (spec.runs, spec.plan.settings.validation) == (6, 0.1)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "resources" / "studies").glob("*.toml")), ids=lambda path: path.stem
)
def test_shipped_studies_can_be_read(path):
    assert read_study(path).runs > 1


def test_as_many_values_as_allowed_are_read_back():
    most = study_text("a", RunPlan(RunSettings()), {"seed": list(range(MAX_VALUES))})
    assert parse_study(most, "a").runs == MAX_VALUES
    with pytest.raises(InputError, match=f"give a list of 1 to {MAX_VALUES} values"):
        parse_study(
            study_text("a", RunPlan(RunSettings()), {"seed": list(range(MAX_VALUES + 1))}), "a"
        )


def test_what_a_study_leaves_out_has_its_default():
    spec = parse_study("[vary]\nbatch_size = [10, 20]\n", "a")
    assert spec.name == "a"
    assert (spec.plan.data, spec.plan.device) == ("builtin", "auto")


def test_a_file_of_an_earlier_version_that_is_a_grid_is_read():
    text = 'sampler = "grid"\nprune = false\nseed = 0\n[vary]\nbatch_size = [10, 20]\n'
    assert parse_study(text, "a").runs == 2
