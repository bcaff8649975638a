"""The keys of the window are in the manual."""

from PySide6.QtGui import QAction, QKeySequence, QShortcut

from core.program import FOLDER


def test_every_key_of_the_window_is_in_the_manual(window):
    manual = (FOLDER / "docs" / "manual.md").read_text("utf-8")
    portable = QKeySequence.SequenceFormat.PortableText
    keys = {
        key.toString(portable)
        for action in window.findChildren(QAction)
        for key in action.shortcuts()
    }
    keys |= {shortcut.key().toString(portable) for shortcut in window.findChildren(QShortcut)}
    assert len(keys) > 30
    assert sorted(key for key in keys if key not in manual) == []
