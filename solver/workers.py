"""Ordered work on several threads, one search engine each.

Threads suffice: the kernel runs without Python's global lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

from trull.solver.kernel.engine import Engine

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_ordered(
    work: Callable[[Engine, Item], Result], items: Iterable[Item], workers: int, memory: float
) -> Iterator[Result]:
    """Yield `work(engine, item)` for every item in order, each as soon as it is ready.

    Items are read on a thread of their own and no further ahead than there are idle workers,
    so that a slow or endless source holds nothing up. Leaving the iterator early, by an error
    or an interrupt, stops the running searches at once.

    Args:
        work: what to do with an item; it has the engine for itself.
        items: the items.
        workers: number of threads.
        memory: size of each engine's table in MB.
    """
    engines: SimpleQueue[Engine] = SimpleQueue()
    crew = [Engine(memory) for _ in range(workers)]
    for engine in crew:
        engines.put(engine)
    futures: SimpleQueue[Future[Result] | None] = SimpleQueue()
    free = threading.Semaphore(workers)
    pool = ThreadPoolExecutor(workers, thread_name_prefix="trull")

    def run(item: Item) -> Result:
        engine = engines.get()
        try:
            return work(engine, item)
        finally:
            engines.put(engine)
            free.release()

    def feed() -> None:
        try:
            for item in items:
                free.acquire()
                futures.put(pool.submit(run, item))
        except BaseException as error:  # the consumer's to raise
            broken: Future[Result] = Future()
            broken.set_exception(error)
            futures.put(broken)
        futures.put(None)

    threading.Thread(target=feed, name="trull-feed", daemon=True).start()
    try:
        while (future := futures.get()) is not None:
            yield future.result()
    finally:
        for engine in crew:
            engine.retire()
        pool.shutdown(cancel_futures=True)
