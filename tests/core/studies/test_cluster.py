"""Studies on a Dask cluster in this process."""

import pytest

from core.errors import InputError
from core.runs.library import RunLibrary
from tests.core.studies.conftest import table_of

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # those of Dask
def test_cluster_gives_the_same_table_as_this_process(train_study, points):
    from core.studies.cluster import ClusterExecutor

    here = train_study(name="here")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
    ) as cluster:
        there = train_study(
            name="there", executor=ClusterExecutor(cluster.scheduler_address, {"points": points})
        )
    assert there.is_complete
    assert table_of(there) == table_of(here)
    assert {run.run for run in there.runs} <= {entry.id for entry in RunLibrary().entries()}


def test_address_without_scheduler_is_refused(monkeypatch):
    from core.studies import cluster

    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="No Dask scheduler answers at"):
        cluster.ClusterExecutor("tcp://127.0.0.1:9", {})
