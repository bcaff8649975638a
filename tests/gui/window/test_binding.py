"""The pinned versions of Qt's binding do not lose what Python counts on."""

import sys

import pytest
from PySide6.QtWidgets import QWidget


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_redrawing_does_not_leak_references_to_none(qtbot):
    """PySide6 6.12.0 lost one at each call that returns nothing, and ended after about a thousand
    redraws.
    """
    widget = QWidget()
    qtbot.addWidget(widget)
    before = sys.getrefcount(None)
    for _ in range(1000):
        widget.update()
    assert sys.getrefcount(None) > before - 500
