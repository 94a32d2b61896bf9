"""OpenSpiel: its own simulation test and algorithms."""

from typing import Any

import numpy as np
import pytest

from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("whole games take long in plain Python", allow_module_level=True)


from tests.contract.tools import every_game

pyspiel = pytest.importorskip("pyspiel")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

import tradewinds.envs.spiel  # noqa: E402, F401

GAME = "santiago_de_cuba"


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_tradewinds", {"game": GAME, "players": 2, "seed": 3, **parameters})


def played(game: Any, steps: int, seed: int = 0) -> Any:
    state, choose = game.new_initial_state(), np.random.default_rng(seed)
    for _ in range(steps):
        state.apply_action(int(choose.choice(state.legal_actions())))
    return state


@every_game()
def test_openspiels_own_simulation_test_passes(name: str) -> None:
    short = {"max_turns": 15} if name == "container" else {}
    game = pyspiel.load_game("python_tradewinds", {"game": name, "players": 3, "seed": 1, **short})
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_parameters_are_the_games_options_and_bad_ones_are_refused() -> None:
    assert load(players=3).num_players() == 3 and load(reward="score").max_utility() > 100
    wide = pyspiel.load_game("python_tradewinds", {"game": "puerto_rico", "nobles": True})
    assert "nobles=True" in repr(wide.new_initial_state().env)
    for wrong in ({"game": "chess"}, {"players": 9}, {"reward": "fame"}):
        with pytest.raises(Exception, match=r"chess|players|reward"):
            load(**wrong)


def test_a_clone_is_equal_and_independent() -> None:
    state = played(load(), 30)
    twin = state.clone()
    assert str(twin) == str(state) and twin.history() == state.history()
    before = str(state)
    twin.apply_action(twin.legal_actions()[0])
    assert str(state) == before


def test_a_resampled_state_keeps_what_the_player_knows_and_nothing_else() -> None:
    differed = False
    for steps in range(0, 60, 6):
        state = played(load(players=3), steps, seed=steps)
        for player in range(3):
            other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            differed |= other.env.record().tobytes() != state.env.record().tobytes()
        assert other.current_player() == state.current_player()
    container = pyspiel.load_game("python_tradewinds", {"game": "container", "players": 3, "seed": 2})
    state = played(container, 20)
    worlds = {state.resample_from_infostate(0).env.record().tobytes() for _ in range(8)}
    assert len(worlds) > 1, "the others' value cards are not drawn again"


def test_mcts_and_information_set_mcts_play() -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game = load()
    state = played(game, 20)
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    assert mcts.MCTSBot(game, 1.4, 6, evaluator, random_state=random).step(state) in state.legal_actions()
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, 6, random_state=random)
    assert bot.step(state) in state.legal_actions()


def test_rl_environment_plays_an_episode() -> None:
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import random_agent

    env = rl_environment.Environment(load(), observation_type=rl_environment.ObservationType.OBSERVATION)
    agents = [random_agent.RandomAgent(player, env.action_spec()["num_actions"]) for player in range(2)]
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([agents[player].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)


def test_shimmy_plays_it_as_a_pettingzoo_environment() -> None:
    pytest.importorskip("shimmy")
    from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

    # By name and config: with a game object Shimmy would load the game of the default parameters on reset.
    env = OpenSpielCompatibilityV0(game_name="python_tradewinds", config={"game": GAME, "players": 2, "seed": 3})
    env.reset(seed=1)
    choose, steps = np.random.default_rng(0), 0
    for _ in env.agent_iter(2000):
        _, _, terminated, truncated, info = env.last()
        over = terminated or truncated
        env.step(None if over else int(choose.choice(np.flatnonzero(info["action_mask"]))))
        steps += not over
    assert steps > 50 and not env.agents


def test_outcome_sampling_learns_from_one_game() -> None:
    from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver

    solver = OutcomeSamplingSolver(load())
    solver.iteration()
    assert len(solver._infostates) > 20
    policy = solver.average_policy()
    state = load().new_initial_state()
    chances = policy.action_probabilities(state)
    assert set(chances) == set(state.legal_actions()) and sum(chances.values()) == pytest.approx(1)
