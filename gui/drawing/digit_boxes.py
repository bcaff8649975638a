"""The boxes that the canvas draws around the digits of a number."""

from PySide6.QtCore import QCoreApplication, QLocale, QRectF

from gui.drawing.recognizer import Recognition


def captioned_boxes(recognition: Recognition, locale: QLocale) -> tuple[tuple[QRectF, str], ...]:
    """The box of each digit of a number, in pixels of the document, with the digit and its probability."""
    if recognition.number is None:
        return ()
    text = QCoreApplication.translate("DigitBoxes", "{digit} {percent} %")
    boxes = []
    for digit in recognition.number.digits:
        percent = locale.toString(round(100 * digit.confidence))
        caption = text.format(digit=recognition.classes[digit.best], percent=percent)
        if digit.refused:
            caption = QCoreApplication.translate("DigitBoxes", "no digit")
        boxes.append((QRectF(digit.box.left, digit.box.top, digit.box.width, digit.box.height), caption))
    return tuple(boxes)
