"""Loads the data sets of a study, and checks that its networks fit them before anything is trained."""

from collections.abc import Callable

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.progress import Progress
from core.studies.spec import StudySpec
from core.studies.trial import fitted
from core.training.checks import check_run

Loader = Callable[[str, Progress | None], Dataset]


def load_study_data(
    spec: StudySpec, progress: Progress | None = None, load: Loader = load_dataset
) -> dict[str, Dataset]:
    """The data sets by name, each read by `load`.

    Raises InputError where one cannot be loaded, or a run of a grid does not fit its data.
    """
    datasets = {name: load(name, progress) for name in spec.data_names()}
    for values in spec.combinations() if spec.sampler == "grid" else []:
        run, data = spec.settings_of(values)
        dataset = datasets[data]
        check_run(
            fitted(run, dataset, spec.preset is not None), dataset.input_shape, dataset.outputs, dataset.kind
        )
    return datasets
