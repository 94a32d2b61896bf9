"""The prospector (PR-PROSPECTOR-1)."""

from ...core.engine.kernel import kernel
from ..state import Phase
from ..tables import PROSPECTOR_DOUBLOONS
from .common import privilege_size


@kernel
def do_prospect(s):  # PR-PROSPECTOR-1, PR-NB-LIBRARY
    me = int(s.active)
    s.doubloons[me] += PROSPECTOR_DOUBLOONS * privilege_size(s, me)
    s.phase = Phase.ROLE
