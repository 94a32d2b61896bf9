"""The notebooks run from top to bottom, on small settings and with warnings as errors, and are kept with the outputs of a full run."""

import re
import runpy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
RUNNER = runpy.run_path(str(FOLDER.parent / "docs" / "_build" / "run_notebooks.py"))


def test_there_are_notebooks() -> None:
    titles = ["1_first_steps", "2_train_and_evaluate", "3_your_own_agent", "4_stable_baselines3", "5_residual_self_play"]
    assert [path.stem for path in NOTEBOOKS] == [*titles, "6_vector_environments"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_with_the_outputs_of_one_run_from_top_to_bottom(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert outputs and not any(output.output_type == "error" or output.get("name") == "stderr" for output in outputs)
    assert not re.search(r"/(home|root|tmp|work|Users)/", str(outputs))  # nothing of the machine it ran on


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_outputs_are_those_of_the_code(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata.get(RUNNER["STAMP"]) == RUNNER["code_hash"](notebook), "run `make notebooks`"


def test_some_outputs_are_pictures() -> None:
    shown = [
        kind
        for path in NOTEBOOKS
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    ]
    assert "image/svg+xml" in shown and shown.count("image/png") >= 4


@pytest.mark.compiled
@pytest.mark.integration
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADEWINDS_SMALL", "1")
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")  # without it jupyter_core warns
    notebook = nbformat.read(path, as_version=4)
    strict = nbformat.v4.new_code_cell("import warnings\n\nwarnings.simplefilter('error')")
    notebook.cells.insert(0, strict)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert shown and not any(output.output_type == "error" or output.get("name") == "stderr" for output in shown)
