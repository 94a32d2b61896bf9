"""Part A: the car (SC-CAR)."""

from ...core.engine.kernel import kernel
from ...core.engine.masks import allow
from ...core.spec.fields import Status
from ..actions import FIRST, Kind
from ..tables import MOST_STOPS, PORT, STOPS
from .ship import do_raise_value


@kernel
def drive_price(stops):  # SC-CAR-1
    return stops - 1


@kernel
def most_stops(s):  # SC-CAR-1, SC-CAR-2
    """How far the active player can drive; every shorter way is possible too."""
    return min(1 + s.pesos[s.active], MOST_STOPS)


@kernel
def allow_drive(s, mask):  # SC-CAR-1, SC-CAR-2
    most = most_stops(s)
    count = 0
    for stops in range(1, MOST_STOPS + 1):  # a loop of fixed length: an unpredictable end costs more than the writes it saves
        count += allow(mask, FIRST[Kind.DRIVE] + stops - 1, stops <= most)
    return count


@kernel
def do_drive(s, stops):  # SC-CAR-1, SC-CAR-3, SC-CAR-6
    s.pesos[s.active] -= drive_price(stops)
    for step in range(1, stops + 1):
        if s.car != PORT:
            s.inactive[s.street[s.car - 1]] = 0
        s.car = (s.car + 1) % STOPS
        if s.car == PORT and step < stops and s.in_port:
            do_raise_value(s)
            if s.status != Status.RUNNING:
                return
