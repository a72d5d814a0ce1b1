"""Where work runs changes nothing of what comes of it."""

import socket
import sys
from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest

import mohs
from mohs.analysis.formulations import experiment
from mohs.cli import main
from mohs.errors import InputError
from mohs.parallel import each

# Dask looks for an address that others could reach; where there is no network, it
# says that it found none.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Couldn't detect a suitable IP address:RuntimeWarning"
)


def protocol() -> str:
    """Return how workers are talked to: not even a loopback may be there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        try:
            socket.create_connection(server.getsockname()).close()
        except OSError:
            return "inproc"
    return "tcp"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start a cluster of two workers in this process."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol=protocol(),
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster.scheduler_address


def table() -> pl.DataFrame:
    random = np.random.default_rng(0)
    rows = [
        (system, topic, wording, "AP", random.random())
        for system in "abc"
        for topic in "12345"
        for wording in "xyz"
    ]
    names = ["system", "topic", "formulation", "measure", "value"]
    return pl.DataFrame(rows, names, orient="row")


def test_tasks_keep_their_order(address: str) -> None:
    numbers = [*range(-20, 0)]
    assert [*each(abs, numbers, cluster=address)] == [*map(abs, numbers)]


def test_a_cluster_gives_the_same_bytes(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"permutations": 100, "replicates": 3, "null": "independent"}
    here = mohs.formulations(table(), **options)
    monkeypatch.setattr(experiment, "PORTION", 30)
    there = mohs.formulations(table(), **options, dask=address)
    for name, one in here.tables().items():
        other = there.tables()[name].to_polars()
        assert one.to_polars().write_csv() == other.write_csv()


def test_what_fails_on_a_cluster_fails_here(address: str) -> None:
    with pytest.raises(TypeError):
        list(each(abs, ["1"], cluster=address))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'mohs\[dask\]'"):
        list(each(abs, [1], cluster="tcp://127.0.0.1:1"))


def test_an_address_that_is_none_is_a_mistake(
    capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    path = f"{tmp_path}/scores.csv"
    table().write_csv(path)
    assert main(["formulations", path, "--dask", "nowhere://x"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("mohs: --dask nowhere://x: no cluster answers")
