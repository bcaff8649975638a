"""Loads the data sets of a study, and checks that its networks fit them before anything is trained."""

from collections.abc import Callable, Iterator

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.network.network import Network
from core.network.notation import hidden_layers_note
from core.progress import Progress
from core.studies.spec import StudySpec
from core.studies.trial import fitted
from core.training.checks import check_run
from core.training.presets import check_preset

Loader = Callable[[str, Progress | None], Dataset]


def load_study_data(
    spec: StudySpec, progress: Progress | None = None, load: Loader = load_dataset
) -> dict[str, Dataset]:
    """The data sets by name, each read by `load`.

    Raises InputError where one cannot be loaded, or the preset or a run of a grid does not fit its data.
    """
    datasets = {name: load(name, progress) for name in spec.data_names()}
    if spec.preset is not None:
        for name, dataset in datasets.items():
            check_preset(spec.preset, name, dataset.kind, spec.own_network)
    for _ in _iter_networks(spec, datasets):
        pass
    return datasets


def doubtful_networks(spec: StudySpec, datasets: dict[str, Dataset]) -> list[str]:
    """How the networks of a grid are read that were probably meant otherwise, a sentence for each."""
    notes = (hidden_layers_note(text, network) for text, network in _iter_networks(spec, datasets))
    return list(dict.fromkeys(str(note) for note in notes if note is not None))


def _iter_networks(spec: StudySpec, datasets: dict[str, Dataset]) -> Iterator[tuple[str, Network]]:
    """Text and network of each run of a grid. Raises InputError for one that does not fit its data."""
    for values in spec.combinations() if spec.sampler == "grid" else []:
        run, data = spec.settings_of(values)
        dataset = datasets[data]
        run = fitted(run, dataset, not spec.own_network)
        yield run.network, check_run(run, dataset.input_shape, dataset.outputs, dataset.kind)
