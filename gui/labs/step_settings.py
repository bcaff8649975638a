"""What a lab sets: the settings in force at a step, and which of them the form shows."""

from PySide6.QtCore import QObject, Signal

from core.labs.answers import Answers
from core.labs.blocks.setup import SetupBlock
from core.labs.lab import Lab, Parts


class StepSettings(QObject):
    """`setup_asked(plan)`: show these settings. `controls_asked(names)`: of which settings the fields are shown; None:
    of all. `tab_asked(name)`, `model_asked(path)`: show a tab, open a model. `stage_asked(on)`: show drawing and
    network above the curve, or the curve alone."""

    setup_asked = Signal(object)
    controls_asked = Signal(object)
    tab_asked = Signal(str)
    model_asked = Signal(object)
    stage_asked = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._controls: tuple[str, ...] = ()

    def set_up_experiment(self, lab: Lab) -> None:
        """Show what an experiment file holds: settings, text, tab, model."""
        for part in lab.parts.setups:
            self.setup_asked.emit(lab.located(part.setup.plan_of("")))
            if part.model and lab.folder is not None:
                self.model_asked.emit(lab.folder / part.model)
            if part.tab:
                self.tab_asked.emit(part.tab)

    def set_up(self, answers: Answers, shows_all: bool) -> None:
        """Set what the step sets: the settings in force at its end, and the controls that it shows."""
        lab = answers.lab
        here = answers.shown_step.parts
        before = Parts(part for step in lab.steps[: answers.step + 1] for part in step.parts)
        last = [SetupBlock(0), *before.setups][-1]
        if sets_something(lab):
            self.setup_asked.emit(lab.located(last.setup.plan_of(answers.name)))
        has_task = any(part.is_task for part in here.trained)
        self._controls = last.setup.controls if has_task else ()
        self.ask_controls(shows_all)
        self.stage_asked.emit(last.tab == "training")
        if last.tab and last in here:
            self.tab_asked.emit(last.tab)

    def ask_controls(self, shows_all: bool) -> None:
        """Show the fields of all settings, or those of the step."""
        self.controls_asked.emit(None if shows_all else self._controls)

    def offers(self, shows_all: bool) -> bool:
        """Whether the form offers any setting."""
        return shows_all or bool(self._controls)


def sets_something(lab: Lab) -> bool:
    """Whether the lab sets something: one that only asks for kernels does not."""
    return bool(lab.parts.setups) or not lab.parts.kernels
