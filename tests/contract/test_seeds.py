"""One seed gives one game: alone or in a batch, in one thread or several, compiled or not."""

import copy
import json
import os
import pickle
import subprocess
import sys
import zlib
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import amount, any_game, any_rule_set, new_batch, random_play, snapshot, variants
from tradewinds.envs.core.api import batch as batches
from tradewinds.envs.core.engine import threads as core_threads
from tradewinds.envs.core.engine.kernel import JIT


@any_rule_set()
def test_the_same_seed_and_actions_give_the_same_bytes(name: str, options: dict[str, Any]) -> None:
    one, two = new_batch(name, options, 8), new_batch(name, options, 8)
    for _ in zip(random_play(one, amount(200, 20)), random_play(two, amount(200, 20)), strict=True):
        assert snapshot(one) == snapshot(two)
    assert snapshot(one) != snapshot(new_batch(name, options, 8, seed=4))


@any_rule_set()
def test_a_game_of_a_batch_is_the_game_that_its_seed_gives_alone(name: str, options: dict[str, Any]) -> None:
    batch = new_batch(name, options, 5)
    env = tw.make(name, **options)
    env.reset(seed=int(batch.seeds[3]))
    since_restart = 0
    for actions in random_play(batch, amount(1500, 60)):
        seen = env.observe(env.agent_selection)
        assert env.agent_selection == f"player_{batch.seats[3]}"
        assert seen["observation"].tobytes() == batch.observations[3].tobytes()
        assert (seen["action_mask"] == batch.masks[3]).all()
        assert env.view(env.agent_selection).tobytes() == batch.variant.masked_view(batch.states[3], batch.seats[3]).tobytes()
        env.step(int(actions[3]))
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.reset()  # goes on with its stream, as the batch does
            since_restart = 1
        elif since_restart:
            since_restart += 1
        if since_restart == 60:
            break
    assert since_restart or not JIT


@any_game()
def test_threads_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for constant in ("ROWS_PER_THREAD", "ROWS_TO_WAKE"):  # so small a batch would not be worth a second thread
        monkeypatch.setattr(batches, constant, 4)
    monkeypatch.setattr(core_threads, "PART", 4)
    one, three = (tw.make_batch(name, 64, seed=5, threads=threads) for threads in (1, 3))
    for _ in zip(random_play(one, amount(200, 5)), random_play(three, amount(200, 5)), strict=True):
        assert snapshot(one) == snapshot(three)
    three.close()


@any_game()
def test_two_batches_alive_at_once_do_not_disturb_each_other(name: str) -> None:
    alone = new_batch(name, {}, 4)
    for _ in random_play(alone, amount(100, 10)):
        pass
    one, two = new_batch(name, {}, 4), new_batch(name, {}, 4)
    for _ in zip(random_play(one, amount(100, 10)), random_play(two, amount(100, 10), seed=9), strict=True):
        pass
    assert snapshot(one) == snapshot(alone)
    assert snapshot(two) != snapshot(alone)


def digest(name: str, options: dict[str, Any]) -> int:
    """All that a batch of random games shows."""
    batch, found = new_batch(name, options, 2), 0
    for _ in random_play(batch, 100):
        for part in snapshot(batch):
            found = zlib.crc32(part, found)
    return found


PLAIN = """
import json, sys
from tests.contract.test_seeds import digest
from tests.support import registered, toy_game
with registered(toy_game()):
    print(json.dumps([digest(*case) for case in json.loads(sys.argv[1])]))
"""


@pytest.mark.skipif(not JIT, reason="compares the compiled with the plain, so it runs once, compiled")
@any_game()
def test_compiled_and_plain_python_give_the_same_bytes(name: str) -> None:
    cases = [(name, variants(name)[0]), (name, variants(name)[-1])]
    command = [sys.executable, "-W", "error", "-c", PLAIN, json.dumps(cases)]
    run = subprocess.run(command, env={**os.environ, "TRADEWINDS_JIT": "0"}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [digest(*case) for case in cases]


@any_game()
def test_a_batch_takes_seeds_for_each_game(name: str) -> None:
    seeds = np.array([5, 6, 5], np.uint64)
    batch = tw.make_batch(name, 3, seed=seeds)
    assert (batch.seeds == seeds).all()
    assert batch.states[0].tobytes() == batch.states[2].tobytes() != batch.states[1].tobytes()


@any_game()
def test_a_batch_goes_on_from_its_state_dict(name: str) -> None:
    batch = new_batch(name, {}, 6)
    for _ in random_play(batch, amount(100, 10)):
        pass
    saved = batch.state_dict()
    again = new_batch(name, {}, 6, seed=99)
    again.load_state_dict(saved)
    assert snapshot(again) == snapshot(batch)
    for _ in zip(random_play(batch, amount(100, 10), seed=8), random_play(again, amount(100, 10), seed=8), strict=True):
        pass
    assert snapshot(again) == snapshot(batch)


@any_game()
@pytest.mark.parametrize("copier", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))], ids=["deepcopy", "pickle"])
def test_a_copy_of_a_batch_is_equal_and_independent(name: str, copier: Any) -> None:
    batch = new_batch(name, {}, 6)
    for _ in random_play(batch, amount(80, 10)):
        pass
    twin, before = copier(batch), snapshot(batch)
    assert snapshot(twin) == before
    for _ in random_play(twin, 5):
        pass
    assert snapshot(batch) == before != snapshot(twin)


@any_game()
def test_a_foreign_state_dict_is_refused_and_changes_nothing(name: str) -> None:
    batch = new_batch(name, {}, 6)
    before = snapshot(batch)
    players = tw.game(name).options[0].choices
    with pytest.raises(ValueError, match="shape"):
        batch.load_state_dict(new_batch(name, {}, 7).state_dict())
    with pytest.raises(ValueError, match=r"rewards|players"):
        batch.load_state_dict(new_batch(name, {"players": players[0]}, 6).state_dict())
    with pytest.raises(ValueError, match="visibility"):
        batch.load_state_dict(new_batch(name, {"visibility": "open"}, 6).state_dict())
    with pytest.raises(ValueError, match="streams"):
        batch.load_state_dict({k: v for k, v in batch.state_dict().items() if k != "streams"})
    assert snapshot(batch) == before
