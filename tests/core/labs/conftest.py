"""A lab with small data of its own, and persons who work through it."""

import pytest

from core.labs.package import open_lab
from core.labs.trial import DataSets
from tests.core.labs.sample import write_sample


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The folder of the lab; not to be changed."""
    return write_sample(tmp_path_factory.mktemp("labs") / "sample")


@pytest.fixture(scope="session")
def lab(folder):
    return open_lab(folder)


@pytest.fixture(scope="session")
def data(lab):
    return DataSets(lab.folder)
