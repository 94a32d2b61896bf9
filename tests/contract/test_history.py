"""What is told of a game: all that happened, and to each seat only what it may know."""

from collections import defaultdict
from typing import Any

import numpy as np

import tradewinds.envs as tw
from tests.contract.tools import amount, any_rule_set
from tradewinds.envs.core.io.history import History, heard, steps


@any_rule_set()
def test_told_action_by_action_a_game_comes_to_the_same_positions(name: str, options: dict[str, Any]) -> None:
    env = tw.make(name, **options)
    env.reset(seed=5)
    history = History(env)
    choose = np.random.default_rng(1)
    for number in range(amount(200, 15)):
        if not any(env.terminations.values()):
            state = env.record()
            env.step(int(choose.choice(env.legal_actions())))
            history.follow(env)
            told = list(steps(env.variant, state, *env.moves[-1][1:]))
            assert state.tobytes() == env.record().tobytes() == history.positions[-1].tobytes()
            assert told == list(history.moves[-1])
            assert (told[0].seat, told[0].name) == (env.moves[-1][0], env.describe(env.moves[-1][1]))
            assert len(history.moves) == number + 1


@any_rule_set()
def test_two_choices_that_look_the_same_to_a_seat_are_told_it_in_the_same_words(name: str, options: dict[str, Any]) -> None:
    # Holdings that one may count along with are shown, so that only true secrets make two choices look the same.
    env = tw.make(name, **{**options, "visibility": "open"})
    env.reset(seed=8)
    choose = np.random.default_rng(2)
    for step in range(amount(150, 6)):
        if step % amount(3, 1) == 0:
            check_what_others_hear(env)
        env.step(int(choose.choice(env.legal_actions())))
        if any(env.terminations.values()):
            return


def check_what_others_hear(env: tw.TableEnv) -> None:
    """Play every legal action, and take it back."""
    saved, before = env.save(), env.record()
    mover = int(before[0].seat)
    alike: dict[tuple[int, bytes], dict[bytes, tuple[Any, ...]]] = defaultdict(dict)  # viewer and view -> game -> move
    for action in env.legal_actions():
        env.step(action)
        for viewer in range(env.variant.players):
            if viewer != mover and not any(env.terminations.values()):
                alike[viewer, env.view(f"player_{viewer}").tobytes()][env.record().tobytes()] = env.moves[-1][1:]
        env.load(saved)
    for (viewer, _), moves in alike.items():
        if len(moves) > 1:
            told = {tuple(heard(list(steps(env.variant, before.copy(), *move)), viewer)) for move in moves.values()}
            assert len(told) == 1
