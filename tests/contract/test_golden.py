"""Golden playthroughs: one whole game for every set of rules, kept as a replay file."""

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tradewinds.envs as tw
from tests.contract.tools import every_game, every_rule_set, label, rule_sets
from tradewinds.envs.core.engine.kernel import JIT
from tradewinds.envs.core.spec.options import VISIBILITIES

GOLDEN = Path(__file__).parents[1] / "golden"


def digest(replay: tw.Replay) -> int:
    """Everything that every seat sees after every move, under each visibility."""
    total = 0
    for visibility in VISIBILITIES:
        shown = tw.Replay(replay.game, {**replay.options, "visibility": visibility}, replay.seed, replay.opening, replay.moves)
        for env in shown.positions():
            for agent in env.possible_agents:
                seen = env.observe(agent)
                total = zlib.crc32(seen["observation"].tobytes(), zlib.crc32(seen["action_mask"].tobytes(), total))
    return total


def golden_replay(name: str, options: dict[str, Any]) -> tw.Replay:
    """How a golden game is played: seed 0, uniformly random legal actions."""
    env = tw.make(name, **options)
    env.reset(seed=0)
    choose = np.random.default_rng(0)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        env.step(int(choose.choice(env.legal_actions())))
    return tw.Replay.of(env)


@every_rule_set()
def test_a_golden_game_plays_as_it_always_did(name: str, options: dict[str, Any]) -> None:
    """If the rules changed on purpose: raise the game's version and write the files again with tests/golden/write.py."""
    path = GOLDEN / name / f"{label(name, options)}.jsonl"
    replay = tw.Replay.load(path, tw.game(name))
    assert tw.game(name).with_options(**replay.options).options == options
    assert replay.result is not None
    if JIT:
        sums = dict(line.split() for line in (GOLDEN / name / "digests.txt").read_text().splitlines())
        assert f"{digest(replay):08x}" == sums[path.stem]


@every_game()
def test_no_golden_game_is_missing_or_left_over(name: str) -> None:
    expected = {f"{label(name, options)}.jsonl" for options in rule_sets(name)}
    assert {path.name for path in (GOLDEN / name).glob("*.jsonl")} == expected


@pytest.mark.skipif(not JIT, reason="slow without compiled kernels")
@every_game()
def test_a_replay_of_every_line_is_checked(name: str) -> None:
    """Take a golden game and change one line: it is found."""
    options = rule_sets(name)[0]
    lines = list(golden_replay(name, options).lines())
    tampered = [line.replace('"seat": 0', '"seat": 1') for line in lines]
    rows = [json.loads(line) for line in tampered]
    with pytest.raises(tw.FormatError, match="line"):
        tw.Replay.from_rows(rows, tw.game(name))
