"""Read tide-gauge files and fit the main harmonic constituents."""

from __future__ import annotations

import argparse
import csv
import logging
import math
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Iterable, Iterator

logger = logging.getLogger(__name__)

# Angular speeds in degrees per hour.
CONSTITUENTS = {
    "M2": 28.9841042,
    "S2": 30.0,
    "N2": 28.4397295,
    "K1": 15.0410686,
    "O1": 13.9430356,
}


class GaugeError(ValueError):
    """Raised when a gauge file cannot be understood."""


@dataclass(frozen=True, slots=True)
class Reading:
    moment: datetime
    level_cm: float
    quality: str = "good"


@dataclass
class Station:
    name: str
    latitude: float
    longitude: float
    readings: list[Reading] = field(default_factory=list)

    def between(self, start: datetime, end: datetime) -> Iterator[Reading]:
        for reading in self.readings:
            if start <= reading.moment < end and reading.quality != "suspect":
                yield reading

    @property
    def mean_level(self) -> float:
        if not self.readings:
            raise GaugeError(f"station {self.name!r} has no readings")
        return sum(r.level_cm for r in self.readings) / len(self.readings)


def parse_file(path: Path, *, encoding: str = "utf-8") -> Station:
    station: Station | None = None
    with path.open(newline="", encoding=encoding) as handle:
        for number, row in enumerate(csv.reader(handle, delimiter=";"), start=1):
            if not row or row[0].startswith("#"):
                continue
            if station is None:
                name, lat, lon = row[:3]
                station = Station(name.strip(), float(lat), float(lon))
                continue
            try:
                moment = datetime.fromisoformat(row[0]).replace(tzinfo=timezone.utc)
                station.readings.append(Reading(moment, float(row[1]), *row[2:3]))
            except (ValueError, IndexError) as exc:
                raise GaugeError(f"{path}:{number}: {exc}") from exc
    if station is None:
        raise GaugeError(f"{path}: empty file")
    return station


def fit(readings: Iterable[Reading], speed: float, origin: datetime) -> tuple[float, float]:
    """Return amplitude and phase (degrees) of one constituent by projection."""
    cosine = sine = 0.0
    count = 0
    for reading in readings:
        hours = (reading.moment - origin) / timedelta(hours=1)
        angle = math.radians(speed * hours)
        cosine += reading.level_cm * math.cos(angle)
        sine += reading.level_cm * math.sin(angle)
        count += 1
    if count < 24:
        logger.warning("only %d readings; the fit is not reliable", count)
    a, b = 2 * cosine / max(count, 1), 2 * sine / max(count, 1)
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO)
    totals: dict[str, list[float]] = defaultdict(list)
    for path in args.files:
        station = parse_file(path)
        origin = station.readings[0].moment
        for label, speed in CONSTITUENTS.items():
            amplitude, phase = fit(station.readings, speed, origin)
            totals[label].append(amplitude)
            print(f"{station.name:<20} {label:>3} {amplitude:8.2f} cm {phase:6.1f}°")
    return 0 if totals else 1


if __name__ == "__main__":
    raise SystemExit(main())
