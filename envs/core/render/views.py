"""Views for drawing."""

from types import SimpleNamespace
from typing import Any

import numpy as np


def plain_view(view: np.record) -> Any:
    """The same fields as attributes of a plain object: a board reads hundreds of them, and those of a record take 20 times as long."""
    names = view.dtype.names
    assert names is not None
    fields = {name: view[name] for name in names}
    return SimpleNamespace(**{name: value if isinstance(value, np.ndarray) else value.item() for name, value in fields.items()})
