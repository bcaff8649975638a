"""The document on operators is a program that runs."""

import re
from pathlib import Path

TUTORIAL = Path(__file__).parents[2] / "docs" / "operators.md"


def test_the_tutorial_runs_as_it_is_written():
    names: dict = {}
    blocks = re.findall(r"```python\n(.*?)```", TUTORIAL.read_text("utf-8"), re.S)
    assert len(blocks) > 3
    for block in blocks:
        exec(compile(block, str(TUTORIAL), "exec"), names)
