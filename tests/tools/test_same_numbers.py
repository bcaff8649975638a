"""The comparison of two checkouts says with which code this processor sums."""

import sys
from pathlib import Path

from kernels.host import blas_family
from tools import same_numbers

ROOT = str(Path(__file__).parents[2])


def test_the_family_of_processors_is_named_before_the_table(monkeypatch, capfd):
    monkeypatch.setattr(same_numbers, "CASES", {"small": "--network 784-4-10 --learning-rate 0.1"})
    monkeypatch.setattr(sys, "argv", ["same_numbers", ROOT, ROOT, "--device", "sequential"])
    assert same_numbers.main() == 0
    first, row = capfd.readouterr().out.splitlines()
    assert blas_family() in first
    assert row.split() == ["sequential", "small", "parameters", "equal"]
