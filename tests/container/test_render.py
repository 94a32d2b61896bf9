"""The table as text and as SVG."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import tradewinds.envs as tw
from tradewinds.envs.container import GAME
from tradewinds.envs.container.state import Phase

from .lively import choose
from .table import bid, play, table


def text_of(s, viewer=0):
    return GAME.text(s.variant.masked_view(s.array, viewer), viewer)


def test_the_text_shows_stores_with_prices_ships_island_and_supply():
    s = table(
        factory=[{"black": [1, 4]}],
        harbour=[{"grey": [6], "brown": [2]}],
        warehouses=[2],
        cargo=[{}, {"beige": 3}],
        at=["sea", 0, "island"],
        island=[{}, {"purple": 2}],
        loans=[1],
    )
    text = text_of(s)
    assert "$1: black   $4: black" in text
    assert "2 of 2  $2: brown   $6: grey" in text
    assert "in the harbour of player_0: 3 beige" in text
    assert "at the island: -" in text
    assert "island        2 purple" in text
    assert "1 loan" in text
    assert "player_0 (you) chooses an action, 2 actions left." in text
    assert "INVESTMENT BANK" not in text


def test_the_text_shows_the_brokers_and_the_payment_card():
    s = table(investment_bank=True, payer=2, marked=1, bid=7, boxes=[{}, {"grey": 2}], box_money=[5, 0, 1], bank_harbour=[{"black": 1}])
    text = text_of(s)
    assert "player_2 bids $7 for the containers of broker II" in text
    assert "broker I      $5" in text
    assert "2 grey *" in text
    assert "bank harbour  1 black" in text


def test_money_and_cards_of_others_are_not_shown():
    s = table(money=[11, 12, 13, 14])
    text = text_of(s)
    assert "$11" in text
    assert not any(amount in text for amount in ("$12", "$13", "$14"))
    assert text.count("value card    hidden") == 3


def test_while_bids_are_secret_the_text_says_who_bids_and_only_the_own_bid():
    s = table(cargo=[{"grey": 1}])
    play(s, "sail: to the island")
    bid(s, 17)
    assert "player_1, player_2 and player_3 bid secretly for the cargo of player_0 (you)." in text_of(s)
    assert "$17" not in text_of(s, 2)
    assert "Your bid is $17." in text_of(s, 1)
    assert "Your bid so far is $0 of up to $20." in text_of(s, 2)


def test_at_the_end_everything_is_shown():
    env = tw.make("container", players=3, max_turns=1, render_mode="ansi")
    env.reset(seed=1)
    env.step(env.parse("turn: end"))
    text = env.render()
    assert "FINAL MONEY" in text
    assert "share the win" in text
    assert "hidden" not in text


@pytest.mark.parametrize("bank", [False, True])
def test_every_decision_has_words_and_a_picture(bank):
    """Lively play, until enough kinds of decision have been drawn for every seat."""
    seen = set()
    env = tw.make("container", players=5, investment_bank=bank, max_turns=150)
    random = np.random.default_rng(2)
    for seed in range(3):
        env.reset(seed=seed)
        while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
            phase = Phase(int(env._b.states[0]["phase"]))
            if phase not in seen:
                seen.add(phase)
                for seat, agent in enumerate(env.possible_agents):
                    assert len(GAME.text(env.view(agent), seat).splitlines()) > 40
                    ET.fromstring(env.svg(agent))
            env.step(choose(env.observe(env.agent_selection)["action_mask"], random))
        ET.fromstring(env.svg("player_0"))
    assert {Phase.ACTION, Phase.SHOP, Phase.PRICE_FACTORY, Phase.PRICE_HARBOUR, Phase.SHIP, Phase.BID, Phase.SALE} <= seen
    assert not bank or {Phase.CALL_MONEY, Phase.CALL_CONTAINERS, Phase.PAY} <= seen
