"""The dialog that shows an operator of the program in four forms."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from core.workshop.operators import operator_forms
from gui.widgets import make
from gui.widgets.basics import scroll_area
from gui.widgets.dialogs import Dialog
from gui.workshop.editor import CodeView


class OperatorDialog(Dialog):
    """An operator in four forms, side by side. `name`: as devices name it; `title`: as the window
    does.
    """

    def __init__(self, name: str, title: str, parent: QWidget) -> None:
        text = self.tr(
            "No card is needed to read them. Exercises 11 to 20 of the Workshop lead from the "
            "first to the last."
        )
        super().__init__(
            parent, self.tr("{title}: how it is computed").format(title=title), sentence=text
        )
        forms = operator_forms(name)
        # A formula may hold “<”, which would begin HTML.
        formula = make.label(
            forms.pop("formula", ""), "operatorFormula", selectable=True, plain=True
        )
        area = scroll_area(formula)
        area.setMaximumHeight(150)
        titles = {
            "reference": self.tr("Reference: a plain loop on the processor"),
            "ladder": self.tr("First kernel: one thread for each element"),
            "kernel": self.tr("The kernel that the program trains with"),
        }
        columns = QSplitter(Qt.Orientation.Horizontal)
        for form, source in forms.items():
            column = QWidget()
            view = CodeView(f"operator-{form}", titles[form], source)
            make.column(make.label(titles[form], role="heading"), (view, 1), owner=column)
            columns.addWidget(column)
        self.show_parts(area, (columns, 1), size=(1240, 680))
