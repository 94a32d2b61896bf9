"""Toy Market as PettingZoo users know it: `toy_market_v0.env(players=3)`."""

from tradewinds.envs.core.api.facade import facade

from . import GAME

env, raw_env, seat_env = facade(__name__, GAME)
