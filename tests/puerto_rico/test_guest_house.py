"""PR-NB-GUEST-HOUSE: guests go to work at any moment."""

import pytest

from tradewinds.envs.puerto_rico.state import Phase

from .board import Position, legal, pass_until, play, player
from .board import board as any_board

GUESTS = "guest house: a guest to the"
FULL = [("coffee", 4), ("tobacco", 5), ("sugar", 6)]


def board(*seats: dict, **more: object) -> Position:
    return any_board(*seats, new_buildings=True, **more)  # type: ignore[arg-type]


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NB-STOREHOUSE", "PR-NB-LIBRARY")
def test_the_rulebook_s_guests_save_three_goods_and_later_double_the_trader_s_privilege() -> None:
    owner = player(goods={"corn": 4, "indigo": 1}, buildings={"guest house": 2, "storehouse": 0, "library": 0})
    s = board(player(), owner, player(), ships=FULL)
    play(s, "role: captain")
    assert s.decides == Phase.STORAGE and s.seat == 1
    assert legal(s) == {f"{GUESTS} storehouse", "pass"}
    play(s, f"{GUESTS} storehouse", "captain: keep 3 corn", "captain: keep 1 indigo")
    assert s.held(1) == {"corn": 3, "indigo": 1}
    assert s.seat == 1 and s.decides == Phase.ROLE
    play(s, "role: trader")
    assert s.decides == Phase.ROLE_TAKEN
    assert legal(s) == {f"{GUESTS} library", "pass"}
    play(s, f"{GUESTS} library", "trader: sell indigo")
    assert s.doubloons[1] == 1 + 2
    assert (s.at(1, "guest house"), s.at(1, "library"), s.at(1, "storehouse")) == (0, 1, 1)


@pytest.mark.rule("PR-NB-GUEST-HOUSE")
def test_an_empty_guest_house_moves_nobody() -> None:
    s = board(player(buildings={"guest house": 0, "library": 0}, tiles={"corn": 1}), player(), player())
    assert not legal(s, GUESTS)
    play(s, "role: craftsman")
    assert s.decides == Phase.ROLE


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-MAYOR-2")
def test_guests_are_placed_like_others_and_others_stay_where_they_are() -> None:
    s = board(player(tiles={"corn": 1}, buildings={"guest house": 0}, windrose=1), player(), player(), colonist_ship=1)
    play(s, "role: mayor", "pass")
    assert legal(s) == {"mayor: 1 on the guest house", "mayor: 2 on the guest house"}
    play(s, "mayor: 1 on the guest house")
    assert (s.at(0, "guest house"), s.at(0, "corn")) == (1, 1)
    pass_until(s, Phase.ROLE)
    s = board(player(tiles={"corn": 1}, buildings={"guest house": 0, "hacienda": 1}), player(), player())
    assert not legal(s, GUESTS)  # the colonist of the hacienda is no guest


@pytest.mark.rule("PR-NB-GUEST-HOUSE")
def test_a_guest_may_go_anywhere_at_an_own_decision() -> None:
    s = board(player(tiles={"corn": (2, 1), "quarry": 1}, buildings={"guest house": 2, "office": 0, "hacienda": 1}), player(), player())
    assert legal(s, GUESTS) == {"corn plantations", "quarries", "office"}
    play(s, f"{GUESTS} quarries")
    assert s.at(0, "quarry") == 1
    assert s.decides == Phase.ROLE
    assert legal(s, GUESTS) == {"corn plantations", "office"}


@pytest.mark.rule("PR-NB-GUEST-HOUSE")
def test_guests_are_asked_before_their_owner_s_production_and_a_late_guest_makes_nothing() -> None:
    maker = player(tiles={"corn": (1, 0), "quarry": 1}, buildings={"guest house": 2, "factory": 0})
    s = board(player(), maker, player())
    play(s, "role: craftsman")
    assert s.decides == Phase.PRODUCTION and s.seat == 1
    assert legal(s, GUESTS) == {"corn plantations", "factory"} | set()
    play(s, f"{GUESTS} corn plantations", "pass")
    assert s.held(1) == {"corn": 1}
    s = board(player(), maker, player())
    play(s, "role: craftsman", "pass")
    assert s.held(1) == {}
    play(s, f"{GUESTS} corn plantations")
    assert s.held(1) == {}
    assert s.at(1, "corn") == 1


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-B-HACIENDA", "PR-B-HUT")
def test_guests_open_a_settler_s_turn_that_would_have_nothing_to_ask() -> None:
    owner = player(buildings={"guest house": 1, "hacienda": 0, "construction hut": 0})
    s = board(player(), owner, player(), face_up={"corn": 1})
    play(s, "role: settler", "settler: take corn")
    assert s.decides == Phase.HACIENDA and s.seat == 1
    assert legal(s) == {f"{GUESTS} hacienda", "pass"}
    play(s, "pass")
    assert s.decides == Phase.PICK
    assert legal(s) == {f"{GUESTS} construction hut", "pass"}
    play(s, f"{GUESTS} construction hut", "settler: take a quarry")
    assert s.island_of(1) == {"quarry": 1}


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NB-UNION-HALL", "PR-B-WHARF")
def test_guests_are_asked_before_the_first_captain_turn_and_in_it() -> None:
    owner = player(goods={"corn": 4}, buildings={"guest house": 2, "union hall": 0, "wharf": 0, "lighthouse": 0})
    s = board(player(), owner, player(), ships=FULL)
    play(s, "role: captain")
    assert s.decides == Phase.CAPTAIN_BEGINS and s.seat == 1
    assert legal(s) == {f"{GUESTS} union hall", "pass"}  # the lighthouse would help only the captain now
    play(s, f"{GUESTS} union hall")
    assert s.points(1) == 2
    assert s.decides == Phase.LOAD
    play(s, f"{GUESTS} wharf", "wharf: ship corn")
    assert s.points(1) == 2 + 4


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-BUILDER-2")
def test_guests_in_a_quarry_lower_the_price() -> None:
    s = board(player(), player(doubloons=1, tiles={"quarry": 1}, buildings={"guest house": 1}), player())
    play(s, "role: builder", "pass")
    assert "builder: build the hacienda" not in legal(s)
    play(s, f"{GUESTS} quarries", "builder: build the hacienda")
    assert s.doubloons[1] == 0


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-B-OFFICE")
def test_guests_in_the_office_make_a_sale_possible() -> None:
    s = board(player(), player(goods={"coffee": 1}, buildings={"guest house": 1, "office": 0}), player(), house=["coffee"])
    play(s, "role: trader")
    assert s.decides == Phase.TRADE
    play(s, f"{GUESTS} office", "trader: sell coffee")
    assert s.doubloons[1] == 4


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NB-LIBRARY", "PR-CRAFTSMAN-2")
def test_guests_go_to_the_library_before_the_craftsman_s_privilege() -> None:
    maker = player(tiles={"corn": (1, 1)}, buildings={"guest house": 1, "library": 0})
    s = board(maker, player(), player())
    play(s, "role: craftsman", "pass")
    assert s.decides == Phase.PRIVILEGED_CRAFTSMAN
    play(s, f"{GUESTS} library", "craftsman: take 1 more corn", "craftsman: take 1 more corn")
    assert s.held(0) == {"corn": 3}


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NO-VILLA")
def test_guests_may_be_in_the_villa_when_the_mayor_phase_starts() -> None:
    s = board(player(), player(buildings={"guest house": 1, "villa": 0}), player(), nobles=True)
    play(s, "role: mayor")
    assert s.decides == Phase.MAYOR_BEGINS and s.seat == 1
    play(s, f"{GUESTS} villa")
    assert s.at(1, "villa") == 1


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NO-HUNTING-LODGE")
def test_guests_may_go_hunting() -> None:
    s = board(player(), player(buildings={"guest house": 1, "hunting lodge": 0}, tiles={"corn": 1}), player(), nobles=True)
    play(s, "role: settler", "pass", "pass", "pass")
    assert s.decides == Phase.LODGE and s.seat == 1
    play(s, f"{GUESTS} hunting lodge", "discard an empty corn plantation")
    assert s.island_of(1) == {}


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-END-2")
def test_guests_may_move_before_the_final_scoring() -> None:
    s = board(player(), player(buildings={"guest house": 1, "fortress": 0}, windrose=5), player())
    s.record["last_round"] = 1
    play(s, "role: craftsman", "role: captain", "role: trader")
    assert s.decides == Phase.FINAL and s.seat == 1
    assert legal(s) == {f"{GUESTS} fortress", "pass"}
    play(s, f"{GUESTS} fortress")
    assert s.is_over


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NO-2")
def test_of_a_colonist_and_a_noble_it_is_asked_who_goes() -> None:
    guests = player(buildings={"guest house": 2, "chapel": 0}, nobles={"guest house": 1})
    s = board(player(), guests, player(), nobles=True)
    play(s, "role: craftsman", f"{GUESTS} chapel")
    assert legal(s) == {"people: a colonist", "people: a noble"}
    play(s, "people: a noble")
    assert s.points(1) == 1
    assert (s.nobles_there(1, "chapel"), s.nobles_there(1, "guest house"), s.at(1, "guest house")) == (1, 0, 1)


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-B-HARBOUR")
def test_a_guest_may_reach_the_harbour_before_a_loading_that_is_forced() -> None:
    s = board(player(), player(goods={"corn": 2}, buildings={"guest house": 1, "harbour": 0}), player(), ships=[("corn", 1), *FULL[1:]])
    play(s, "role: captain")
    assert legal(s) == {"captain: load corn on ship 1", f"{GUESTS} harbour"}
    play(s, f"{GUESTS} harbour")
    assert s.points(1) == 3


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-B-HACIENDA")
def test_a_guest_in_the_hut_gives_the_hacienda_a_quarry_when_no_tile_can_be_drawn() -> None:
    guest = player(buildings={"guest house": 1, "hacienda": 1, "construction hut": 0})
    s = board(player(), guest, player(), face_up={}, stack={})
    play(s, "role: settler", "settler: take a quarry")
    assert (s.seat, s.decides) == (1, Phase.HACIENDA)
    play(s, f"{GUESTS} construction hut", "settler: take a quarry", "settler: take a quarry")
    assert s.island_of(1) == {"quarry": 2}


@pytest.mark.rule("PR-NB-GUEST-HOUSE", "PR-NB-LIBRARY")
def test_a_guest_in_the_hut_gives_the_library_a_quarry_when_no_plantation_is_open() -> None:
    guest = player(buildings={"guest house": 1, "library": 1, "construction hut": 0})
    s = board(guest, player(), player(), face_up={}, stack={})
    play(s, "role: settler", "settler: take a quarry")
    assert (s.seat, s.decides) == (0, Phase.LIBRARY)
    play(s, f"{GUESTS} construction hut", "settler: take a quarry")
    assert s.island_of(0) == {"quarry": 2}


@pytest.mark.rule("PR-NB-GUEST-HOUSE")
def test_without_quarries_no_guest_is_called_to_the_hut() -> None:
    guest = player(buildings={"guest house": 1, "hacienda": 1, "library": 1, "construction hut": 0})
    s = board(guest, player(), player(), face_up={}, stack={}, quarries_left=0)
    play(s, "role: settler")
    assert s.decides == Phase.ROLE
    assert "role: mayor" in legal(s)
