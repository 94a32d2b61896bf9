"""The games in OpenEnv, in an environment of its own: its server brings Gradio and more. `pip install '.[openenv]'`."""

import pytest

from tests.contract.tools import every_game
from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("whole games take long in plain Python", allow_module_level=True)
pytest.importorskip("openenv.core", reason="OpenEnv is not installed: pip install '.[openenv]'")

import tradewinds.envs as tw
from tradewinds.envs.openenv import Answer, TradewindsEnvironment, app

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


@every_game()
def test_a_fake_model_plays_a_game_to_its_end(name: str) -> None:
    env = TradewindsEnvironment(name, players=3, seat=1)
    seen, steps = env.reset(seed=3), 0
    while not seen.done:
        assert seen.reward == seen.score == seen.rank == 0 and "seen by player_1" in seen.prompt and "You are player_1" in seen.prompt
        seen, steps = env.step(Answer(text=f"Action: {seen.legal[-1]}")), steps + 1
    assert steps == env.state.step_count > 5
    assert seen.rank >= 1 and seen.reward == env.seat_env.table.rewards["player_1"] != 0 and not seen.legal
    with pytest.raises(tw.GameOverError, match=r"call reset\(\)"):
        env.step(Answer(text="Action: 4"))


def test_an_answer_that_names_no_action_is_refused_with_the_reason() -> None:
    env = TradewindsEnvironment("santiago_de_cuba", opponents="random", players=3)
    with pytest.raises(tw.GameOverError, match="has not begun"):
        env.step(Answer(text="Action: 4"))
    before = env.reset(seed=3)
    saved = env.seat_env.table.save()
    seen = env.step(Answer(text="I resign."))
    assert "names no legal action" in seen.refused and (seen.prompt, seen.legal) == (before.prompt, before.legal)
    assert env.seat_env.table.save() == saved


def test_the_state_tells_nothing_of_the_game() -> None:
    env = TradewindsEnvironment("container", players=3)
    env.reset(seed=3, episode_id="one")
    assert env.state.model_dump() == {"episode_id": "one", "step_count": 0}


def test_the_server_of_openenv_plays_it() -> None:
    from starlette.testclient import TestClient

    with TestClient(app("santiago_de_cuba", players=2)) as client:
        assert client.get("/health").status_code == 200
        with client.websocket_connect("/ws") as session:
            session.send_json({"type": "reset", "data": {"seed": 1}})
            first = session.receive_json()["data"]
            session.send_json({"type": "step", "data": {"text": first["observation"]["legal"][0]}})
            second = session.receive_json()["data"]
    assert (
        not second["done"] and second["observation"]["refused"] == "" and second["observation"]["prompt"] != first["observation"]["prompt"]
    )
