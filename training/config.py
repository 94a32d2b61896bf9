"""What a training run is told, checked: YAML files in configs/ and `--set key=value`."""

import difflib
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import tradewinds.envs as tw
from tradewinds.envs.core.spec.game import Variant

from .yaml_file import load_yaml

CONFIGS = Path(__file__).resolve().parent.parent / "configs"

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1)]


class ConfigError(ValueError):
    """A config that cannot be used, in one line."""


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NetworkConfig(Part):
    width: Count = 256
    blocks: Annotated[int, Field(ge=0)] = 2
    start: str | None = None  # a network of this shape to begin with, as net:PATH names it; by default random weights


class ImitateConfig(Part):
    """Before self-play: games of a teacher, whose actions are copied and whose results the value head learns to foresee."""

    decisions: Annotated[int, Field(ge=0)] = 0
    teacher: str = "scripted"
    by_lot: Annotated[float, Field(ge=0, lt=1)] = 0.0  # of all moves, instead of the teacher's
    lr: Annotated[float, Field(gt=0)] = 2e-3
    lr_end: Annotated[float, Field(ge=0)] = 2e-4
    epochs: Count = 1


class PpoConfig(Part):
    decisions: Annotated[int, Field(ge=0)] = 10_000_000  # of the learner, in all; 0: it only imitates
    rows: Count = 1024  # games played side by side
    steps: Count = 64  # decisions of each row between two updates
    epochs: Count = 2
    minibatch: Count = 4096
    lr: Annotated[float, Field(gt=0)] = 5e-4
    lr_end: Annotated[float, Field(ge=0)] = 2e-5
    gamma: Share = 1.0
    gae_lambda: Share = 0.97
    clip: Annotated[float, Field(gt=0)] = 0.2
    entropy: Annotated[float, Field(ge=0)] = 0.02
    entropy_end: Annotated[float, Field(ge=0)] = 0.002
    value_weight: Annotated[float, Field(ge=0)] = 1.0
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    target_kl: Annotated[float, Field(gt=0)] | None = None  # an update ends early beyond it


class RewardConfig(Part):
    """What is played for: the game's reward (`options.reward`), and besides it the margin to the best other, less and less."""

    margin: Annotated[float, Field(ge=0)] = 0.0  # weight at the start
    margin_until: Annotated[float, Field(gt=0, le=1)] = 0.5  # when none of it is left, as a part of all decisions


class PoolConfig(Part):
    """In which share of the games some seats are played by others; in the rest all seats learn."""

    past: Share = 0.2  # earlier selves
    past_every: Count = 20  # iterations between two of them
    past_keep: Count = 8
    agents: dict[str, Share] = {}  # by their codes


class EvaluateConfig(Part):
    every: Count = 20  # iterations
    games: Count = 400
    against: list[str] = ["random"]
    final_games: Count = 2000


class Config(Part):
    game: str
    options: dict[str, Any] = {}
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    threads: Annotated[int, Field(ge=0)] = 0  # 0: one a core
    save_every: Count = 10  # iterations between two checkpoints
    network: NetworkConfig = NetworkConfig()
    imitate: ImitateConfig = ImitateConfig()
    ppo: PpoConfig = PpoConfig()
    reward: RewardConfig = RewardConfig()
    pool: PoolConfig = PoolConfig()
    evaluate: EvaluateConfig = EvaluateConfig()

    def variant(self) -> Variant:
        return tw.game(self.game).with_options(**self.options)


def find_config(name: str) -> Path:
    """A file by its path, or one of those that come with Tradewinds by its name."""
    for path in (Path(name), CONFIGS / f"{name}.yaml"):
        if path.is_file():
            return path
    raise ConfigError(f"there is no config {name}: neither a file nor one of {', '.join(sorted(p.stem for p in CONFIGS.glob('*.yaml')))}")


def load_config(path: Path, settings: "list[str] | tuple[str, ...]" = ()) -> Config:
    """The config of a file, with `key=value` settings on top."""
    try:
        data = load_yaml(path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path} cannot be read as YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path} is not a config: it holds no `key: value` lines")
    for setting in settings:
        _set(data, setting)
    return check_config(data, str(path))


def check_config(data: dict[str, Any], source: str) -> Config:
    """A ConfigError names every fault and, for a key that does not exist, the nearest one that does."""
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{source}: {'; '.join(_fault(fault) for fault in error.errors())}") from None
    try:
        config.variant()
    except ValueError as error:
        raise ConfigError(f"{source}: {error}") from None
    if not config.imitate.decisions and not config.ppo.decisions:
        raise ConfigError(f"{source}: imitate.decisions and ppo.decisions are both 0, so there is nothing to learn from")
    shares = config.pool.past + sum(config.pool.agents.values())
    if shares > 1:
        raise ConfigError(f"{source}: the shares in pool come to {shares:g}, more than 1")
    return config


def differences(old: Config, new: Config) -> list[str]:
    """What another config would change: `ppo.lr 0.0003 -> 0.001`."""
    before, after = _flat(old.model_dump()), _flat(new.model_dump())
    return [f"{key} {before.get(key)} -> {after.get(key)}" for key in {**before, **after} if before.get(key) != after.get(key)]


def dump_config(config: Config) -> str:
    return yaml.safe_dump(config.model_dump(), sort_keys=False)


def _set(data: dict[str, Any], setting: str) -> None:
    key, equals, text = setting.partition("=")
    if not equals or not key:
        raise ConfigError(f"--set {setting!r} is not key=value, as ppo.lr=0.0003")
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
