"""Ray RLlib (new API stack): a multi-agent environment, a network with action masking, and self-play against snapshots.

>>> from tradewinds.training import rllib
>>> algorithm = rllib.ppo("santiago_de_cuba", workers=2, players=4).build_algo()
>>> algorithm.train()
>>> rllib.save_net(algorithm, "nets/mine")      # plays as net:nets/mine

One policy learns. In some games a past copy of it, which does not learn, holds all seats but one. RLLIB.md says how to run this on many
machines.
"""

# pyright: reportMissingImports=false
# Ray is an optional extra.

import random
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from tradewinds.envs.core.api.optional import need

need("training with RLlib", "ray", "ray", "torch", "safetensors")

import numpy as np
import torch
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS

import tradewinds.envs as tw
from tradewinds.agents.neural.agent import Net
from tradewinds.agents.neural.checkpoint import save_net as save_network
from tradewinds.agents.neural.inputs import ILLEGAL, InputReader, PolicySpec
from tradewinds.agents.neural.network import REWARD, Choices, Network, Shape
from tradewinds.envs.core.api.gymnasium_env import LegalActions
from tradewinds.envs.core.spec.game import Variant

LEARNER, SNAPSHOT = "learner", "snapshot_"
BASE_LOGITS = "base_logits"  # in observations
SAMPLE_TIMEOUT = 600.0  # seconds; whole episodes take longer on a busy machine than RLlib's 60, and then nothing of them would be learned
WIN_RATE, GAMES = "win_rate", "games_against"  # metrics of the env runners, by snapshot


class TableMultiAgentEnv(MultiAgentEnv):
    """A game as an RLlib environment: observations go to the seat to move, rewards to all seats at the end.

    Args:
        config: The game and its options, as for `tw.make`: `{"game": "container", "players": 4}`. With `"policy": {"base": "scripted"}`
            observations hold the logits of that base policy too, as `base_logits`.
    """

    def __init__(self, config: Any) -> None:
        super().__init__()
        variant, spec = variant_of(config)
        self.table = tw.make(variant.game.name, **variant.options)
        names = self.table.possible_agents
        self.agents, self.possible_agents = [*names], [*names]
        self.observation_spaces = {name: self.table.observation_space(name) for name in names}
        self._actions = LegalActions(len(self.table.game.actions))
        self._reader = None if spec.base == "none" else InputReader(variant, spec)
        if self._reader is not None:
            logits = Box(-spec.clip, 0, (len(variant.game.actions),), np.float32)
            self.observation_spaces = {
                name: Dict({**cast(Dict, space).spaces, BASE_LOGITS: logits}) for name, space in self.observation_spaces.items()
            }
        self.action_spaces = dict.fromkeys([*names], self._actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new game. Only the seat to move gets an observation."""
        self.table.reset(seed=seed)
        return self._seen(), {}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Play the action of the seat to move. After the last one all seats get their observations, rewards and infos."""
        table = self.table
        table.step(int(action_dict[table.agent_selection]))
        # A game truncated by its length limit is scored as it stands, as the rules say, so it is terminal for the learner too.
        over = any(table.terminations.values()) or any(table.truncations.values())
        observations = {agent: self._observe(agent) for agent in table.possible_agents} if over else self._seen()
        return observations, dict(table.rewards), {"__all__": over}, {"__all__": False}, dict(table.infos) if over else {}

    def _seen(self) -> dict[str, Any]:
        agent = self.table.agent_selection
        seen = self._observe(agent)
        self._actions.legal[:] = seen["action_mask"]
        if self._reader is not None:
            inputs = self._reader.read(self.table.decision())
            legal = inputs.logits[0] > ILLEGAL / 2
            seen[BASE_LOGITS][inputs.actions[0, legal]] = inputs.logits[0, legal]
        return {agent: seen}

    def _observe(self, agent: str) -> dict[str, Any]:
        seen = self.table.observe(agent)
        return seen if self._reader is None else {**seen, BASE_LOGITS: np.zeros(len(seen["action_mask"]), np.float32)}


class MaskedModule(TorchRLModule):
    """The network of `tradewinds train` as an RLModule for inference: illegal actions have probability 0.

    A residual policy adds the network's logits to those of the base policy in the observation.
    """

    def setup(self) -> None:
        """Build the network from `model_config`; RLlib calls this from its constructor."""
        self.network = Network(Shape(**self.model_config["shape"]))

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits, values = self.network(seen["observation"], choices_of(seen))
        return {Columns.ACTION_DIST_INPUTS: torch.log_softmax(logits, dim=1), Columns.EMBEDDINGS: values[:, REWARD, 0]}


class LearningModule(MaskedModule, ValueFunctionAPI):
    """The same with a value function, for PPO's learner."""

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """The predicted reward of the seat to move: (n,)."""
        if embeddings is not None:  # computed by the forward pass
            return embeddings
        seen = batch[Columns.OBS]
        return self.network(seen["observation"], choices_of(seen))[1][:, REWARD, 0]


def choices_of(seen: dict[str, torch.Tensor]) -> Choices:
    """All actions of each observation, with the logits of the base policy if there is one, and ILLEGAL where they are not legal."""
    masks = seen["action_mask"].bool()
    logits = seen.get(BASE_LOGITS, torch.zeros(masks.shape))
    return Choices(torch.arange(masks.shape[1], device=masks.device).expand(masks.shape), torch.where(masks, logits, ILLEGAL))


def variant_of(config: Any) -> tuple[Variant, PolicySpec]:
    """The variant and the base policy of an environment's config."""
    options = dict(config)
    name, policy = options.pop("game"), options.pop("policy", {"base": "none"})
    variant = tw.game(name).with_options(**options)
    return variant, PolicySpec.of(variant, "observation", **policy)


@dataclass(frozen=True)
class League:
    """Settings of self-play against snapshots, which are past copies of the learner. The first one is untrained."""

    past: float = 0.5  # probability that a snapshot holds all seats but one; otherwise the learner holds all seats
    bar: float = 1.5  # a snapshot is added when the win rate against the newest exceeds bar / players
    games: int = 200  # the window of this win rate, and the minimum number of games
    keep: int = 5  # the newest snapshots that stay

    def __post_init__(self) -> None:
        if not 0 <= self.past <= 1:
            raise ValueError(f"past must be a probability from 0 to 1, got {self.past!r}")
        for name in ("bar", "games", "keep"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be positive, got {getattr(self, name)!r}")


class Seating:
    """Maps seats to policies: RLlib's agent-to-module mapping function."""

    def __init__(self, players: int, past: float, snapshots: tuple[str, ...]) -> None:
        self.players = players
        self.past = past
        self.snapshots = snapshots

    def __call__(self, agent_id: str, episode: Any, **kwargs: Any) -> str:
        """The policy of a seat. It is drawn from the episode's id, so that all calls for one game agree."""
        draw = random.Random(episode.id_)
        has_past, own_seat, snapshot = draw.random() < self.past, draw.randrange(self.players), draw.choice(self.snapshots)
        return snapshot if has_past and agent_id != f"player_{own_seat}" else LEARNER


class SelfPlay(RLlibCallback):
    """Tracks the learner's win rate against each snapshot, and adds a snapshot when it beats the newest."""

    def __init__(self, league: League) -> None:
        super().__init__()
        self.league = league

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, **kwargs: Any) -> None:
        """Log the learner's part of the win, if a snapshot took part in the game."""
        seated = {agent: episode.module_for(agent) for agent in episode.agent_ids}
        snapshots = set(seated.values()) - {LEARNER}
        if not snapshots:
            return
        (snapshot,) = snapshots
        ranks = {agent: episode.get_infos(-1, agent_ids=[agent])[agent]["rank"] for agent in seated}
        winners = [agent for agent, rank in ranks.items() if rank == 1]
        won = sum(seated[agent] == LEARNER for agent in winners) / len(winners)
        metrics_logger.log_value((WIN_RATE, snapshot), won, reduce="mean", window=self.league.games)
        metrics_logger.log_value((GAMES, snapshot), 1, reduce="lifetime_sum")

    def on_train_result(self, *, algorithm: Algorithm, result: dict[str, Any], **kwargs: Any) -> None:
        """Add a snapshot if the learner beats the newest one, after enough games against it."""
        seating = seating_of(algorithm)
        newest = seating.snapshots[-1]
        found = result.get(ENV_RUNNER_RESULTS, {})
        if found.get(GAMES, {}).get(newest, 0) < self.league.games:
            return
        if found[WIN_RATE][newest] > self.league.bar / seating.players:
            add_snapshot(algorithm, self.league.keep)

    def on_checkpoint_loaded(self, *, algorithm: Algorithm, **kwargs: Any) -> None:  # by Ray Tune
        """Send the seating and all weights to the env runners, which a checkpoint does not reach."""
        sync_env_runners(algorithm)

    def on_env_runners_recreated(self, *, algorithm: Algorithm, **kwargs: Any) -> None:
        """Send the seating and all weights to env runners that replaced failed ones."""
        sync_env_runners(algorithm)


def add_snapshot(algorithm: Algorithm, keep: int) -> str:
    """Copy the current learner into a new snapshot, and drop the oldest beyond `keep`. Returns its name.

    Args:
        algorithm: The algorithm that learns.
        keep: How many snapshots stay.
    """
    seating = seating_of(algorithm)
    name = f"{SNAPSHOT}{int(seating.snapshots[-1].removeprefix(SNAPSHOT)) + 1}"
    kept = (*seating.snapshots, name)[-keep:]
    assert algorithm.learner_group is not None
    learner = algorithm.learner_group.get_weights([LEARNER])[LEARNER]
    module: Any = algorithm.get_module(LEARNER)
    spec = RLModuleSpec(MaskedModule, module.observation_space, module.action_space, model_config=module.model_config)
    mapping: Any = Seating(seating.players, seating.past, kept)
    algorithm.add_module(name, spec, new_agent_to_module_mapping_fn=mapping)
    algorithm.learner_group.set_weights({name: learner})
    for old in set(seating.snapshots) - set(kept):
        algorithm.remove_module(old)
    sync_env_runners(algorithm)
    return name


def sync_env_runners(algorithm: Algorithm) -> None:
    """Send the seating and the weights of every policy to all env runners.

    RLlib itself syncs only policies that are trained, and env runners ignore weights without a newer sequence number.
    """
    seating: Any = seating_of(algorithm)
    assert algorithm.learner_group is not None
    weights = algorithm.learner_group.get_weights()

    def sync(runner: Any) -> None:
        runner.config.multi_agent(policy_mapping_fn=seating)
        for name, state in weights.items():
            runner.module[name].set_state(state)

    for group in (algorithm.env_runner_group, algorithm.eval_env_runner_group):
        if group is not None:
            group.foreach_env_runner(sync)


def seating_of(algorithm: Algorithm) -> Seating:
    """The current mapping of seats, which also lists the snapshots."""
    assert algorithm.config is not None
    seating = algorithm.config.policy_mapping_fn
    assert isinstance(seating, Seating), "the algorithm is not one of `ppo`"
    return seating


def ppo(
    game: str,
    workers: int = 2,
    tables: int = 16,
    width: int = 128,
    blocks: int = 2,
    league: League | None = None,
    base: str = "none",
    temperature: float | None = None,
    **options: Any,
) -> PPOConfig:
    """RLlib's PPO for a game, with action masks and self-play.

    Args:
        game: The game's name.
        workers: Env runner processes; 0 plays in this process.
        tables: Games per env runner.
        width: Width of the network.
        blocks: Residual blocks of the network.
        league: Settings of self-play.
        base: "scripted" trains a residual policy, which starts as the game's bot and learns what to change; "none" starts from nothing.
        temperature: Of the base policy: its logits are max((rating - best rating) / temperature, -10). Default is half of the bot's own.
        **options: Options of the game.

    Returns:
        An ordinary `PPOConfig`, on which everything else can be set.
    """
    league = league or League()
    if base not in ("none", "scripted"):
        raise ValueError(f"base must be scripted or none, got {base!r}")
    env_config = {"game": game, **options, "policy": {"base": base, "temperature": temperature}}
    variant, spec = variant_of(env_config)
    first = f"{SNAPSHOT}1"
    seating: Any = Seating(variant.players, league.past, (first,))
    shape = Shape(spec.inputs(variant), len(variant.game.actions), variant.players, width, blocks, spec.base != "none")
    model = {"shape": asdict(shape)}
    modules = {
        LEARNER: RLModuleSpec(LearningModule, model_config=model),
        first: RLModuleSpec(MaskedModule, model_config=model),
    }
    return (
        PPOConfig()
        .environment(TableMultiAgentEnv, env_config=env_config)
        .env_runners(
            num_env_runners=workers, num_envs_per_env_runner=tables, batch_mode="complete_episodes", sample_timeout_s=SAMPLE_TIMEOUT
        )
        .multi_agent(policies=set(modules), policy_mapping_fn=seating, policies_to_train=[LEARNER])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .callbacks(partial(SelfPlay, league))  # type: ignore[arg-type]
        .training(
            train_batch_size_per_learner=8192,
            minibatch_size=2048,
            num_epochs=2,
            lr=5e-4,
            gamma=1.0,
            lambda_=0.97,
            clip_param=0.2,
            vf_loss_coeff=1.0,
            entropy_coeff=0.01,
            use_kl_loss=False,
            grad_clip=0.5,
            grad_clip_by="global_norm",
        )
    )


def restore(checkpoint: "str | Path") -> Algorithm:
    """Restore an algorithm that `algorithm.save_to_path(checkpoint)` saved, snapshots included.

    Args:
        checkpoint: The folder.
    """
    algorithm = Algorithm.from_checkpoint(str(Path(checkpoint).resolve()))
    sync_env_runners(algorithm)
    return algorithm


def agent_of(algorithm: Algorithm) -> Net:
    """The current learner as an agent.

    Args:
        algorithm: The algorithm, trained so far.

    Example:
        >>> evaluate(game, agent_of(algorithm), "random", workers=0)
    """
    assert algorithm.config is not None and algorithm.learner_group is not None
    variant, spec = variant_of(algorithm.config.env_config)
    weights = algorithm.learner_group.get_weights([LEARNER])[LEARNER]
    module: Any = algorithm.get_module(LEARNER)
    network = Network(Shape(**module.model_config["shape"]))
    network.load_state_dict({name.removeprefix("network."): torch.as_tensor(tensor) for name, tensor in weights.items()})
    return Net(variant, network.eval(), spec)


def save_net(algorithm: Algorithm, folder: "str | Path") -> None:
    """Write the learner as a new folder, which plays as `net:FOLDER`. Only the value of the seat to move was trained.

    Args:
        algorithm: The algorithm, trained so far.
        folder: The new folder.
    """
    agent = agent_of(algorithm)
    save_network(Path(folder), agent.network, agent.variant, {"trained_by": "RLlib", "iterations": algorithm.iteration}, agent.reader.spec)
