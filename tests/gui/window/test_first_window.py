"""The window at the first start, on the screens that people have."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.limits import SECONDS

ROOT = Path(__file__).parents[3]
PROGRAM = """
from gui.window.application import run_window

def tell(window):
    page = window.page
    print(window.isMaximized(), page.stage.isVisible(), page.welcome.isVisible())
    window.close()

run_window(["digitlab"], tell)
"""


@pytest.mark.parametrize(
    ("screen", "is_whole"),
    [
        ((1280, 720), True),
        ((1366, 768), True),
        ((1600, 900), True),
        ((1920, 1080), True),
        ((2560, 1440), False),
    ],
)
def test_the_first_window_has_room_for_the_network_and_the_lessons(tmp_path, screen, is_whole):
    width, height = screen
    screens = {
        "screens": [
            {
                "name": "screen",
                "x": 0,
                "y": 0,
                "width": width,
                "height": height,
                "logicalDpi": 96,
                "dpr": 1,
            }
        ]
    }
    (tmp_path / "screens.json").write_text(json.dumps(screens), "utf-8")
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen:configfile=screens.json",
        "DIGITLAB_HOME": str(tmp_path / "home"),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    assert done.stdout.split() == [str(is_whole), "True", "True"]
