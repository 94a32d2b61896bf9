"""What tests of comparisons share."""

import pytest

from tradewinds.envs.core.engine.kernel import JIT

many_games = pytest.mark.skipif(not JIT, reason="too many games for plain Python, which takes a second for each")
