"""Write the golden files again, after rules changed on purpose: python -m tests.golden.write [GAME ...]"""

import sys
from pathlib import Path

import tradewinds.envs as tw
from tests.contract.test_golden import digest, golden_replay
from tests.contract.tools import label, rule_sets


def write(name: str) -> None:
    folder = Path(__file__).parent / name
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / "actions.txt").write_text("\n".join(tw.game(name).actions.names) + "\n", encoding="utf-8")
    sums = []
    for options in rule_sets(name):
        replay = golden_replay(name, options)
        replay.save(folder / f"{label(name, options)}.jsonl")
        sums.append(f"{label(name, options)} {digest(replay):08x}\n")
    (folder / "digests.txt").write_text("".join(sums))


if __name__ == "__main__":
    for chosen in sys.argv[1:] or tw.games():
        write(chosen)
