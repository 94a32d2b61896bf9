"""The settings of a training run: YAML files in configs/ and `--set key=value`, validated."""

import difflib
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import tradewinds.envs as tw
from tradewinds.envs.core.api.errors import OutsideError
from tradewinds.envs.core.spec.game import Variant

from .yaml_file import load_yaml

CONFIGS = Path(__file__).resolve().parent.parent / "configs"

Probability = Annotated[float, Field(ge=0, le=1)]
NonNegative = Annotated[float, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1, le=2**31 - 1)]
Steps = Annotated[int, Field(ge=0, le=2**53)]


class ConfigError(OutsideError):
    """An invalid config; the message is one line."""


class Section(BaseModel):
    """The base of all sections: unknown keys are refused, and values do not change once read."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkConfig(Section):
    """The size of the network, and where its first weights come from."""

    width: Annotated[int, Field(ge=1, le=1 << 14)] = 128
    blocks: Annotated[int, Field(ge=0, le=1000)] = 1
    start: str | None = None  # a network of the same shape to start from, as `net:PATH` names it; random weights by default


class PolicyConfig(Section):
    """A residual policy adds the network's logits to those of a base policy: z = max((rating - best rating) / temperature, -clip)."""

    base: Literal["scripted", "none"] = "none"
    style: str | None = None  # of the bot; its strongest by default
    temperature: Positive | None = None  # half of the bot's own by default
    clip: Positive = 10.0


class BcConfig(Section):
    """Behaviour cloning before self-play: the policy copies the actions of a teacher, and the values predict its results."""

    total_timesteps: Steps = 0
    teacher: str = "scripted"
    random_move_prob: Annotated[float, Field(ge=0, lt=1)] = 0.0  # replaces the teacher's move; random moves are not copied
    learning_rate: Positive = 2e-3
    learning_rate_end: NonNegative = 2e-4
    update_epochs: Count = 1


class PpoConfig(Section):
    """Values with `_end` change linearly from the first to the last step."""

    total_timesteps: Steps = 10_000_000  # env steps of the learner; 0: behaviour cloning only
    num_envs: Count = 512
    num_steps: Count = 128  # per env and iteration
    update_epochs: Count = 2
    minibatch_size: Count = 4096
    minibatch_size_end: Count | None = None
    learning_rate: Positive = 7e-4
    learning_rate_end: NonNegative = 2e-5
    value_warmup: Steps = 0  # first iterations in which only the values are trained
    gamma: Probability = 1.0
    gae_lambda: Probability = 0.97
    gae_lambda_end: Probability | None = None
    clip_coef: Positive = 0.2
    ent_coef: NonNegative = 0.003
    ent_coef_end: NonNegative = 0.0005
    vf_coef: NonNegative = 1.0
    max_grad_norm: Positive = 0.5
    target_kl: Positive | None = None  # the update stops early when the approximate KL exceeds it


class ExpertConfig(Section):
    """Expert iteration instead of PPO: a search with the current network plays games, and a student learns its visits and the results.

    The student starts from the current network and replaces it only if it wins; expert.py has the test.
    """

    generations: Steps = 0  # 0: PPO
    teacher: str = "search:150:horizon=30"  # a search, which is given the current network
    games: Count = 4000  # of the teacher, per generation
    sampled_moves: Steps = 30  # first env steps of a game that are drawn from the teacher's visits, so that games differ
    random_move_prob: Annotated[float, Field(ge=0, lt=1)] = 0.05  # in place of the teacher's move, so that unusual positions occur too
    search_value_coef: Probability = 0.5  # the part of the value targets that is the search's mean outcome; the rest is the game's result
    window: Count = 2  # the latest generations whose games are learned from
    visit_temperature: Positive = 0.25  # the policy learns visits ** (1 / this), since what it plays is its argmax
    update_epochs: Count = 3
    minibatch_size: Count = 1024
    learning_rate: Positive = 1e-4  # small: the current network is good, and the games are few
    learning_rate_end: NonNegative = 1e-6
    vf_coef: Positive = 30.0  # of the values' loss, which is some 40 times smaller than the policy's
    match_games: Count = 2000  # of the student's policy against its predecessor's
    # With the student's network against the predecessor's. Priors at temperature 1 would only repeat the match of the policies.
    search_match: str = "search:50:prior=policy:temperature=2"
    search_match_games: Steps = 200  # 0: no such match


class RewardConfig(Section):
    """The advantage is that of the game's reward (`options.reward`) plus `margin_coef` times that of the margin to the best other score."""

    margin_coef: NonNegative = 1.0
    margin_coef_end: NonNegative = 1.0


class OpponentPoolConfig(Section):
    """Probabilities that an opponent takes some seats of a game. In the remaining games the learner holds every seat."""

    past_prob: Probability = 0.2  # earlier versions of the network
    past_every: Count = 20  # iterations between two copies
    past_keep: Count = 8
    agents: dict[str, Probability] = {}  # by agent code


class AverageConfig(Section):
    """Weight averaging. The averaged network is the one that is saved and evaluated."""

    last: Probability = 0.2  # the average covers roughly this last part of the run; 0: the latest weights


class EvaluationConfig(Section):
    """Win rates against fixed opponents, during the run and at its end."""

    every: Count = 20  # iterations
    episodes: Count = 400  # against each opponent
    eval_opponents: Annotated[list[str], Field(min_length=1)] = ["random", "scripted:greedy", "scripted"]
    final_episodes: Count = 2000
    final_opponents: dict[str, Count] = {}  # more opponents at the end, with their own numbers of episodes


class Config(Section):
    """All settings of a run: the game, what the network reads, and one section per part of the trainer."""

    game: str
    options: dict[str, Any] = {}
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    threads: Steps = 0  # 0: one per core
    save_every: Count = 10  # iterations between two checkpoints
    observation: Literal["information_state", "observation"] = "information_state"  # what the network reads
    encoding: Literal["compact", "rich"] | None = None  # how that is encoded; that of the options by default
    network: NetworkConfig = NetworkConfig()
    policy: PolicyConfig = PolicyConfig()
    bc: BcConfig = BcConfig()
    ppo: PpoConfig = PpoConfig()
    expert: ExpertConfig = ExpertConfig()
    reward: RewardConfig = RewardConfig()
    opponent_pool: OpponentPoolConfig = OpponentPoolConfig()
    average: AverageConfig = AverageConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    def variant(self) -> Variant:
        """The game with its options.

        Raises:
            ValueError: There is no such game or option.
        """
        return tw.game(self.game).with_options(**self.options)


# Keys of earlier versions and what they are called now.
RENAMED = {
    "imitate": "bc",
    "imitate.decisions": "bc.total_timesteps",
    "imitate.by_lot": "bc.random_move_prob",
    "imitate.lr": "bc.learning_rate",
    "imitate.lr_end": "bc.learning_rate_end",
    "imitate.epochs": "bc.update_epochs",
    "ppo.decisions": "ppo.total_timesteps",
    "ppo.rows": "ppo.num_envs",
    "ppo.steps": "ppo.num_steps",
    "ppo.epochs": "ppo.update_epochs",
    "ppo.minibatch": "ppo.minibatch_size",
    "ppo.lr": "ppo.learning_rate",
    "ppo.lr_end": "ppo.learning_rate_end",
    "ppo.clip": "ppo.clip_coef",
    "ppo.entropy": "ppo.ent_coef",
    "ppo.entropy_end": "ppo.ent_coef_end",
    "ppo.value_weight": "ppo.vf_coef",
    "reward.margin": "reward.margin_coef",
    "reward.margin_until": "reward.margin_coef_end",
    "pool": "opponent_pool",
    "pool.past": "opponent_pool.past_prob",
    "evaluate": "evaluation",
    "evaluate.games": "evaluation.episodes",
    "evaluate.against": "evaluation.eval_opponents",
    "evaluate.final_games": "evaluation.final_episodes",
}
# An old key in its section's new name.
HALF_RENAMED = {f"{new.partition('.')[0]}.{old.partition('.')[2]}": new for old, new in RENAMED.items() if "." in old}
CHANGED = {"reward.margin_until": ", the coefficient at the end of the run"}  # what a key means that has not only another name


def find_config(name: str) -> Path:
    """A config file by its path, or a bundled config by its name.

    Args:
        name: A path, or a name such as quick.

    Raises:
        ConfigError: There is neither.
    """
    for path in (Path(name), CONFIGS / f"{name}.yaml"):
        if path.is_file():
            return path
    raise ConfigError(f"there is no config {name}: neither a file nor one of {', '.join(sorted(p.stem for p in CONFIGS.glob('*.yaml')))}")


def load_config(path: Path, settings: "list[str] | tuple[str, ...]" = ()) -> Config:
    """Read a config file and apply `key=value` settings to it.

    Args:
        path: A YAML file.
        settings: `key=value` texts, which replace what the file says.

    Raises:
        ConfigError: The file, a setting or the resulting config is invalid.
    """
    try:
        data = load_yaml(path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} cannot be read as YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path} is not a config: it holds no `key: value` lines")
    return _changed(data, settings, str(path))


def game_config(game: str, settings: "list[str] | tuple[str, ...]" = ()) -> Config:
    """The config of a game, with `key=value` settings: its own file in configs/, or else the defaults.

    With a scripted bot the defaults are residual self-play, measured against random play and the bot; without one, training from scratch
    measured against random play.

    Args:
        game: The game's name.
        settings: `key=value` texts, which replace what the config says.

    Raises:
        ConfigError: The file, a setting or the resulting config is invalid.
        ValueError: There is no such game.
    """
    path = CONFIGS / f"{game}.yaml"
    if path.is_file():
        return load_config(path, settings)
    has_bot = tw.game(game).bot is not None
    opponents = ["random", "scripted"] if has_bot else ["random"]
    data = {"game": game, "policy": {"base": "scripted" if has_bot else "none"}, "evaluation": {"eval_opponents": opponents}}
    return _changed(data, settings, f"the config of {game}")


def _changed(data: dict[str, Any], settings: "list[str] | tuple[str, ...]", source: str) -> Config:
    for setting in settings:
        _set(data, setting)
    return check_config(data, source)


def check_config(data: dict[str, Any], source: str) -> Config:
    """Validate settings.

    Args:
        data: Settings by section and key, as YAML has them.
        source: Where they are from, for error messages.

    Raises:
        ConfigError: The message lists every fault and, for an unknown key, its new name or the closest existing key.
    """
    names = HALF_RENAMED | RENAMED
    renamed = [f"{old} is now {names[old]}{CHANGED.get(old, '')}" for old in _keys(data) if old in names]
    if renamed:
        raise ConfigError(f"{source}: {'; '.join(renamed)}")
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{source}: {'; '.join(_fault(fault) for fault in error.errors())}") from None
    try:
        config.variant().encoded(config.encoding or config.variant().encoding)
    except ValueError as error:
        raise ConfigError(f"{source}: {error}") from None
    if not config.bc.total_timesteps and not config.ppo.total_timesteps and not config.expert.generations:
        raise ConfigError(f"{source}: bc.total_timesteps and ppo.total_timesteps are both 0, so there is nothing to learn from")
    total = config.opponent_pool.past_prob + sum(config.opponent_pool.agents.values())
    if total > 1:
        raise ConfigError(f"{source}: the probabilities in opponent_pool sum to {total:g}, more than 1")
    return config


def differences(old: Config, new: Config) -> list[str]:
    """The keys that differ: `ppo.learning_rate 0.0003 -> 0.001`.

    Args:
        old: The config before.
        new: The config after.
    """
    before, after = _flat(old.model_dump()), _flat(new.model_dump())
    return [f"{key} {before.get(key)} -> {after.get(key)}" for key in {**before, **after} if before.get(key) != after.get(key)]


def dump_config(config: Config) -> str:
    """The config as YAML, every default written out.

    Args:
        config: The config.
    """
    return yaml.safe_dump(config.model_dump(), sort_keys=False)


def _set(data: dict[str, Any], setting: str) -> None:
    key, equals, text = setting.partition("=")
    if not equals or not key:
        raise ConfigError(f"--set {setting!r} is not key=value, for example ppo.learning_rate=0.0003")
    *above, last = key.split(".")
    for name in above:
        data = data.setdefault(name, {})
        if not isinstance(data, dict):
            raise ConfigError(f"--set {setting!r}: {name} holds no keys")
    try:
        data[last] = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"--set {setting!r}: {text!r} is not a value") from None


def _fault(fault: Any) -> str:
    place = ".".join(map(str, fault["loc"]))
    if fault["type"] != "extra_forbidden":
        return f"{place}: {fault['msg'][0].lower()}{fault['msg'][1:]}, not {fault['input']!r}" if place else str(fault["msg"])
    *above, last = map(str, fault["loc"])
    known = list(_part_at(above).model_fields)
    near = difflib.get_close_matches(last, known, n=1)
    everywhere = {key.rpartition(".")[2]: key for key in _flat(_empty().model_dump())}
    elsewhere = difflib.get_close_matches(last, everywhere, n=1)
    hint = near[0] if near else everywhere[elsewhere[0]] if elsewhere else None
    return f"there is no key {place}" + (f" (did you mean {hint}?)" if hint else f"; there are {', '.join(known)}")


def _empty() -> Config:
    return Config(game=tw.games()[0])


def _keys(data: dict[str, Any]) -> list[str]:
    """All sections and keys in dotted form, such as `ppo` and `ppo.num_envs`."""
    keys = []
    for name, value in data.items():
        keys += [name, *(f"{name}.{key}" for key in value)] if isinstance(value, dict) else [name]
    return keys


def _part_at(path: list[str]) -> type[BaseModel]:
    part: type[BaseModel] = Config
    for name in path:
        part = part.model_fields[name].annotation  # type: ignore[assignment]
    return part


def _flat(data: dict[str, Any], above: str = "") -> dict[str, Any]:
    flat = {}
    for key, value in data.items():
        if isinstance(value, dict) and value:
            flat |= _flat(value, f"{above}{key}.")
        else:
            flat[f"{above}{key}"] = value
    return flat
