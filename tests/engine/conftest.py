"""A real cluster of two processes on this machine."""

import pytest

# Where many tests run side by side, processes may take their time to start.
PATIENT = {"distributed.comm.timeouts.connect": "180s", "distributed.comm.timeouts.tcp": "180s"}


@pytest.fixture(scope="module")
def client():
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(PATIENT),
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
