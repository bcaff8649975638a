"""The text of a study says what was put into it."""

from pathlib import Path

import pytest

from core.studies.spec import Range, StudyDraft, parse_study, read_study
from core.training.presets import PRESETS
from core.training.run_settings import RunSettings

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_text_of_a_draft_is_read_back(preset):
    run = preset.settings.change(validation=0.2)
    draft = StudyDraft('a (1)', run, 'C:\\new "data"', "cuda:1", "grid", 0, True, 7,
                       {"seed": [1, 2], "activation": ["tanh"], "nesterov": [True, False]})  # fmt: skip
    spec = parse_study(draft.text(), "other")
    assert (spec.name, spec.data, spec.device, spec.prune, spec.seed) == (
        draft.name,
        draft.data,
        "cuda:1",
        True,
        7,
    )
    assert spec.settings.change(activation="tanh", seed=1) == run.change(activation="tanh", seed=1)
    assert spec.runs == 4
    assert spec.combinations()[0] == {"seed": 1, "activation": "tanh", "nesterov": True}


def test_ranges_and_data_are_read_back():
    vary = {"data": ["mnist", "fashion"], "learning_rate": {"from": 1e-5, "to": 0.1, "log": True}}
    spec = parse_study(
        StudyDraft("a", RunSettings(), "builtin", "auto", "tpe", 9, False, 0, vary).text(), "a"
    )
    assert spec.data_names() == ["mnist", "fashion"]
    assert spec.vary["learning_rate"] == Range(1e-5, 0.1, True, False)
    assert (spec.sampler, spec.runs, spec.settings.validation) == ("tpe", 9, 0.1)


@pytest.mark.parametrize(
    "path", sorted((ROOT / "resources" / "studies").glob("*.toml")), ids=lambda path: path.stem
)
def test_shipped_studies_can_be_read(path):
    assert read_study(path).runs > 1
