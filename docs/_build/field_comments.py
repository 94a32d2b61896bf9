"""An extension of griffe: in the reference the comment behind a field is its description."""

import ast
import re
from typing import Any

import griffe

COMMENT = re.compile(r" {2}# (?!type: |noqa|pyright: )(.+)$")  # the formatter puts two spaces before it


class FieldComments(griffe.Extension):
    """Gives annotated fields of classes, which have no docstrings in Python, the text of their comments."""

    def on_attribute_instance(self, *, node: Any, attr: griffe.Attribute, **_: Any) -> None:
        """Use the comment in the last line of a field, if there is one."""
        is_field = isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and attr.parent and attr.parent.is_class
        if is_field and attr.docstring is None and (found := COMMENT.search(attr.lines[-1])):
            attr.docstring = griffe.Docstring(found[1], parent=attr)
