"""Agent codes, as used on the command line and by `make`."""

import difflib
import importlib
import importlib.util
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tradewinds.envs as tw
from tradewinds.envs.core.api.decisions import own_variant
from tradewinds.envs.core.api.errors import OutsideError
from tradewinds.envs.core.api.optional import how_to_install
from tradewinds.envs.core.spec.game import Variant

from .base import Agent, as_agent
from .random import Random
from .scripted import Scripted
from .scripted.bot import bot_of

FORMS = {
    "random": "uniformly random legal actions",
    "scripted": "the game's bot in its strongest style",
    "scripted:STYLE": "the game's bot in another style",
    "search:1000": "tree search, 1,000 simulations per decision; search:0.5s: 0.5 seconds; search:1000:rollout=random: with a setting",
    "net:PATH": "a trained network: its folder, or a run, whose last checkpoint plays; net:PATH:sample samples its actions",
    "policy": "the network that comes with Tradewinds for the variant, by itself; policy:sample samples its actions",
    "pretrained": "search with that network; pretrained:200, pretrained:0.5s and settings as for search",
    "llm:MODEL": "a language model at OPENAI_BASE_URL, any endpoint like OpenAI's chat completions; tradewinds.agents.llm has its settings",
    "package.module:Class": "an agent of your own: a class with act(decisions), or a function of (observation, action_mask)",
}


NAMED_IN_FILES = ("random", "scripted", "search", "net", "pretrained", "policy")  # what replays, configs and runs may name


class AgentError(OutsideError):
    """An agent code that is unknown, or does not fit the variant."""


def make(code: str, game: str, **options: Any) -> Agent:
    """Make an agent for one variant of a game: `make("search:1000", "puerto_rico", players=4)`.

    Args:
        code: What to make; `FORMS` lists the possible codes.
        game: The game's name.
        **options: The game's options, as for `make` of an environment.

    Raises:
        AgentError: The code names no agent, or one that cannot play this variant.
        ValueError: There is no such game or option.
    """
    return build(code, tw.game(game).with_options(**options))


def is_built_in(code: str) -> bool:
    """Whether a code names an agent that comes with Tradewinds, and not third-party code."""
    return code.strip().partition(":")[0] in _MAKERS


def check_named_in_file(code: object, file: Path) -> None:
    """Refuse a code that a file names and that could run code or read files elsewhere. What the user types is not checked this way.

    Args:
        code: The code.
        file: The file that names it, or the folder of a run.

    Raises:
        AgentError: It names an agent other than NAMED_IN_FILES, or a network outside the file's folder.
    """
    if not isinstance(code, str) or code.strip().partition(":")[0] not in NAMED_IN_FILES:
        raise AgentError(
            f"{file} names the agent {code!r}, which a file may not name: it could run code or ask a server, so name it yourself"
        )
    folder = (file if file.is_dir() else file.parent).resolve()
    for path in networks_named(code):
        if not Path(path).resolve().is_relative_to(folder):
            raise AgentError(f"{file} names the network {path}, which is not in {folder}: name it yourself if you trust it")


def networks_named(code: str) -> list[str]:
    """The paths of networks in a code: `net:PATH`, or the setting `net=PATH` of a search."""
    name, _, rest = code.strip().partition(":")
    return [rest.removesuffix(":sample")] if name == "net" else [part[4:] for part in rest.split(":") if part.startswith("net=")]


def check_code(code: str) -> None:
    """Refuse a code that can name no agent, as far as that can be told without a game and without running code.

    Raises:
        AgentError: There is no such agent, style or network.
    """
    name, _, rest = code.strip().partition(":")
    if name == "scripted" and rest:
        bots = [bot_of(tw.game(game)) for game in tw.games()]
        styles = sorted({style for bot in bots if bot is not None for style in bot.styles})
        if rest not in styles:
            raise AgentError(f"agent {code!r}: no bot has this style; the styles are {', '.join(styles)}")
    if name in _MAKERS:
        from .neural.checkpoint import NetError, find_net

        try:
            for path in networks_named(code):
                find_net(Path(path))
        except NetError as error:
            raise AgentError(f"agent {code!r}: {error}") from None
    elif not rest or not (package := name.partition(".")[0]) or importlib.util.find_spec(package) is None:
        raise AgentError(f"there is no agent {code!r}{_near(name)}; the codes are {', '.join(FORMS)}")


def with_absolute_paths(code: str) -> str:
    """The same agent, whatever the working folder is."""
    code = code.strip()
    for path in networks_named(code):
        start = "net:" if code.startswith("net:") else ":net="
        code = code.replace(start + path, f"{start}{Path(path).resolve()}", 1)
    return code


def can_be_named_in_file(code: str, file: Path) -> bool:
    """Whether `check_named_in_file` accepts a code."""
    try:
        check_named_in_file(code, file)
    except AgentError:
        return False
    return True


def build(code: str, variant: Variant) -> Agent:
    """Make the agent of a code for a variant.

    Raises:
        AgentError: The code names no agent, or one that cannot play this variant.
    """
    if not isinstance(code, str) or not code.strip():
        raise AgentError(f"an agent's code must be a non-empty string, got {code!r}; {_possible(variant)}")
    name, _, rest = code.strip().partition(":")
    maker = _MAKERS.get(name)
    try:
        if maker is not None:
            return maker(variant, rest)
        if rest:
            return _own(variant, name, rest)
    except ValueError as error:
        raise AgentError(f"agent {code!r}: {error}") from None
    raise AgentError(f"there is no agent {code!r}{_near(name)}; {_possible(variant)}")


def _near(name: str) -> str:
    near = difflib.get_close_matches(name, _MAKERS, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _possible(variant: Variant) -> str:
    bot = bot_of(variant.game)
    if bot is None:
        return f"the codes are {', '.join(FORMS)}; {variant.game.name} has no scripted bot"
    return f"the codes are {', '.join(FORMS)}; the styles of {variant.game.name} are {', '.join(bot.styles)}"


def _random(variant: Variant, rest: str) -> Agent:
    if rest:
        raise ValueError("random takes no setting")
    return Random(variant)


def _scripted(variant: Variant, rest: str) -> Agent:
    return Scripted(variant, rest or None)


def _search(variant: Variant, rest: str) -> Agent:
    from .search import Search

    return Search.from_code(variant, rest)


def _net(variant: Variant, rest: str) -> Agent:
    if importlib.util.find_spec("torch") is None:
        raise ValueError(f"networks need torch: {how_to_install('train')}")
    from .neural import Net  # only now: it imports torch

    return Net.from_code(variant, rest)


def _policy(variant: Variant, rest: str) -> Agent:
    from .neural import Policy

    return Policy.from_code(variant, rest)


def _pretrained(variant: Variant, rest: str) -> Agent:
    from .search import Search

    return Search.pretrained(variant, rest)


def _llm(variant: Variant, rest: str) -> Agent:
    from .llm import LLM

    return LLM.from_code(variant, rest)


def _own(variant: Variant, module: str, name: str) -> Agent:
    """An agent from the user's own module. A class is instantiated, with the variant if its constructor takes an argument."""
    try:
        found = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise ValueError(f"module {module} cannot be imported: {error}") from None
    except AttributeError:
        raise ValueError(f"module {module} has no {name}") from None
    if isinstance(found, type):
        found = found(own_variant(variant)) if inspect.signature(found).parameters else found()
    try:
        return as_agent(found)
    except TypeError as error:
        raise ValueError(str(error)) from None


_MAKERS: dict[str, Callable[[Variant, str], Agent]] = {
    "random": _random,
    "scripted": _scripted,
    "search": _search,
    "net": _net,
    "policy": _policy,
    "pretrained": _pretrained,
    "llm": _llm,
}
