"""The text of a network's card, CARD.md."""

from pathlib import Path
from typing import Any

import yaml

from tradewinds.agents.neural.checkpoint import TENSORS, read_facts, search_code
from tradewinds.envs.core.spec.game import Variant

from .card_files import CONFIG, SEED, START_CONFIG, START_RUN, CardError, notes_of, read_results, variant_of
from .config import ConfigError, load_config


def card(folder: Path) -> str:
    """The text of a network's card."""
    facts, variant, results = read_facts(folder), variant_of(folder), read_results(folder)
    game, players, notes, sizes = variant.game, variant.players, notes_of(folder), facts["network"]
    config = _config_of(folder)
    size = (folder / TENSORS).stat().st_size
    observed = int(facts["observation"].partition(" ")[0])
    blocks = f"{sizes['blocks']} block{'s' * (sizes['blocks'] != 1)}"
    by_hand, learned = "rules and observation | written by hand", "the policy"
    inputs = f"the information state of a seat: {observed}"
    if sizes["has_base"]:
        ratings = "its ratings of the legal actions are inputs of the network and the base of its logits"
        by_hand, learned = (
            f"rules, observation and the scripted bot | written by hand; {ratings}",
            "what the policy changes in these ratings",
        )
        inputs += f"; the bot's ratings: {sizes['inputs'] - observed}"
    average = " The weights are the average of the last part of the run, not a chosen checkpoint." if config["average"]["last"] else ""
    return f"""{_metadata(folder, variant, results)}
# {game.title}, {players} players

The network that comes with Tradewinds for {game.title} with {players} players and the base game's rules. `policy` plays its most probable
action and `policy:sample` samples from it, both without search; `pretrained` is `search:{search_code(folder)}` with it.

| part | how it was made |
|---|---|
| {by_hand} |
| {learned}, and the value of every seat | learned by {_learned(config, notes)} |
| the moves of `policy` | neither searched nor looked ahead: one evaluation of the network |
| the moves of `pretrained` | information-set Monte Carlo tree search with this network |

- Network: residual perceptron, width {sizes["width"]}, {blocks}; {sizes["inputs"]} numbers in ({inputs}), a logit per
  action and two values per seat (the win and the margin) out. float32, {size / 1000:,.0f} kB.
- Made by {_commands(folder, game.name)};
  [the config]({CONFIG}) has every setting.{average}

## Results

`tradewinds evaluate {game.name} --agent A --opponents B --players {players} --games N --seed {SEED}`: one A, with B in all other seats,
every seed once in each seat. {_fair(players)} is even. Games of this seed were used neither in training nor in choosing settings. The
interval takes the seed as the unit; the margin is to the best other score.

{_results_table(results, players)}

## Limits

- It plays the base game with {players} players. Reward, visibility and limits on the length of a game may be any, because it reads what a
  seat with perfect recall knows. For expansions it is not used.
- It was trained in games {_company(config)}. How it does against people was not measured.
- One training run with one seed. Another run of the same config gives another network, and the interval of a win rate says nothing about
  that.
"""


def _metadata(folder: Path, variant: Variant, results: list[dict[str, Any]]) -> str:
    """The block that the Hugging Face Hub reads."""
    title = f"{variant.game.title}, {variant.players} players"
    entries = [
        {
            "task": {"type": "reinforcement-learning", "name": "reinforcement-learning"},
            "dataset": {"type": f"tradewinds/{variant.game.name}", "name": f"{title}: {match(result)}"},
            "metrics": [
                {"type": "win_rate", "name": "win rate", "value": result["win_rate"]},
                {"type": "win_rate_95_low", "name": "95% interval, low", "value": result["ci95"][0]},
                {"type": "win_rate_95_high", "name": "95% interval, high", "value": result["ci95"][1]},
            ],
        }
        for result in results
    ]
    tags = ["reinforcement-learning", "multi-agent", "self-play", "board-games", "tradewinds", variant.game.name]
    data: dict[str, Any] = {"license": "mit", "library_name": "tradewinds", "pipeline_tag": "reinforcement-learning", "tags": tags}
    if results:
        data["model-index"] = [{"name": folder.name, "results": entries}]
    return f"---\n{yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)}---\n"


def _commands(folder: Path, game: str) -> str:
    """The commands that make a network: two if its run started from another network."""
    last = f"`tradewinds train {game} --config agents/pretrained/{folder.name}/{CONFIG}"
    if not (folder / START_CONFIG).is_file():
        return f"{last}`"
    first = f"`tradewinds train {game} --config agents/pretrained/{folder.name}/{START_CONFIG} --name {Path(START_RUN).name}`"
    return f"{first}\n  and then {last} --own-agents`"


def _learned(config: dict[str, Any], notes: dict[str, Any]) -> str:
    """How a network was trained, and how long."""
    if "generation" in notes:
        first = f"PPO in self-play ({notes['start_steps'] / 1e6:,.1f} million steps), then " if "start_steps" in notes else ""
        number = f"{notes['generation']} generation{'s' * (notes['generation'] != 1)}"
        games = f"{notes['games']:,} games that `{config['expert']['teacher']}` with the network before it played against itself"
        return f"{first}expert iteration ({number}): from {games}"
    stages = []
    if notes["bc_steps"]:
        stages.append(f"behaviour cloning of `{config['bc']['teacher']}` ({notes['bc_steps'] / 1e6:,.1f} million steps)")
    if notes["ppo_steps"]:
        planned = config["ppo"]["total_timesteps"]
        of_plan = "" if notes["ppo_steps"] >= planned else f" of {planned / 1e6:,.0f} million planned"
        before = f"{notes['start_steps'] / 1e6:,.1f} million steps, then " if "start_steps" in notes else ""
        stages.append(f"PPO in self-play ({before}{notes['ppo_steps'] / 1e6:,.1f} million steps{of_plan})")
    time = f"{notes['seconds'] / 60:,.0f} minutes on {_threads(config)} of a shared machine"
    return f"{', then '.join(stages) or 'nothing yet'}; {notes['episodes']:,} episodes, {time}"


def _company(config: dict[str, Any]) -> str:
    """The opponents that a network was trained against."""
    if config["expert"]["generations"]:
        return f"of `{config['expert']['teacher']}` with earlier networks, against itself"
    pool = config["opponent_pool"]
    met = ["itself"] + ["earlier versions of itself"] * bool(pool["past_prob"]) + [f"`{code}`" for code in pool["agents"]]
    return f"of {', '.join(met)}" if config["ppo"]["total_timesteps"] else f"of `{config['bc']['teacher']}`"


def _threads(config: dict[str, Any]) -> str:
    return {None: "all cores", 0: "all cores", 1: "one core"}.get(config.get("threads"), f"{config.get('threads')} cores")


def _results_table(results: list[dict[str, Any]], players: int) -> str:
    if not results:
        return "Not measured yet."
    lines = ["| one | against | games | win rate | 95% interval | mean margin |", "|---|---|--:|--:|---|--:|"]
    for result in results:
        low, high = result["ci95"]
        margin = "" if result["mean_margin"] is None else f"{result['mean_margin']:+z.1f}"
        lines.append(
            f"| `{result['agent']}` | {players - 1} `{result['opponent']}` | {result['games']:,} | {result['win_rate']:.1%}"
            f" | {low:.1%} to {high:.1%} | {margin} |"
        )
    return "\n".join(lines)


def match(result: dict[str, Any]) -> str:
    """A match in words."""
    return f"one {result['agent']} against {result['players'] - 1} {result['opponent']}"


def _fair(players: int) -> str:
    return f"{100 / players:.3g}%"


def _config_of(folder: Path) -> dict[str, Any]:
    try:
        return load_config(folder / CONFIG).model_dump()
    except ConfigError as error:
        raise CardError(str(error)) from None
