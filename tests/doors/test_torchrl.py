"""TorchRL: its own checker, rollouts and a collector."""

from typing import Any

import numpy as np
import pytest

from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("the batch is the same, and plain Python is slow", allow_module_level=True)


torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"),
]

import tradewinds.envs as tw  # noqa: E402
from tests.contract.tools import every_game  # noqa: E402
from tradewinds.envs.torchrl import TableBatchEnv  # noqa: E402

GAME = "santiago_de_cuba"


def table(size: int = 4, **settings: Any) -> TableBatchEnv:
    return TableBatchEnv(GAME, size, **{"players": 3, "seed": 1, **settings})


@every_game()
def test_check_env_specs_passes(name: str) -> None:
    from torchrl.envs.utils import check_env_specs

    env = TableBatchEnv(name, 4, players=3, seed=1)
    env.set_seed(1)
    check_env_specs(env)


def test_a_rollout_is_the_game_of_the_batch_and_credits_the_seat_that_moved() -> None:
    env = table(size=8)
    env.set_seed(3)
    rollout = env.rollout(400, break_when_any_done=False)
    twin = tw.make_batch(GAME, 8, players=3)
    twin.reset(int(np.random.default_rng(3).integers(2**63)))
    ended = 0
    for step in range(400):
        now, then = rollout[:, step], rollout[:, step]["next"]
        assert np.array_equal(now["observation"].numpy(), twin.observations) and np.array_equal(now["action_mask"].numpy(), twin.masks)
        movers = twin.seats.copy().astype(int)
        rewards, finished = twin.step(now["action"].numpy(), autoreset=False)
        assert np.array_equal(then["done"][:, 0].numpy(), finished)
        assert np.array_equal(then["reward"][:, 0].numpy(), rewards[np.arange(8), movers])
        assert np.array_equal(then["rewards"].numpy(), rewards)
        assert then["action_mask"][finished].all()
        ended += int(finished.sum())
        twin.reset_rows(np.flatnonzero(finished))
    assert ended > 4


def test_seeds_repeat() -> None:
    def play() -> Any:
        env = table()
        env.set_seed(5)
        torch.manual_seed(0)
        return env.rollout(30)["observation"]

    assert torch.equal(play(), play())


def test_the_seed_of_the_environment_gives_its_games() -> None:
    one, two, other = (table(seed=seed).reset()["observation"] for seed in (1, 1, 2))
    assert torch.equal(one, two) and not torch.equal(one, other)


def test_a_rollout_goes_on_until_all_games_are_over() -> None:
    rollout = table().rollout(2000, break_when_any_done=False, break_when_all_done=True)
    done = rollout["next", "done"][:, :, 0]
    assert done[:, -1].all() and not done[:, -2].all() and (done.int().diff(dim=1) >= 0).all()
    assert done.int().sum(dim=1).unique().numel() > 1  # the games ended at different times


def test_a_step_of_some_rows_leaves_the_others_as_they_were() -> None:
    env = table()
    state = env.rand_action(env.reset())
    before = env.games.states.copy()
    state["_step"] = torch.tensor([True, False, True, False])
    told = env.step(state)["next"]
    assert [one.tobytes() == two.tobytes() for one, two in zip(before, env.games.states, strict=True)] == [False, True, False, True]
    assert torch.equal(told["observation"][1], state["observation"][1]) and not told["reward"].any()


def test_a_collector_gathers_a_masked_policys_decisions() -> None:
    from tensordict.nn import ProbabilisticTensorDictModule, TensorDictModule, TensorDictSequential
    from torchrl.collectors import Collector
    from torchrl.modules import MaskedCategorical

    env = table(size=16)
    actor = TensorDictModule(torch.nn.LazyLinear(len(env.games.action_names)), ["observation"], ["logits"])
    head = ProbabilisticTensorDictModule(
        in_keys={"logits": "logits", "mask": "action_mask"}, out_keys=["action"], distribution_class=MaskedCategorical
    )
    collector = Collector(env, TensorDictSequential(actor, head), frames_per_batch=320, total_frames=640)
    for data in collector:
        assert data.shape == (16, 20)
        assert data["action_mask"].gather(2, data["action"][..., None]).all()
    collector.shutdown()


def test_bad_arguments_and_illegal_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="players"):
        table(players=9)
    env = table()
    state = env.reset()
    before = env.games.states.tobytes()
    state["action"] = (~state["action_mask"]).int().argmax(dim=1)
    with pytest.raises(tw.IllegalActionError):
        env.step(state)
    assert env.games.states.tobytes() == before
