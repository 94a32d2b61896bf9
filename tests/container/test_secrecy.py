"""What a player knows, and what nobody can tell before all bids are in."""

import itertools

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase
from tradewinds.envs.core.engine.rng import new_tape
from tradewinds.envs.core.io.history import heard, steps
from tradewinds.envs.core.spec.fields import HIDDEN

from .table import Position, begin_turn, bid, look, part, play, table


def seen_by(s: Position, viewer: int) -> tuple[bytes, str, str]:
    view = s.variant.masked_view(s.array, viewer)
    return look(s, viewer).tobytes(), GAME.text(view, viewer), GAME.svg(view, viewer)


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
@pytest.mark.parametrize("visibility", ["rules", "open"])
def test_nothing_that_others_see_changes_with_a_bid_or_with_whom_is_asked_before_all_bids_are_in(visibility):
    seen = {0: set(), 1: set(), 2: set(), 3: set()}
    for first, loans, second in itertools.product((0, 7, 18), (0, 1), (0, 15)):
        s = table(cargo=[{"grey": 1}], visibility=visibility)
        play(s, "sail: to the island")
        # Seat 1 begins, then bids; seat 2 begins, then bids; seat 3 is asked. Nobody but they sees a difference.
        for viewer in (0, 2, 3):
            seen[viewer].add(seen_by(s, viewer))
        if loans:
            play(s, "loan: take $10")
        play(s, f"bid: {first // 10} x $10")
        for viewer in (0, 2, 3):
            seen[viewer].add(seen_by(s, viewer))
        if s.seat == 1:
            play(s, f"bid: {first % 10} x $1")
        assert s.seat == 2
        for viewer in (0, 2, 3):
            seen[viewer].add(seen_by(s, viewer))
        bid(s, second)
        assert (s.seat, s.decides) == (3, Phase.BID)
        for viewer in (0, 3):
            seen[viewer].add(seen_by(s, viewer))
    assert [len(seen[viewer]) for viewer in (0, 2, 3)] == [1, 1, 1]


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
def test_a_bidder_s_own_mask_does_not_depend_on_earlier_bids():
    masks = set()
    for first, loans in itertools.product((0, 7, 18), (0, 1, 2)):
        s = table(cargo=[{"grey": 1}])
        play(s, "sail: to the island")
        bid(s, first, loans=loans)
        masks.add(s.mask.tobytes())
    assert len(masks) == 1


@pytest.mark.rule("CT-INF-1", "CT-AUC-2")
def test_second_bids_are_as_secret_as_first_ones():
    seen = set()
    for second in ("bid: 0 x $10", "bid: 1 x $10", "bid: void it", "loan: take $10"):
        s = table(cargo=[{"grey": 1}], void_bids=True)
        play(s, "sail: to the island")
        for amount in (5, 5, 3):
            bid(s, amount)
        assert (s.decides, s.seat) == (Phase.SECOND_BID, 1)
        seen.add(tuple(seen_by(s, viewer) for viewer in (0, 2, 3)))
        play(s, second)
        if s.seat == 1 and s.decides == Phase.SECOND_BID:
            bid(s, 0)
        assert (s.decides, s.seat) == (Phase.SECOND_BID, 2)
        seen.add(tuple(seen_by(s, viewer) for viewer in (0, 2, 3)))
    assert len(seen) == 1


@pytest.mark.rule("CT-INF-1")
def test_a_forced_bid_of_nothing_cannot_be_told_from_a_chosen_one():
    seen = []
    for money in (0, 20):
        s = table(cargo=[{"grey": 1}], money=[20, money, 20, 20], loans=[0, 2])
        play(s, "sail: to the island")
        if money:
            bid(s, 0)
        assert s.seat == 2
        seen.append([seen_by(s, viewer) for viewer in (0, 2, 3)])
    assert seen[0] == seen[1]


@pytest.mark.rule("CT-INF-1")
def test_money_is_hidden_from_others_unless_visibility_is_open_and_cards_always_are():
    for visibility in ("rules", "open"):
        s = table(visibility=visibility, money=[11, 12, 13, 14])
        view = s.variant.masked_view(s.array, 2)
        shown = [HIDDEN, HIDDEN, 13, HIDDEN] if visibility == "rules" else [11, 12, 13, 14]
        assert view["money"][:4].tolist() == shown
        assert view["value_card"].tolist() == [HIDDEN, HIDDEN, 2, HIDDEN, HIDDEN]
    assert "opponents_money" not in table().variant.layout.slices
    assert np.allclose(np.array(part(s, 2, "opponents_money")) * 20, [14, 11, 12])


@pytest.mark.rule("CT-INF-1")
def test_everything_else_is_public():
    hidden = {"money", "value_card", "bid", "bid_digits", "bid_loans", "issued"}
    assert {field.name for field in GAME.fields.all if field.seen} == hidden


@pytest.mark.rule("CT-INF-1")
def test_the_own_card_and_money_are_in_the_observation():
    s = table(cards=["purple", "beige"], money=[30])
    assert np.allclose(part(s, 0, "values"), [0.4, 0.2, 1.0, 0.5, 0.6])
    assert part(s, 0, "five_ten") == [0, 0, 0, 1, 0]
    assert part(s, 0, "money") == [1.5]


@pytest.mark.rule("CT-INF-1")
def test_re_dealing_draws_cards_and_money_anew_and_nothing_else():
    cards, money = set(), set()
    for seed in range(300):
        s = table(money=[11, 12, 13, 14])
        before = s.variant.masked_view(s.array, 1).tobytes()
        GAME.kernels["redeal"](s.record, 1, new_tape(seed))
        assert s.variant.masked_view(s.array, 1).tobytes() == before
        assert sorted(s.record["value_card"].tolist()) == [0, 1, 2, 3, 4]
        cards.add(tuple(s.record["value_card"].tolist()))
        money.add(tuple(s.money.tolist()))
    assert len(cards) == 24
    assert len(money) > 250


@pytest.mark.rule("CT-INF-1")
def test_re_dealt_bids_are_bids_that_could_have_been_made():
    found = set()
    for seed in range(200):
        s = table(cargo=[{"grey": 1}], visibility="open", money=[20, 3, 5, 5], loans=[0, 1])
        play(s, "sail: to the island")
        bid(s, 2)
        bid(s, 5)
        GAME.kernels["redeal"](s.record, 3, new_tape(seed))
        loans = int(s.bid_loans[1])
        assert 0 <= s.bid[1] <= 3 + 10 * loans
        assert loans <= 1
        found.add((int(s.bid[1]), loans))
        bid(s, 0)  # the game goes on from there
        assert s.decides in (Phase.SALE, Phase.SECOND_BID)
    assert len(found) > 10


@pytest.mark.rule("CT-INF-1")
def test_one_whose_container_is_seized_has_no_money_and_everyone_knows_it():
    s = table(active=1, money=[20, 0], loans=[0, 2], island=[{}, {"black": 1, "grey": 1}])
    begin_turn(s)
    GAME.kernels["redeal"](s.record, 0, new_tape(1))
    assert s.money[1] == 0


def test_the_base_game_s_observation_has_nothing_of_the_bank():
    base, bank = (tw.game("container").with_options(investment_bank=on).layout for on in (False, True))
    assert base.size <= 450
    assert set(bank.slices) - set(base.slices) >= {"box_money", "payer", "bank_harbour"}
    assert bank.size > base.size


def told(env, viewer, action):
    """What a seat learns of an action and all that is forced after it."""
    before = env.record()
    env.step(env.parse(action))
    return [line.text for line in heard(steps(env.variant, before, *env.moves[-1][1:]), viewer)]


def at_the_island(**options):
    """A game in which player_1 to player_3 are asked for bids, each with $20."""
    s = table(cargo=[{"grey": 1}], **options)
    play(s, "sail: to the island")
    env = tw.make("container", **options)
    env.reset(seed=1)
    env._b.states.view(np.ndarray)[:] = s.array
    env._loops.refresh(env._b, 0, 1, 0)
    return env


@pytest.mark.rule("CT-INF-1", "CT-AUC-1")
def test_nobody_hears_of_a_bid_or_its_loans_until_all_are_in():
    env = at_the_island()
    for action in ("loan: take $10", "bid: 1 x $10", "bid: 7 x $1", "bid: 0 x $10", "bid: 3 x $1", "bid: 1 x $10"):
        assert told(env, 0, action) == []
    assert told(env, 0, "bid: 6 x $1") == ["bids are shown: player_1 $17 with 1 new loan, player_2 $3, player_3 $16"]


@pytest.mark.rule("CT-INF-1", "CT-AUC-2")
def test_a_bidder_hears_of_their_own_bid_and_second_bids_are_shown_as_totals():
    env = at_the_island(void_bids=True)
    assert told(env, 1, "bid: 0 x $10") == ["bid: 0 x $10"]
    for action in ("bid: 5 x $1", "bid: 0 x $10", "bid: 5 x $1", "bid: 0 x $10"):
        told(env, 1, action)
    assert told(env, 1, "bid: 3 x $1") == ["bids are shown: player_1 $5, player_2 $5, player_3 $3"]
    assert told(env, 2, "bid: void it") == []
    assert told(env, 1, "bid: 0 x $10") == []
    assert told(env, 1, "bid: 2 x $1")[0] == "bids are shown: player_1 $0, player_2 $7"


@pytest.mark.rule("CT-INF-1", "CT-IB-CALL-2")
def test_of_a_call_one_hears_the_amount_but_not_the_digits_that_were_asked_for():
    env = tw.make("container", investment_bank=True)
    env.reset(seed=1)
    caller = env.agents.index(env.agent_selection)
    viewer = (caller + 1) % 4
    box = "call: bid for the containers of broker I"
    assert told(env, viewer, box) == [box]
    assert told(env, viewer, "bid: 0 x $10") == []
    assert told(env, viewer, "bid: 7 x $1") == [f"player_{caller} bids $7 for the containers of broker I"]
