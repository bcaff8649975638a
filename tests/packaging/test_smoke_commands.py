"""The commands of the smoke test, with the program from its sources."""

import os
import sys
from importlib.util import find_spec

import pytest
from contents import ROOT
from smoke_commands import CommandFailedError, try_commands


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("onnx"), reason="onnx is not installed")
def test_the_commands_of_the_smoke_test_work(tmp_path):
    try_commands([sys.executable, str(ROOT / "main.py")], tmp_path / "work", dict(os.environ))


def test_a_program_that_fails_is_reported(tmp_path):
    with pytest.raises(CommandFailedError, match="classify"):
        try_commands([sys.executable, "-c", "import sys; sys.exit(3)"], tmp_path, dict(os.environ))
