"""Where work runs: here, one task ahead in a thread, or on a Dask cluster."""

from __future__ import annotations

import threading
import warnings
from collections import deque
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mohs.errors import InputError, MohsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

S = TypeVar("S")
T = TypeVar("T")


class _Task(threading.Thread, Generic[T]):
    """A call that goes on in a thread, for work that sets the interpreter free."""

    def __init__(self, call: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self._outcome: list[T] = []
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Make the call and keep what came of it."""
        try:
            self._outcome.append(self._call())
        except BaseException as error:  # noqa: BLE001 (raised where it is waited for)
            self._error = error

    def result(self) -> T:
        """Wait for the call to end."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._outcome[0]


def one_ahead(
    calls: Sequence[Callable[[], T]], stop: Callable[[], None]
) -> Iterator[T]:
    """Yield the result of each call, while the next one is already under way.

    Parameters
    ----------
    calls
        What to do, in order; a single call is made right here.
    stop
        Makes a call under way end soon, for when nobody wants its result any more.

    Examples
    --------
    >>> list(one_ahead([lambda: 1, lambda: 2, lambda: 3], stop=lambda: None))
    [1, 2, 3]
    """
    if len(calls) == 1:
        yield calls[0]()
        return
    following = iter(calls)
    task: _Task[T] | None = None
    try:
        call = next(following, None)
        task = _Task(call) if call else None
        while task:
            outcome = task.result()
            call = next(following, None)
            task = _Task(call) if call else None
            yield outcome
    finally:
        if task and task.is_alive():
            stop()
            task.join()


def each(
    call: Callable[..., T],
    tasks: Iterable[S],
    *,
    cluster: str | None = None,
    given: tuple[object, ...] = (),
) -> Iterator[T]:
    """Yield what a call makes of every task, in their order.

    Parameters
    ----------
    call
        A function of a module, which depends on nothing but what it is given.
    tasks
        What to call it with; here, one is taken after the other.
    cluster
        The address of the scheduler of a Dask cluster that does all of them, instead.
    given
        What it is called with before each task; a cluster is sent it once.

    Raises
    ------
    InputError
        If there is no cluster, or it breaks down.

    Examples
    --------
    >>> list(each(abs, [-1, 2]))
    [1, 2]
    >>> list(each(pow, [3, 4], given=(2,)))
    [8, 16]
    """
    if cluster is None:
        yield from map(partial(call, *given), tasks)
        return
    yield from _on_cluster(call, list(tasks), cluster, given)


def _on_cluster(
    call: Callable[..., T], tasks: list[S], address: str, given: tuple[object, ...]
) -> Iterator[T]:
    try:
        from distributed import Client
    except ImportError:
        raise InputError(
            "--dask needs the package distributed: pip install 'mohs[dask]'"
        ) from None
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise InputError(f"--dask {address}: no cluster answers ({error})") from None
    with client, _in_words(address):
        # A result, unlike data that is sent, is made again where it was lost.
        held = [_submit(client.submit, _same, each) for each in given]
        repeated = [[each] * len(tasks) for each in held]
        futures = deque(_submit(client.map, call, *repeated, tasks))
        while futures:
            # What nobody holds on to any more, the cluster forgets.
            yield futures.popleft().result()


def _submit(way: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 (untyped)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")
        return way(*arguments, pure=False)


def _same(value: T) -> T:
    return value


@contextmanager
def _in_words(address: str) -> Iterator[None]:
    """Say what became of a cluster; what a call itself got wrong is passed on."""
    from distributed import KilledWorker

    try:
        yield
    except MohsError:
        raise
    except KilledWorker:
        raise InputError(
            f"--dask {address}: workers die of this work again and again; give them"
            " more memory, or fewer threads each"
        ) from None
    except CancelledError:
        raise InputError(
            f"--dask {address}: the cluster was lost; start again when it is back"
        ) from None
    except ImportError as error:
        raise InputError(
            f"--dask {address}: a worker lacks a package ({error}); install there what"
            " is installed here"
        ) from None
    except OSError as error:
        raise InputError(f"--dask {address}: a worker failed ({error})") from None
