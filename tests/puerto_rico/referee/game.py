"""A round from top to bottom.

`game()` yields each real decision, as the seat and the names of its actions, and is sent the name chosen.
"""

import itertools

from .builder import builder
from .captain import captain
from .catalogue import COST, LARGE, LARGE_PRODUCTION, NAMES, SMALL_PRODUCTION
from .craftsman import craftsman
from .guests import ask, call_guests
from .mayor import mayor
from .settler import settler
from .table import Step, Table, choose
from .trader import trader

ACTIONS = {"settler": settler, "mayor": mayor, "builder": builder, "craftsman": craftsman, "trader": trader, "captain": captain}


def game(t: Table) -> Step:
    if t.to_draft:
        yield from draft(t)
    while True:
        each = 3 if t.count == 2 else 1
        for pick in range(t.count * each):
            t.active = (t.governor + pick) % t.count
            yield from take_role(t)
        if t.is_last:
            break
        for role in t.roles():
            if role not in t.taken:
                t.coins[role] = t.coins.get(role, 0) + 1
        t.taken = {}
        t.governor = (t.governor + 1) % t.count
    for seat in t.from_(t.governor):
        yield from call_guests(t, seat, [name for name in LARGE if name != "statue"])


def draft(t: Table) -> Step:
    places = {1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1, 7: 1, 8: 2, 9: 1, 10: 5}
    small = 1 if t.count == 2 else 2
    pool = [name for name in NAMES[:37] if name not in SMALL_PRODUCTION + LARGE_PRODUCTION]
    assert len(pool) == 31
    for seat in itertools.cycle(range(t.count)):
        free = [name for name in pool if places[COST[name]] > 0]
        if not free:
            return
        chosen = (yield from choose(seat, [f"draft: the {name}" for name in free])).removeprefix("draft: the ")
        places[COST[chosen]] -= 1
        pool.remove(chosen)
        t.board[chosen] = 1 if chosen in LARGE else small


def take_role(t: Table) -> Step:
    me = t.players[t.active]

    def options() -> list[str]:
        free = [role for role in t.roles() if role not in t.taken]
        if {"prospector", "second prospector"} <= set(free) and t.coins.get("prospector", 0) == t.coins.get("second prospector", 0):
            free.remove("second prospector")
        return [f"role: {role}" for role in free]

    role = (yield from ask(t, t.active, options)).removeprefix("role: ")
    t.role = role
    t.taken[role] = t.active
    me.doubloons += t.coins.pop(role, 0)
    yield from call_guests(t, t.active, ["library"])
    if role.endswith("prospector"):
        me.doubloons += t.privileges(t.active)
    else:
        yield from ACTIONS[role](t)
    t.role = None
