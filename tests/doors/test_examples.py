"""Every example runs, with small settings."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tradewinds.envs.core.engine.kernel import JIT

if not JIT:
    pytest.skip("whole games take long in plain Python", allow_module_level=True)


import tradewinds.envs as tw

EXAMPLES = Path(__file__).parents[2] / "examples"
# Libraries, arguments of a short run, and what it prints last.
RUNS = {
    "jax_rollout.py": (["jax"], ["--steps", "20", "--size", "32"], "env steps per second"),
    "language_model.py": ([], ["--steps", "60"], "player_0"),
    "masked_ppo.py": (["torch"], ["--steps", "4096", "--num-envs", "64", "--games", "32", "--opponents", "random"], "win rate after"),
    "mcts.py": ([], ["--games", "1", "--simulations", "6", "--steps", "12"], "games won"),
    "offline_cloning.py": (["torch"], ["--games", "10", "--epochs", "1", "--agent", "random"], "the clone wins"),
    "openspiel_ismcts.py": (["pyspiel"], ["--simulations", "3", "--steps", "10"], "returns"),
    "openenv_game.py": (["openenv"], ["--steps", "20"], "score"),  # test_apart runs it
    "puffer_env.py": (["pufferlib"], None, ""),  # cannot be installed beside numpy 2
    "tianshou_dqn.py": (["tianshou"], ["--steps", "400", "--games", "8"], "margin after"),  # test_apart runs it
    "torchrl_collector.py": (["torch", "torchrl"], ["--frames", "1", "--size", "16"], "decisions"),
}


def test_every_example_is_run_here() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(RUNS)


@pytest.mark.integration
@pytest.mark.parametrize("name", [name for name, (_, arguments, _) in RUNS.items() if arguments is not None])
def test_the_example_runs(name: str) -> None:
    libraries, arguments, said = RUNS[name]
    for library in libraries:
        pytest.importorskip(library)
    done = subprocess.run([sys.executable, str(EXAMPLES / name), *(arguments or [])], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    assert said in done.stdout.splitlines()[-1]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_one_file_learner_is_short_and_imports_nothing_of_its_own() -> None:
    text = (EXAMPLES / "masked_ppo.py").read_text()
    assert len(text.splitlines()) < 200
    imported = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported == {"argparse", "time", "gymnasium", "numpy", "torch", "tradewinds"}


def test_the_examples_search_decides_alike_in_games_that_its_seat_cannot_tell_apart() -> None:
    mcts = load("mcts")
    env = tw.make("container", players=3)  # in which something stays hidden from perfect recall
    env.reset(seed=4)
    choose = np.random.default_rng(4)
    for _ in range(25):
        env.step(int(choose.choice(env.legal_actions())))
    before = env.save()
    worlds = [env, *(env.redeal(env.agent_selection, seed=seed) for seed in range(3))]
    assert len({world.record().tobytes() for world in worlds}) > 1
    roots = [mcts.search(world, 6, np.random.default_rng(1)) for world in worlds]
    assert len(set(roots)) == 1 and env.save() == before


@pytest.mark.integration
def test_the_examples_search_beats_random_play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["mcts.py", "--games", "3", "--simulations", "20"])
    load("mcts").main()
    assert capsys.readouterr().out.startswith("3 of 3 games won")  # the same on every machine; 19 of 20 in the docs
