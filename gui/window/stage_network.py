"""Which network the stage shows: the one that reads drawings, or the one of the settings."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from gui.settings.network_editor import NetworkEditor
from gui.stage.stage import Stage
from gui.training.session import Session, State
from gui.training.tab import TrainingTab


class StageNetwork(QObject):
    """Lets the stage show the network that reads drawings, or show and edit that of the settings.

    That of the settings is shown once a run was made, the network was changed, or a layer was chosen on the stage.
    During a run it cannot be edited, and is shown until the first parameters of the run arrive.
    """

    def __init__(
        self, stage: Stage, editor: NetworkEditor, training: TrainingTab, session: Session, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._stage = stage
        self._editor = editor
        self._training = training
        self._session = session
        self._first_text = ""  # of the settings' network at the start
        self._has_parameters = False  # of the run
        self._has_own = False  # whether that of the settings has been another since, or was asked for
        stage.layer_activated.connect(self._on_layer)
        stage.edited.connect(editor.edit.setText)
        stage.edits.check = editor.check
        training.shown_changed.connect(self.refresh)
        session.state_changed.connect(self._on_state)
        session.snapshot.connect(self._on_parameters)

    def refresh(self) -> None:
        """The settings, the run that is shown or the state of the session have changed."""
        network = self._editor.network
        text = network.text if network else ""
        self._first_text = self._first_text or text
        self._has_own = self._has_own or self._training.has_shown or text != self._first_text
        self._show()

    def remember(self) -> Callable[[], None]:
        """A function that lets the stage show again which of the two it shows now."""
        has_own = self._has_own

        def put_back() -> None:
            self._has_own = has_own
            self._show()

        return put_back

    def _on_state(self, state: State) -> None:
        if state is State.IDLE:
            self._has_parameters = False
        self.refresh()

    def _on_parameters(self) -> None:
        if not self._has_parameters:
            self._has_parameters = True
            self._show()

    def _on_layer(self, layer: int) -> None:
        """A layer was chosen on the stage, so the network is to be edited."""
        if self._session.state is State.IDLE:
            self._has_own = True
            self._show()

    def _show(self) -> None:
        is_run = self._session.state is not State.IDLE
        is_shown = self._has_own and not (is_run and self._has_parameters)
        network = self._editor.network if is_shown else None
        self._stage.scene.set_locked(is_run)
        self._stage.scene.set_network(network, self._editor.default_activations())
