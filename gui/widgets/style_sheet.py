"""The style sheet: the looks that the Fusion style and the palette do not cover."""

from gui.widgets.colours import Colours
from gui.widgets.icons import ICONS


def style_sheet(c: Colours) -> str:
    return f"""
QToolTip {{ color: {c.text}; background: {c.raised}; border: 1px solid {c.line}; padding: 4px; }}
QLabel[role="heading"] {{ font-weight: 600; color: {c.text}; }}
QLabel[role="muted"] {{ color: {c.muted}; }}
QLabel[role="error"] {{ color: {c.bad}; }}
QSpinBox, QComboBox, QLineEdit {{ min-height: 20px; }}
QLineEdit[wrong="true"], QSpinBox[wrong="true"] {{
    border: 1px solid {c.bad}; border-radius: 3px; padding: 2px;
}}
QCheckBox::indicator {{
    width: 13px; height: 13px; border: 1px solid {c.muted}; border-radius: 3px; background: {c.base};
}}
QCheckBox::indicator:hover, QCheckBox::indicator:focus {{ border-color: {c.accent}; }}
QCheckBox::indicator:checked {{
    background: {c.accent}; border-color: {c.accent}; image: url("{(ICONS / c.tick).as_posix()}");
}}
QCheckBox::indicator:checked:focus {{ border-color: {c.text}; }}
QCheckBox::indicator:disabled {{ background: {c.window}; border-color: {c.line}; }}
QCheckBox::indicator:checked:disabled {{ background: {c.muted}; border-color: {c.muted}; }}
QCheckBox:disabled {{ color: {c.muted}; }}
QPushButton[role="primary"] {{
    background: {c.accent}; color: {c.on_accent}; border: 1px solid {c.accent}; border-radius: 4px;
    padding: 6px 14px; font-weight: 600;
}}
QPushButton[role="primary"]:hover {{ border-color: {c.text}; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {c.text}; padding: 5px 13px; }}
QPushButton[role="primary"]:disabled {{ background: {c.line}; color: {c.muted}; border-color: {c.line}; }}
QPushButton[role="obstacle"] {{ border: 1px solid transparent; border-radius: 3px; background: transparent; }}
QPushButton[role="obstacle"]:hover, QPushButton[role="obstacle"]:focus {{ border-color: {c.bad}; }}
QSplitter::handle {{ background: {c.window}; }}
QSplitter::handle:hover {{ background: {c.line}; }}
QStatusBar {{ border-top: 1px solid {c.line}; }}
QStatusBar::item {{ border: none; }}
QHeaderView::section {{
    background: {c.window}; color: {c.muted}; border: none; border-bottom: 1px solid {c.line};
    padding: 3px 6px;
}}
QTableView {{ border: 1px solid {c.line}; border-radius: 3px; gridline-color: {c.line}; }}
QFrame#banner {{ border-radius: 4px; }}
QFrame#banner[tone="info"] {{ background: {c.info_back}; border: 1px solid {c.accent}; }}
QFrame#banner[tone="good"] {{ background: {c.good_back}; border: 1px solid {c.good}; }}
QFrame#banner[tone="bad"] {{ background: {c.bad_back}; border: 1px solid {c.bad}; }}
QProgressBar {{
    border: 1px solid {c.line}; border-radius: 3px; background: {c.base}; text-align: center;
    max-height: 14px;
}}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 2px; }}
"""
