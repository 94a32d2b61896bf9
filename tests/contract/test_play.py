"""Legality, conservation, bounds, length and scores."""

from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, any_game, any_rule_set, any_variant, box_of, new_batch, random_play, richest, snapshot
from tradewinds.envs.core.engine.kernel import JIT


@any_variant()
def test_every_decision_has_at_least_two_answers_and_nothing_leaves_its_bounds(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, richest(name, options), amount(64, 3))
    fields, box, space = batch.variant.game.fields, box_of(name), batch.variant.layout.space
    for step, _ in enumerate(random_play(batch, amount(300, 60))):
        assert (batch.counts >= 2).all()
        if step % 3:
            continue
        assert (batch.masks.sum(axis=1) == batch.counts).all()
        assert not fields.out_of_bounds(batch.states)
        assert not box.broken(batch.states)
        assert np.isfinite(batch.observations).all()
        assert space.shape == batch.observations.shape[1:]
        assert (batch.observations >= space.low).all() and (batch.observations <= space.high).all()


@any_rule_set()
def test_an_illegal_action_is_refused_and_changes_nothing(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, 2)
    every = amount(10, 40)  # over the steps all have their turn
    for step, actions in enumerate(random_play(batch, amount(60, 12))):
        before = snapshot(batch)
        for wrong in np.flatnonzero(~batch.masks[1]).tolist()[step % every :: every] + [-1, len(batch.action_names)]:
            tried = actions.copy()
            tried[1] = wrong
            with pytest.raises(tw.IllegalActionError, match="game 1"):
                batch.step(tried)
        assert snapshot(batch) == before


@any_rule_set()
def test_asking_what_is_legal_changes_nothing(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, amount(64, 3))
    legal = batch.variant.game.kernels["legal"]
    for _ in random_play(batch, amount(50, 10)):
        for i in range(batch.size):
            before = batch.states[i].tobytes()
            mask = np.zeros(len(batch.action_names), np.bool_)
            assert legal(batch._b.states[i], mask) == batch.counts[i]
            assert (mask == batch.masks[i]).all()
            assert batch.states[i].tobytes() == before


@any_rule_set()
def test_final_scores_equal_an_independent_recount(name: str, options: dict[str, Any]) -> None:
    env = tw.make(name, **options)
    recount = box_of(name).recount
    choose = np.random.default_rng(5)
    for seed in range(amount(5, 1)):
        env.reset(seed=seed)
        decisions = 0
        while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
            env.step(int(choose.choice(env.legal_actions())))
            decisions += 1
        assert decisions <= box_of(name).LONGEST
        scores, ranks = recount(env.view("player_0"))
        assert [env.infos[agent]["score"] for agent in env.agents] == scores
        assert [env.infos[agent]["rank"] for agent in env.agents] == ranks
        assert min(ranks) == 1


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
@any_game()
def test_rewards_follow_from_scores_and_ranks(name: str, reward: str) -> None:
    batch = tw.make_batch(name, amount(512, 3), seed=2, reward=reward)
    games = 0
    for _ in random_play(batch, 1_000):
        if games and not JIT:
            break  # one will do
        assert (batch.rewards[~batch.finished] == 0).all()
        for i in np.flatnonzero(batch.finished):
            games += 1
            scores, ranks, rewards = batch.scores[i].tolist(), batch.ranks[i].tolist(), batch.rewards[i]
            players = len(scores)
            if reward == "win":
                winners = ranks.count(1)
                expected = [(1 / winners if rank == 1 else 0) - 1 / players for rank in ranks]
            elif reward == "rank":
                # Those who tie share the places they fill.
                places = [1 - 2 * place / (players - 1) for place in range(players)]
                expected = [float(np.mean(places[rank - 1 : rank - 1 + ranks.count(rank)])) for rank in ranks]
            else:
                expected = [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)]
            assert rewards.tolist() == pytest.approx(expected, abs=1e-6)
            if reward != "score":
                assert sum(rewards.tolist()) == pytest.approx(0, abs=1e-5)
    assert games > 0
