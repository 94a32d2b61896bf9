"""The network that a config determines: what it reads, its shape, and the weights that it starts from."""

from pathlib import Path

from torch import Tensor

from tradewinds.agents.neural.checkpoint import NetError, find_net, load_net, policy_spec
from tradewinds.agents.neural.inputs import PolicySpec
from tradewinds.agents.neural.network import Shape

from .config import Config, ConfigError


def spec_of(config: Config) -> PolicySpec:
    """What the network of a run reads, and its base policy.

    Args:
        config: The run's config.

    Raises:
        ConfigError: The game has no such encoding, or no such bot.
    """
    policy = config.policy
    try:
        return PolicySpec.of(
            config.variant(), config.observation, policy.base, policy.style, policy.temperature, policy.clip, config.encoding
        )
    except ValueError as error:
        raise ConfigError(f"policy: {error}") from None


def shape_of(config: Config) -> Shape:
    """The shape of a run's network.

    Args:
        config: The run's config.
    """
    variant, spec = config.variant(), spec_of(config)
    network, actions = config.network, len(variant.game.actions)
    return Shape(spec.inputs(variant), actions, variant.players, network.width, network.blocks, spec.base != "none")


def start_of(config: Config) -> dict[str, Tensor]:
    """The weights of the network that a run starts from.

    Args:
        config: A config with `network.start`.

    Raises:
        ConfigError: There is no such network, or it is for another variant, shape or policy.
    """
    wanted, name, variant = shape_of(config), config.network.start, config.variant()
    try:
        folder = find_net(Path(name or ""))
        net, facts = load_net(folder, variant)
        spec = policy_spec(folder, facts, variant)
    except NetError as error:
        raise ConfigError(f"network.start: {error}") from None
    shape = net.shape
    if (shape.width, shape.blocks) != (wanted.width, wanted.blocks):
        raise ConfigError(f"network.start: {name} has another shape; set network.width={shape.width}, network.blocks={shape.blocks}")
    if others := _settings_of(spec, spec_of(config)):
        raise ConfigError(f"network.start: the policy of {name} differs from this config's; set {', '.join(others)}")
    return net.state_dict()


def _settings_of(found: PolicySpec, wanted: PolicySpec) -> list[str]:
    """The settings that turn the wanted spec into the one found. Equal weights on another base are another policy."""
    keys = {"reads": "observation", "encoding": "encoding", "base": "policy.base"}
    if found.base != "none":
        keys |= {name: f"policy.{name}" for name in ("style", "temperature", "clip")}
    return [f"{key}={getattr(found, name)}" for name, key in keys.items() if getattr(found, name) != getattr(wanted, name)]
