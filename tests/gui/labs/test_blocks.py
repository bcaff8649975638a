"""Every kind of block, as it lies in its folder, has a widget in the window, which says what is
left to be done.
"""

import pytest

from core.labs.answers import Answers
from core.labs.blocks import KINDS
from core.labs.blocks.exercise import ExerciseBlock
from core.labs.blocks.predict import FORMS
from core.labs.package import lessons, open_lab
from core.labs.skeleton import skeleton
from gui.labs.blocks import WIDGETS, PartWidget, widget_class


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    (folder / "lab.md").write_text(skeleton(), "utf-8")
    paths = [folder, *(path for _, path in [*lessons(), *lessons("workshop")])]
    found = {}
    for lab in map(open_lab, paths):
        for part in lab.parts:
            found.setdefault(type(part), (lab, part))
    return found


@pytest.mark.parametrize(
    "kind",
    [*(kind for name, kind in KINDS.items() if name != "predict"), *FORMS],
    ids=lambda kind: kind.__name__,
)
def test_a_kind_is_shown_in_the_window(kind, examples, window, qtbot):
    lab, part = examples[kind]
    widget = widget_class(part)
    assert kind.is_shown == (kind in WIDGETS or kind.hidden == "reveal")
    if not kind.is_shown:
        return
    answers = Answers(lab)
    window.labs.runs.begin(answers)
    shown = widget(part, answers, window.labs.runs)
    qtbot.addWidget(shown)
    shown.refresh()
    assert isinstance(shown, PartWidget)
    if isinstance(part, ExerciseBlock):
        assert shown.report_text(part, answers)
    shown.finish()
