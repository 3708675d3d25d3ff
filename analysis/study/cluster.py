"""A crew of dask workers, on any number of machines.

The workers write their shards themselves, so that only receipts travel. When a worker dies, the
scheduler gives its shard to another one.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trull.analysis.study.crews import Receipts, make
from trull.analysis.study.error import StudyError
from trull.analysis.study.manifest import Receipt, data_name
from trull.analysis.study.shards import Work

if TYPE_CHECKING:
    from distributed import Client

_PATIENCE = 10  # seconds to wait for the scheduler


def cluster(work: Work[Any], shards: Sequence[int], scheduler: str) -> Receipts:
    """Make the shards on the workers of a dask scheduler.

    Args:
        work: the work.
        shards: the numbers of the shards.
        scheduler: the address, such as `tcp://10.0.0.1:8786`.

    Raises `StudyError` when the scheduler does not answer, when versions differ, when the folder
    is not the same on all machines, or when a shard was given up because its workers died one
    after the other.
    """
    client = _connected(scheduler)
    try:
        yield from _receipts(client, work, shards)
    finally:
        client.close()


def _connected(scheduler: str) -> Client:
    try:
        from distributed import Client
        from distributed.comm.addressing import parse_address
        from distributed.comm.registry import get_backend
    except ImportError as error:
        raise StudyError("--scheduler needs dask; install 'trull[cluster]'") from error
    # What goes wrong is said here, in one sentence.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        get_backend(parse_address(scheduler)[0])
        return Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise StudyError(f"{scheduler}: no dask scheduler answers there: {error}") from error


def _receipts(client: Client, work: Work[Any], shards: Sequence[int]) -> Receipts:
    from distributed import CancelledError, KilledWorker, as_completed

    if not client.scheduler_info()["workers"]:
        print("waiting for workers ...", file=sys.stderr, flush=True)
    futures = [client.submit(make_checked, work, shard, pure=False) for shard in shards]
    try:
        for future in as_completed(futures, loop=client.loop):
            receipt = Receipt(*future.result())
            future.release()
            _check_shared(work, receipt)
            yield receipt
    except KilledWorker as error:
        raise StudyError(f"several workers died at the same shard: {error}") from error
    except CancelledError as error:
        raise StudyError("the scheduler is gone") from error
    except ModuleNotFoundError as error:
        raise StudyError(
            f"a worker has {error}; install the same version of 'trull[cluster]' on every machine"
        ) from error
    finally:
        client.cancel(futures)


def _check_shared(work: Work[Any], receipt: Receipt) -> None:
    """Refuse a shard that a worker has written where it cannot be found from here."""
    if work.store.size(data_name(receipt.shard)) != receipt.bytes:
        raise StudyError(
            f"{work.store.place}: {data_name(receipt.shard)} is not there, though a worker has "
            "written it; expected a folder that all machines share, or a URL"
        )


def make_checked(work: Work[Any], shard: int) -> tuple[Any, ...]:
    """Make a shard where the versions are the same as where the study was started."""
    work.check()
    return tuple(make(work, shard))
