"""Settings from texts: the error for each value that is not allowed, and how errors are written."""

import pytest

from core.commands.console import option_of
from core.errors import MAX_VALUE_LENGTH, InputError
from core.text import format_bytes
from core.training.records import parse_rate_changes
from core.training.run_settings import BY_NAME, DEFAULT_VALIDATION, SETTINGS, RunSettings

WRONG = [
    ({"epochs": "ten"}, "--epochs ten: must be a whole number"),
    ({"epochs": "1" + "0" * 400}, "must be a finite number"),
    ({"learning_rate": "inf"}, "--learning-rate inf: must be a finite number"),
    ({"learning_rate": "0,1"}, "write the decimal point as a point: 0.1"),
    ({"learning_rate": "0"}, "must be more than 0"),
    ({"group": 10**30}, "must be at least 1 and at most 65,536"),
    ({"rate_changes": "300"}, "--rate-changes 300: write a step, a colon and the rate"),
    ({"rate_changes": "5:0.1, 3:-1"}, "--rate-changes 3:-1: write a step"),
    ({"workers": 4, "group": 2}, "set --group to 4"),
]


@pytest.mark.parametrize(("values", "sentence"), WRONG)
def test_a_wrong_value_is_refused_with_the_name_of_its_setting(values, sentence):
    with pytest.raises(InputError) as caught:
        RunSettings(**values)
    assert caught.value.setting == next(iter(values))
    assert sentence in caught.value.format(option_of)


def test_core_knows_no_option():
    for values, _ in WRONG:
        with pytest.raises(InputError) as caught:
            RunSettings(**values)
        assert "--" not in str(caught.value)
        assert BY_NAME[caught.value.setting].label in caught.value.format(
            lambda name: BY_NAME[name].label
        )


@pytest.mark.parametrize(
    "value", ["x" * 300_000, 10**3000, ["y" * 300_000], ValueError("z" * 300_000)]
)
def test_a_message_repeats_no_long_input(value):
    text = str(InputError("{value} is wrong", value=value))
    assert len(text) <= MAX_VALUE_LENGTH + len(" is wrong")


def test_long_texts_given_as_settings_are_shortened():
    for setting in SETTINGS:
        if setting.kind in ("number", "integer", "choice"):
            with pytest.raises(InputError) as caught:
                RunSettings(**{setting.name: "x" * 10_000})
            assert len(str(caught.value)) < 2 * MAX_VALUE_LENGTH


def test_patience_sets_a_validation_split_unless_there_is_one():
    assert RunSettings(patience=3).validation == DEFAULT_VALIDATION
    assert RunSettings(patience=3, validation=0.25).validation == 0.25
    assert RunSettings().validation == 0


def test_all_changes_of_the_rate_are_kept_and_too_many_refused():
    text = ", ".join(f"{step}:0.01" for step in range(1500))
    assert len(parse_rate_changes(RunSettings(rate_changes=text).rate_changes)) == 1500
    with pytest.raises(InputError, match="100,001 changes are too many, at most 100,000"):
        parse_rate_changes("1:0.1," * 100_001)


def test_changes_of_the_rate_are_read_in_any_order_and_written_in_one():
    settings = RunSettings(rate_changes="600:schedule,  300:0.010")
    assert settings.rate_changes == "300:0.01, 600:schedule"
    assert RunSettings(rate_changes=settings.rate_changes) == settings


def test_the_defaults_are_valid_and_every_choice_has_a_title():
    assert RunSettings().as_dict() == {setting.name: setting.default for setting in SETTINGS}
    for setting in SETTINGS:
        for choice in setting.choices:
            assert setting.choices[choice]
            assert getattr(RunSettings(**{setting.name: choice}), setting.name) == choice


@pytest.mark.parametrize(("count", "words"), [
    (0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (999_400_000, "999 MB"), (999_600_000, "1 GB"),
    (2.5e15, "2,500.0 TB"),
])  # fmt: skip
def test_an_amount_of_memory_is_written_with_three_digits(count, words):
    assert format_bytes(count) == words
