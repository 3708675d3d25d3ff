"""Who makes the shards: a thread of this process, processes of this machine, or a cluster.

A crew takes the work and the numbers of the shards, and yields the receipt of every shard as it is
complete, in any order. Closing it stops the work at once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any

from trull.analysis.study.error import StudyError
from trull.analysis.study.manifest import Receipt
from trull.analysis.study.shards import Work
from trull.solver.kernel.engine import Engine

Receipts = Generator[Receipt, None, None]
Crew = Callable[[Work[Any], Sequence[int]], Receipts]

_engines = threading.local()


def make(work: Work[Any], shard: int) -> Receipt:
    """Make a shard with the engine of this thread, which is kept for the next one."""
    memory = work.spec.memory
    if getattr(_engines, "memory", None) != memory:
        _engines.memory, _engines.engine = memory, Engine(memory)
    return work.write(shard, _engines.engine)


def one_thread(work: Work[Any], shards: Sequence[int]) -> Receipts:
    """Make the shards one after the other, on a thread so that an interrupt is heard at once."""
    engine = Engine(work.spec.memory)
    with ThreadPoolExecutor(1, thread_name_prefix="trull") as pool:
        try:
            for shard in shards:
                yield pool.submit(work.write, shard, engine).result()
        finally:
            engine.retire()


def processes(work: Work[Any], shards: Sequence[int], workers: int) -> Receipts:
    """Make the shards in so many processes of this machine.

    Raises `StudyError` when a process ends by itself, as for lack of memory.
    """
    context = multiprocessing.get_context("spawn")
    listening, alive = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, initializer=_begin_process, initargs=(listening,))
    try:
        for future in as_completed([pool.submit(make, work, shard) for shard in shards]):
            yield future.result()
    except BrokenProcessPool as error:
        raise StudyError("a worker process has died, perhaps for lack of memory") from error
    finally:
        alive.close()
        pool.shutdown(cancel_futures=True)


def _begin_process(listening: Connection) -> None:
    """Leave interrupts to the main process, and end when it closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(listening,), daemon=True).start()


def _end_with(listening: Connection) -> None:
    listening.poll(None)
    os._exit(0)
