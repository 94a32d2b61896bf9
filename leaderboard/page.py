"""The files of the leaderboard, and the page of the documentation that shows them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tradewinds.envs.core.io.atomic import write_file
from tradewinds.training.benchmark import suites as b
from tradewinds.training.benchmark.files import OtherVersionError, ResultError, read, text_of

FOLDER = Path(__file__).parent
SUITES = {"quick": "Suite `quick`: the default set-ups", "full": "Suite `full`: all player counts and expansions"}
HEAD = """\
# Leaderboard

<!-- Written by `python -m tradewinds.leaderboard` from the files in leaderboard/. -->

Scores are normalised: `random` has 0, `scripted` has 100. [Benchmark](benchmark.md) says how, and how to submit a result.
Every row is a file in `leaderboard/` that `tradewinds benchmark --verify FILE` checks by playing some of its games again.
An agent that cannot play every set-up of a suite has no row there.
"""


def add(files: Sequence[Path], folder: Path = FOLDER) -> None:
    """Copy result files into the leaderboard, then compute the scores of all: they follow from the files of `random` and `scripted`.

    Their commands are those that give the same result anywhere.

    Raises:
        OSError: A file cannot be read or written.
        ResultError: A file is not a valid result, or would have the name of another agent's; then nothing is added.
    """
    found: dict[Path, dict[str, Any]] = {}
    for result in (read(file, scored=False) for file in files):
        target = folder / b.file_name(result["agent"], result["suite"])
        there = found.get(target) or (read(target, scored=False) if target.exists() else result)
        if there["agent"] != result["agent"]:  # `net:runs/a` and `net:runs_a` give the same name
            raise ResultError(f"{target} is of the agent {there['agent']!r}: a result of {result['agent']!r} would overwrite it")
        found[target] = result
    for target, result in found.items():
        write_file(target, text_of(result).encode())
    for file in sorted(folder.glob(f"*-v{b.VERSION}-*.json")):
        result = read(file, scored=False)
        provenance = {**result["provenance"], "command": b.command_of(result["agent"], result["suite"])}  # no path of a machine
        scored = {**result, **b.score(result["tasks"], result["suite"]), "provenance": provenance}
        write_file(file, text_of({**scored, "checksum": b.checksum(scored)}).encode())


def results() -> list[dict[str, Any]]:
    """The results in this folder that belong to this version of the benchmark, the best score first.

    Raises:
        ResultError: A file is not valid, or has not the name of its agent and suite. Whoever hands in a file writes into the page.
    """
    found = []
    for file in sorted(FOLDER.glob("*.json")):
        with suppress(OtherVersionError):
            result = read(file)
            if file.name != (wanted := b.file_name(result["agent"], result["suite"])):
                raise ResultError(f"{file} must be called {wanted}")
            found.append({**result, "file": file.name})
    return sorted(found, key=lambda result: -(result["score"] or 0))


def page() -> str:
    """The page, in Markdown."""
    found = results()
    if not found:
        return HEAD + "\nNo results of this version yet.\n"
    return "\n".join([HEAD, *(line for suite in SUITES for line in _suite(suite, [r for r in found if r["suite"] == suite]))])


def _suite(suite: str, found: list[dict[str, Any]]) -> Iterator[str]:
    if not found:
        return
    yield f"## {SUITES[suite]}, version {found[0]['version']}\n"
    yield from _table(
        ["agent", "score", "95% interval", "failed games", "file"],
        [[f"`{result['agent']}`", *b.score_cells(result), str(result["failures"]), f"`{result['file']}`"] for result in found],
    )
    yield "### Scores by set-up\n"
    yield from _table(
        ["set-up", *(f"`{result['agent']}`" for result in found)],
        [[f"`{name}`", *(b.score_cells(result["set_ups"][name])[0] for result in found)] for name in found[0]["set_ups"]],
    )
    yield "### Win rates\n"
    for set_up in found[0]["set_ups"]:
        names = [task["task"].removeprefix(f"{set_up}/") for task in found[0]["tasks"] if task["task"].rpartition("/")[0] == set_up]
        yield f"`{set_up}`, by opponent in all other seats:\n"
        rows = []
        for result in found:
            of = {task["task"]: task for task in result["tasks"]}
            cells = (of[f"{set_up}/{name}"] for name in names)
            rows.append([f"`{result['agent']}`", *(f"{t['win_rate']:.1%} ({t['ci95'][0]:.1%} to {t['ci95'][1]:.1%})" for t in cells)])
        yield from _table(["agent", *(f"`{name}`" for name in names)], rows)


def _table(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|---|{'--:|' * (len(heads) - 1)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""
