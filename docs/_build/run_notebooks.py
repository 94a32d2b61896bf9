"""Run notebooks from top to bottom and store their outputs: `make notebooks`, or `python docs/_build/run_notebooks.py FILE...`."""

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
STAMP = "code_sha256"  # in a notebook's metadata: the code that gave the outputs


def code_hash(notebook: nbformat.NotebookNode) -> str:
    """A hash of the code cells."""
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256(json.dumps(sources).encode()).hexdigest()


def run(path: Path) -> None:
    """Run one notebook in an empty folder. Nothing is stored if a cell fails or writes to stderr."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook, timeout=3600, kernel_name="python3", coalesce_streams=True, resources={"metadata": {"path": folder}}
        )
        client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of day
        if any(output.get("name") == "stderr" for output in cell.get("outputs", [])):
            raise SystemExit(f"{path.name} writes to stderr: {cell.outputs}")
    notebook.metadata.language_info = {"name": "python"}
    notebook.metadata[STAMP] = code_hash(notebook)
    nbformat.write(notebook, path)
    print(path.name)


if __name__ == "__main__":
    os.environ["JUPYTER_PLATFORM_DIRS"] = "1"  # without it jupyter_core warns
    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")):
        run(path)
