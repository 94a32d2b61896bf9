"""Views for drawing."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from .labels import is_over


def plain_view(view: np.record) -> Any:
    """The same fields as attributes of a plain object: a board reads hundreds of them, and those of a record take 50 times as long.

    A game that is over keeps its record, for the kernels that count its final scores.
    """
    if is_over(view) or view.dtype.names is None:
        return view
    fields = {name: view[name] for name in view.dtype.names}
    return SimpleNamespace(**{name: value if isinstance(value, np.ndarray) else value.item() for name, value in fields.items()})
