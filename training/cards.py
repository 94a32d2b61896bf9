"""The networks that come with Tradewinds: installing them, measuring them, and writing what was measured.

    python -m tradewinds.training.cards add RUN            # the network of a run becomes the one of its variant
    python -m tradewinds.training.cards evaluate NAME      # plays it against the ladder: agents/pretrained/NAME/results.json
    python -m tradewinds.training.cards row GAME [LABEL AGENT]   # measures a row of "what learns what": docs/results/GAME.json
    python -m tradewinds.training.cards write              # writes all CARD.md, and the tables in README.md and docs/training.md

Cards and tables hold what the files of results say and nothing else: a test compares them.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import tradewinds.envs as tw
from tradewinds.agents import Agent, AgentError, build
from tradewinds.agents.neural.checkpoint import (
    FACTS,
    PRETRAINED,
    TENSORS,
    NetError,
    find_net,
    is_net,
    name_of,
    read,
    read_facts,
    read_for_search,
    trained_variant,
)
from tradewinds.agents.scripted.bot import bot_of
from tradewinds.envs.core.io.atomic import write_file, write_json
from tradewinds.envs.core.spec.game import Variant

from .card_files import (
    CONFIG,
    RESULTS,
    SEED,
    START_CONFIG,
    START_RUN,
    CardError,
    checked_results,
    notes_of,
    read_json,
    read_results,
    variant_of,
)
from .card_text import card, match
from .config import ConfigError, dump_config, load_config
from .evaluation.evaluate import Evaluation, evaluate

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "training.md")
ROWS_FOLDER = ROOT / "docs" / "results"
BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"
GAMES = 2000
CARD = "CARD.md"
SEARCH_SHARE = 10  # matches with search have this fraction of the games
DEFAULT_SEARCH = "1000:horizon=50"  # of the first network of a game
TABLE_PLAYERS = 4
LADDER = ("scripted:greedy", "scripted")  # the columns of the table
ROWS = {  # of the table "what learns what": label -> agent; None where a run has to be named
    "random": "random",
    "greedy": "scripted:greedy",
    "scripted": "scripted",
    "scratch PPO": None,
    "cloned": None,
    "residual PPO": "policy",
    "search": "search:100",
    "search with network": "pretrained:100",
    "SB3": None,
}
EXPLAINED = {
    "random": "uniformly random legal actions",
    "greedy": "the bot's style `greedy`, which looks only at the immediate gain",
    "scripted": "the bot, written by hand",
    "scratch PPO": "self-play, never saw the bot",
    "cloned": "behaviour cloning of the bot",
    "residual PPO": "`policy`: self-play from the bot's ratings, no search",
    "search": "`search:100` with the bot's rollouts",
    "search with network": "`pretrained:100`",
    "SB3": "MaskablePPO of Stable-Baselines3",
}


# Networks


def shipped() -> list[Path]:
    """The folders of the networks, sorted by name."""
    return sorted(folder for folder in PRETRAINED.glob("*-*") if is_net(folder))


def add(run: Path, search: str | None = None) -> Path:
    """Install the network of a run as the one of its variant. Results of the network that was there before are dropped.

    Args:
        run: The folder of the run, whose newest checkpoint is taken.
        search: The settings of the agent `pretrained`, as in a code: `1000:horizon=20`. By default those of the network that
            was there before, or of another one of the same game.

    Returns:
        The network's folder.

    Raises:
        CardError: There is no run, or its network does not fit the agents.
    """
    try:
        config, source = load_config(run / CONFIG), find_net(run)
        variant = trained_variant(config.variant())
        folder = PRETRAINED / name_of(variant)
        if name_of(config.variant()) != folder.name:
            raise CardError(f"{run} was trained for {name_of(config.variant())}, which has the network of {folder.name}")
        read_for_search(source, variant)
        code = search or _search_code_for(folder)
        build(f"search:{code}:net={source}", variant)
        facts = {**json.loads(read(source / FACTS)), "search": code, "notes": notes_of(source)}
        made_by, first_made_by = (run / CONFIG).read_bytes(), None
        if config.network.start is not None:
            first = Path(config.network.start)
            load_config(first / CONFIG)
            first_made_by = (first / CONFIG).read_bytes()
            facts["notes"]["start_steps"] = notes_of(find_net(first))["ppo_steps"]
            made_by = dump_config(config.model_copy(update={"network": config.network.model_copy(update={"start": START_RUN})})).encode()
        tensors = read(source / TENSORS)
    except (ConfigError, NetError, AgentError) as error:
        raise CardError(str(error)) from None
    folder.mkdir(parents=True, exist_ok=True)
    for name in (RESULTS, START_CONFIG):
        (folder / name).unlink(missing_ok=True)
    if first_made_by is not None:
        write_file(folder / START_CONFIG, first_made_by)
    write_file(folder / TENSORS, tensors)
    write_json(folder / FACTS, facts)
    write_file(folder / CONFIG, made_by)
    write_file(folder / CARD, card(folder).encode())
    return folder


def _search_code_for(folder: Path) -> str:
    game = folder.name.partition("-")[0]
    others = [folder, PRETRAINED / f"{game}-{TABLE_PLAYERS}", *shipped()]
    codes = (read_facts(other).get("search") for other in others if is_net(other) and other.name.startswith(f"{game}-"))
    return next((code for code in codes if code), DEFAULT_SEARCH)


# Measuring


def matches(variant: Variant, games: int) -> Iterator[tuple[str, str, int]]:
    """What a card reports: the agent, the opponent in all other seats, and the games."""
    bot = bot_of(variant.game)
    styles = [style for style in bot.styles if style not in (bot.default, "greedy")] if bot is not None else []
    few = max(variant.players, games // SEARCH_SHARE)
    yield from (("policy", code, games) for code in ("random", "scripted:greedy", *(f"scripted:{style}" for style in styles), "scripted"))
    yield from (("policy:sample", "scripted", games), ("scripted", "policy", games), ("policy", "search:100", few))
    yield from (("pretrained:100", code, few) for code in ("scripted:greedy", "scripted", "search:100", "policy"))


def evaluate_network(
    name: str, games: int = GAMES, workers: int | None = None, on_result: Callable[[dict[str, Any]], None] = lambda result: None
) -> list[dict[str, Any]]:
    """Play the matches of a card that are missing, and keep each result when its match ends.

    Args:
        name: The network's folder in agents/pretrained.
        games: Games per match, and a tenth of them with search. A match that was played with as many games is not played again.
        workers: Worker processes, by default one per core.
        on_result: Called with each result.

    Returns:
        All results.

    Raises:
        CardError: There is no such network.
    """
    folder = PRETRAINED / name
    if not is_net(folder):
        raise CardError(f"there is no network {name}; there are {', '.join(path.name for path in shipped())}")
    variant, network = variant_of(folder), read_facts(folder)["sha256"]
    kept = read_results(folder)
    results = {(result["agent"], result["opponent"]): result for result in kept}
    for agent, opponent, wanted in matches(variant, games):
        if results.get((agent, opponent), {}).get("games", 0) < wanted:
            results[agent, opponent] = measured(variant, agent, opponent, wanted, workers)
            ordered = [results[key] for key in ((a, o) for a, o, _ in matches(variant, games)) if key in results]
            _write_json(folder / RESULTS, {"network": network, "results": ordered})
        on_result(results[agent, opponent])
    return read_results(folder)


def measured(variant: Variant, agent: "str | Agent", opponent: str, games: int, workers: int | None) -> dict[str, Any]:
    """The result of a match, as the files of results keep it."""
    options = {name: value for name, value in variant.options.items() if name in ("players",)}
    return result_of(evaluate(variant.game.name, agent, opponent, games=games, seed=SEED, workers=workers, **options))


def result_of(found: Evaluation) -> dict[str, Any]:
    """The part of an evaluation that files of results keep."""
    return {
        "agent": found.agent,
        "opponent": found.opponents[0],
        "players": found.players,
        "games": found.games,
        "seed": found.seed,
        "win_rate": round(found.win_rate, 5),
        "ci95": [round(bound, 5) for bound in found.ci95],
        "mean_margin": None if found.mean_margin is None else round(found.mean_margin, 3),
        "failures": len(found.failures),
    }


# The table "what learns what"


def needs_network(agent: str) -> bool:
    """Whether an agent plays a network of agents/pretrained, whose results are kept beside it."""
    return agent.partition(":")[0] in ("policy", "pretrained")


def measure_row(
    game: str, label: str, agent: "str | Agent | None" = None, games: int = GAMES, workers: int | None = None
) -> list[dict[str, Any]]:
    """Play the agent of a row against each rung of the table, and keep the results in docs/results.

    Args:
        game: The game.
        label: The row.
        agent: The agent or its code, for a row that has none of its own.
        games: Games per match, and a tenth of them with search.
        workers: Worker processes, by default one per core.

    Raises:
        CardError: The table has no such row, or its agent is not known.
    """
    if label not in ROWS:
        raise CardError(f"the table has no row {label!r}; its rows are {', '.join(ROWS)}")
    agent = agent or ROWS[label]
    code = agent if isinstance(agent, str) else ""
    if agent is None or needs_network(code):
        how = "give its agent, such as net:runs/NAME" if agent is None else "evaluate NAME measures it"
        raise CardError(f"the row {label} has no agent of its own here: {how}")
    variant = tw.game(game).with_options(players=TABLE_PLAYERS)
    wanted = max(TABLE_PLAYERS, games // SEARCH_SHARE) if code.startswith(("search", "pretrained")) else games
    results = [measured(variant, agent, opponent, wanted, workers) for opponent in LADDER]
    file = ROWS_FOLDER / f"{game}.json"
    rows = {**_rows(game), label: results}
    file.parent.mkdir(parents=True, exist_ok=True)
    _write_json(file, {label: rows[label] for label in ROWS if label in rows})
    return results


def table() -> str:
    """The table "what learns what": win rates of each row against three greedy and three scripted bots."""
    games = tw.games()
    heads = [f"{tw.game(game).title}: 3 {code.rpartition(':')[2]}" for game in games for code in LADDER]
    lines = [f"| agent | what it is | {' | '.join(heads)} |", f"|---|---|{'--:|' * len(heads)}"]
    for label, agent in ROWS.items():
        cells = [_cell(_find(game, label, agent, code)) for game in games for code in LADDER]
        lines.append(f"| {label} | {EXPLAINED[label]} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _find(game: str, label: str, agent: str | None, opponent: str) -> dict[str, Any] | None:
    folder = PRETRAINED / f"{game}-{TABLE_PLAYERS}"
    of_card = [result for result in (read_results(folder) if is_net(folder) else []) if result["agent"] == agent]
    found = [result for result in [*of_card, *_rows(game).get(label, [])] if result["opponent"] == opponent]
    return found[0] if found else None


def _rows(game: str) -> dict[str, list[dict[str, Any]]]:
    file = ROWS_FOLDER / f"{game}.json"
    rows = read_json(file) or {}
    if not isinstance(rows, dict):
        raise CardError(f"{file} is damaged: it does not hold rows of the table")
    return {label: checked_results(results, file) for label, results in rows.items()}


def _cell(result: dict[str, Any] | None) -> str:
    if result is None:
        return "not measured"
    low, high = result["ci95"]
    return f"{result['win_rate']:.1%} ± {50 * (high - low):.1f}"


def with_table(text: str, page: str) -> str:
    """A page with the table between its two marks.

    Raises:
        CardError: It has no marks.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise CardError(f"{page} has no lines {BEGIN} and {END} for the table")
    return f"{before}{BEGIN}\n{table()}{END}{after}"


def write_all() -> list[Path]:
    """Write all cards and tables. Returns the files that changed."""
    texts = {folder / CARD: card(folder) for folder in shipped()}
    texts |= {page: with_table(page.read_text(encoding="utf-8"), page.name) for page in PAGES}
    changed = [file for file, text in texts.items() if not file.is_file() or file.read_text(encoding="utf-8") != text]
    for file in changed:
        write_file(file, texts[file].encode())
    return changed


def _write_json(file: Path, data: Any) -> None:
    write_file(file, (json.dumps(data, indent=1) + "\n").encode())


# The command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tradewinds.training.cards", description=__doc__.partition("\n")[0] if __doc__ else None
    )
    commands = parser.add_subparsers(dest="command", required=True)
    adding = commands.add_parser("add", help="install the network of a run")
    adding.add_argument("run", type=Path, nargs="+")
    adding.add_argument("--search", metavar="CODE", help="settings of the agent pretrained, as in 1000:horizon=20")
    evaluating = commands.add_parser("evaluate", help="play a network against the ladder; goes on where it was interrupted")
    evaluating.add_argument("name", nargs="*", help="folders of agents/pretrained; by default all")
    measuring = commands.add_parser("row", help='measure a row of the table "what learns what"')
    measuring.add_argument("game")
    measuring.add_argument("label", nargs="?", help="by default all rows without a network")
    measuring.add_argument("agent", nargs="?", help="by default the row's own")
    for command in (evaluating, measuring):
        command.add_argument("--games", type=int, default=GAMES, help="per match, and a tenth of them with search (default %(default)s)")
        command.add_argument("--workers", type=int, help="processes; by default one per core")
    commands.add_parser("write", help="write all cards, and the tables in README.md and docs/training.md")
    given = parser.parse_args(arguments)
    try:
        _run(given)
    except (CardError, ValueError, OSError) as error:
        print(f"cards: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("cards: interrupted; the results of finished matches are kept", file=sys.stderr)
        return 130
    return 0


def _run(given: argparse.Namespace) -> None:
    def show(result: dict[str, Any]) -> None:
        low, high = result["ci95"]
        print(f"{match(result)}: {result['win_rate']:.1%} ({low:.1%} to {high:.1%}), {result['games']:,} games", flush=True)

    if given.command == "add":
        for run in given.run:
            print(add(run, given.search))
    elif given.command == "evaluate":
        for name in given.name or [folder.name for folder in shipped()]:
            print(name)
            evaluate_network(name, given.games, given.workers, show)
    elif given.command == "row":
        labels = [given.label] if given.label else [label for label, agent in ROWS.items() if agent and not needs_network(agent)]
        for label in labels:
            for result in measure_row(given.game, label, given.agent, given.games, given.workers):
                show(result)
    else:
        for file in write_all():
            print(file)


if __name__ == "__main__":
    sys.exit(main())
