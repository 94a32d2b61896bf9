"""`python -m tests.audit`: known vulnerabilities of the installed libraries in a few lines, from pip-audit's report.

A finding fails nothing: it becomes known on some day, and no change of that day is to blame.
"""

import json
import subprocess
import sys
from typing import Any

COMMAND = (sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--timeout", "10", "--skip-editable", "--format", "json")
UNREACHABLE = "audit skipped: the database cannot be reached"


def summary(report: str) -> list[str]:
    """The lines for people: what is vulnerable, and how many libraries could not be looked up.

    Args:
        report: What pip-audit wrote; no JSON if it found no way to its database at all.
    """
    try:
        found: list[dict[str, Any]] = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return [UNREACHABLE]
    audited = [library for library in found if "skip_reason" not in library]
    if not audited:
        return [UNREACHABLE]
    lines = [
        f"audit: {library['name']} {library['version']} has {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'no version yet'}"
        for library in audited
        for flaw in library["vulns"]
    ]
    skipped = f"; {len(found) - len(audited)} could not be looked up" if len(audited) < len(found) else ""
    return [*lines, f"audit: {len(lines)} known vulnerabilities in {len(audited)} libraries{skipped}"]


def main() -> None:
    done = subprocess.run(COMMAND, capture_output=True, text=True)
    print("\n".join(summary(done.stdout)))


if __name__ == "__main__":
    main()
