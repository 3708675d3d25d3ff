"""The manifest of a folder: what is made there, and which of its shards are complete."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

from trull.analysis.study.error import StudyError
from trull.analysis.study.kind import Kind, Specified
from trull.analysis.study.provenance import Makers, makers
from trull.analysis.study.spec import Sharded
from trull.analysis.study.store import Store

NAME = "manifest.json"

_SECONDS = 1.0
"""How often the manifest of a running study is written at most."""


class Receipt(NamedTuple):
    """A complete shard.

    Attributes:
        shard: its number.
        rows: how many rows it has.
        bytes: the size of its file.
        sha256: the checksum of its file, in hexadecimal.
    """

    shard: int
    rows: int
    bytes: int
    sha256: str


def data_name(shard: int) -> str:
    """Return the name of a shard's data file."""
    return f"shard-{shard:05d}.parquet"


def timing_name(shard: int) -> str:
    """Return the name of the file with a shard's times."""
    return f"timing-{shard:05d}.parquet"


def receipt_of(shard: int, rows: int, data: bytes) -> Receipt:
    """Return the receipt of a data file."""
    return Receipt(shard, rows, len(data), hashlib.sha256(data).hexdigest())


@dataclass(kw_only=True)
class Manifest(Generic[Specified]):
    """What `manifest.json` says. It has no times, so that it ends with the same bytes.

    Attributes:
        kind: what is made.
        spec: the specification.
        trull: the version of Trull that makes it.
        rules: the digest of its rule books.
        receipts: the complete shards by number.
    """

    kind: Kind[Specified]
    spec: Specified
    trull: str
    rules: str
    receipts: dict[int, Receipt] = field(default_factory=dict)
    _written: float = field(default=0.0, init=False)

    def add(self, receipt: Receipt) -> None:
        """Enter a complete shard."""
        self.receipts[receipt.shard] = receipt

    @property
    def missing(self) -> list[int]:
        """The numbers of the shards that are not complete."""
        return [number for number in range(self.spec.shards) if number not in self.receipts]

    @property
    def deals(self) -> int:
        """The number of deals in the complete shards."""
        spec = self.spec
        lacking = spec.shards * spec.shard - spec.deals if spec.shards - 1 in self.receipts else 0
        return len(self.receipts) * spec.shard - lacking

    @property
    def rows(self) -> int:
        """The number of rows in the complete shards."""
        return sum(receipt.rows for receipt in self.receipts.values())

    def write(self, store: Store, *, now: bool = True) -> None:
        """Write the manifest; unless it must be `now`, only if the last time is a while ago."""
        if not now and time.monotonic() - self._written < _SECONDS:
            return
        store.write(NAME, self._encoded())
        self._written = time.monotonic()

    def _encoded(self) -> bytes:
        shards = [
            {"file": data_name(number), **self.receipts[number]._asdict()}
            for number in sorted(self.receipts)
        ]
        head = {
            "format": self.kind.format,
            "version": self.kind.version,
            "trull": self.trull,
            "rules": self.rules,
            "spec": self.spec.to_dict(),
        }
        text = json.dumps(head, ensure_ascii=False, indent=1)
        lines = ",\n".join("  " + json.dumps(shard) for shard in shards)
        return f'{text[:-2]},\n "shards": [\n{lines}\n ]\n}}\n'.encode()

    def drop_faulty(self, store: Store) -> None:
        """Forget every shard whose file is missing or has another checksum."""
        for number, receipt in list(self.receipts.items()):
            data = store.read(data_name(number))
            if data is None or receipt_of(number, receipt.rows, data) != receipt:
                del self.receipts[number]


def new_manifest(kind: Kind[Specified], spec: Specified) -> Manifest[Specified]:
    """Return the manifest of a folder without shards, made by what is installed here."""
    here = made_here(spec)
    return Manifest(kind=kind, spec=spec, trull=here.trull, rules=here.rules)


def made_here(spec: Sharded) -> Makers:
    """Return what would make the shards here."""
    return makers(spec.variants)


def read_manifest(store: Store, kind: Kind[Specified]) -> Manifest[Specified] | None:
    """Return the manifest of a folder, or `None` when there is none.

    Raises `StudyError` for a file that is no manifest, or of a version that is not known here.
    """
    data = store.read(NAME)
    if data is None:
        return None
    where = f"{store.place}/{NAME}"
    try:
        found = json.loads(data)
        if found["format"] != kind.format:
            raise ValueError
        version = found["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise StudyError(f"{where}: not the manifest of a {kind.name}") from error
    if version != kind.version:
        raise StudyError(f"{where}: version {version}, expected {kind.version}")
    return _parse(kind, where, found)


def _parse(kind: Kind[Specified], where: str, found: Mapping[str, Any]) -> Manifest[Specified]:
    try:
        spec = kind.read(found["spec"])
        receipts = [_receipt(shard, spec.shards) for shard in found["shards"]]
        return Manifest(
            kind=kind,
            spec=spec,
            trull=found["trull"],
            rules=found["rules"],
            receipts={receipt.shard: receipt for receipt in receipts},
        )
    except (ValueError, KeyError, TypeError) as error:
        reason = f": {error}" if isinstance(error, ValueError) else ""
        raise StudyError(f"{where}: faulty manifest{reason}") from error


def _receipt(shard: Mapping[str, Any], shards: int) -> Receipt:
    """Return the receipt that an entry of a manifest of so many shards holds."""
    receipt = Receipt(*(shard[key] for key in Receipt._fields))
    numbers = (receipt.shard, receipt.rows, receipt.bytes)
    if any(type(number) is not int or number < 0 for number in numbers) or receipt.shard >= shards:
        raise ValueError(f"shards: {json.dumps(shard)}, expected one of {shards} with its size")
    return receipt


def check_same(place: str, found: Manifest[Specified], wanted: Manifest[Specified]) -> None:
    """Refuse to continue what is made to another specification, or made by other rules.

    Raises `StudyError` that names the first difference.
    """
    if found.spec != wanted.spec:
        difference = _first_difference(found.spec.to_dict(), wanted.spec.to_dict())
        raise StudyError(
            f"{place}: holds a {found.kind.name} of another specification ({difference}); choose "
            "another folder"
        )
    for name in ("trull", "rules"):
        before, here = getattr(found, name), getattr(wanted, name)
        if before != here:
            what = "the rule books differ" if name == "rules" else f"Trull {before}, here {here}"
            raise StudyError(
                f"{place}: was begun with another version ({what}); choose another folder"
            )


def _first_difference(before: Mapping[str, object], now: Mapping[str, object]) -> str:
    for key in dict.fromkeys((*before, *now)):
        if before.get(key) != now.get(key):
            if key == "game":
                return "the games differ"
            return f"{key}: {json.dumps(before.get(key))} there, {json.dumps(now.get(key))} here"
    return "the same keys"
