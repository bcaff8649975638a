"""Settings from texts: what a person may type, and the one sentence for what they may not."""

import pytest

from core.errors import InputError
from core.text import format_bytes
from core.training.run import Run


@pytest.mark.parametrize(("values", "sentence"), [
    ({"epochs": "ten"}, "--epochs ten: must be a whole number"),
    ({"epochs": "1" + "0" * 400}, "must be a finite number"),
    ({"learning_rate": "inf"}, "--learning-rate inf: must be a finite number"),
    ({"learning_rate": "0,1"}, "write the decimal point as a point: 0.1"),
    ({"learning_rate": "0"}, "must be more than 0"),
    ({"group": 10**30}, "must be at least 1 and at most 65,536"),
    ({"patience": 3}, "give --validation a share"),
    ({"workers": 4, "group": 2}, "give --group 4"),
])  # fmt: skip
def test_what_cannot_be_trained_is_refused_in_a_sentence(values, sentence):
    with pytest.raises(InputError, match=sentence):
        Run(**values)


@pytest.mark.parametrize(("count", "words"), [
    (0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (999_400_000, "999 MB"), (999_600_000, "1 GB"),
    (2.5e15, "2,500.0 TB"),
])  # fmt: skip
def test_an_amount_of_memory_is_written_with_three_digits(count, words):
    assert format_bytes(count) == words
