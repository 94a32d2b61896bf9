"""What `make lint` says of known vulnerabilities."""

import json
from typing import Any

import pytest

from tests.audit import UNREACHABLE, summary

GOOD: dict[str, Any] = {"name": "numpy", "version": "2.0", "vulns": []}
FLAWS = [{"id": "PYSEC-1", "fix_versions": ["2.2"]}, {"id": "GHSA-2", "fix_versions": []}]
BAD: dict[str, Any] = {"name": "torch", "version": "2.1", "vulns": FLAWS}
SKIPPED: dict[str, Any] = {"name": "tradewinds", "skip_reason": "distribution marked as editable"}


@pytest.mark.parametrize("report", ["", "no connection", "[]", json.dumps({"dependencies": [SKIPPED] * 180}), '{"dependencies": []}'])
def test_without_its_database_the_audit_is_one_line(report: str) -> None:
    assert summary(report) == [UNREACHABLE]


def test_only_vulnerable_libraries_are_listed_and_the_skipped_ones_counted() -> None:
    assert summary(json.dumps({"dependencies": [GOOD, BAD, SKIPPED]})) == [
        "audit: torch 2.1 has PYSEC-1, fixed in 2.2",
        "audit: torch 2.1 has GHSA-2, fixed in no version yet",
        "audit: 2 known vulnerabilities in 2 libraries; 1 could not be looked up",
    ]
    assert summary(json.dumps({"dependencies": [GOOD]})) == ["audit: 0 known vulnerabilities in 1 libraries"]
