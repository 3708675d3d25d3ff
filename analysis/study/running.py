"""Running a study: what is missing is made, whatever ended the run before."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

from trull.analysis.deals import DealError
from trull.analysis.study.cluster import cluster
from trull.analysis.study.crews import Crew, one_thread, processes
from trull.analysis.study.error import StudyError
from trull.analysis.study.kind import Kind, Specified
from trull.analysis.study.making import STUDY
from trull.analysis.study.manifest import (
    Manifest,
    check_same,
    made_here,
    new_manifest,
    read_manifest,
)
from trull.analysis.study.opening import Folder, Study
from trull.analysis.study.shards import Work
from trull.analysis.study.spec import Spec
from trull.analysis.study.store import Store, open_store

Watch = Callable[[Manifest[Specified]], None]
"""Is told how far the work is: at the beginning, and after every shard."""


def silent(_: Manifest[Any]) -> None:
    """Watch nothing."""


def run_study(
    spec: Spec,
    folder: str,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    watch: Watch[Spec] = silent,
) -> Study:
    """Make what is missing of a study, and return it complete.

    The data files depend on the specification alone, not on the workers nor on how often the
    study was broken off. An interrupt, or an error, leaves a valid study with fewer shards.

    Args:
        spec: the specification.
        folder: where the study is kept: a local path, or any URL that fsspec knows.
        workers: how many processes work on this machine; 1 works in this process. A script that
            asks for more runs again in each of them, so it needs `if __name__ == "__main__":`.
        scheduler: the address of a dask scheduler whose workers are to do it instead.
        watch: is told how far the study is.

    Raises `StudyError` when no deal meets the conditions, the folder holds another study, or
    another run works on it.
    """
    done = run(STUDY, spec, folder, workers=workers, scheduler=scheduler, watch=watch)
    return Study(done.store, done.manifest)


def run(
    kind: Kind[Specified],
    spec: Specified,
    folder: str,
    *,
    workers: int,
    scheduler: str | None,
    watch: Watch[Specified],
) -> Folder[Specified]:
    """Make what is missing in a folder of any kind; arguments and errors as for `run_study`."""
    crew: Crew = one_thread if workers == 1 else partial(processes, workers=workers)
    if scheduler is not None:
        crew = partial(cluster, scheduler=scheduler)
    try:
        kind.count(spec)
    except DealError as error:
        raise StudyError(f"conditions: {error}") from error
    store = open_store(folder)
    with store.locked():
        manifest = _continued(kind, spec, store)
        watch(manifest)
        try:
            if manifest.missing:
                _make_missing(Work(kind, spec, store, made_here(spec)), manifest, crew, watch)
        finally:
            manifest.write(store)
    return Folder(store, manifest)


def _continued(kind: Kind[Specified], spec: Specified, store: Store) -> Manifest[Specified]:
    """Return the manifest of the folder without the shards that are not as they should be."""
    wanted = new_manifest(kind, spec)
    found = read_manifest(store, kind)
    if found is None:
        wanted.write(store)
        return wanted
    check_same(store.place, found, wanted)
    found.drop_faulty(store)
    return found


def _make_missing(
    work: Work[Specified], manifest: Manifest[Specified], crew: Crew, watch: Watch[Specified]
) -> None:
    with closing(crew(work, manifest.missing)) as receipts:
        for receipt in receipts:
            manifest.add(receipt)
            manifest.write(work.store, now=False)
            watch(manifest)
