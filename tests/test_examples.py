"""The examples in the docstrings of the functions that others start from."""

import doctest
from importlib import import_module

import pytest

MODULES = (
    "core.data.sources",
    "core.drawing.ink",
    "core.export",
    "core.inference.engine",
    "core.inference.model_file",
    "core.network.notation",
    "core.runs.plan",
    "core.training.evaluation",
    "core.training.trainer",
    "core.training.run_settings",
    "kernels.registry",
    "kernels.installation",
    "core.program",
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name):
    options = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    result = doctest.testmod(import_module(name), optionflags=options)
    assert result.attempted
    assert not result.failed
