import numpy as np
from PySide6.QtGui import QImage, QPalette

from gui.drawing.prediction import ProbabilityBars


def test_a_full_bar_does_not_touch_its_number(qtbot):
    bars = ProbabilityBars()
    qtbot.addWidget(bars)
    bars.resize(300, bars.sizeHint().height())
    bars.show_probabilities(tuple("0123456789"), np.eye(10)[0])
    image = bars.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)[
        : bars._row_height(), :143
    ]
    accent = bars.palette().color(QPalette.ColorRole.Accent).rgb()
    end = np.flatnonzero((pixels == accent).any(axis=0)).max()
    ground = pixels[0, -1]
    number = np.flatnonzero((pixels[:, end + 1 :] != ground).any(axis=0))
    assert number.min() >= 5
