"""The notebooks run from top to bottom, on small settings and with warnings as errors, and are kept without outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["1_first_steps", "2_train_and_evaluate", "3_your_own_agent", "4_stable_baselines3"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")


@pytest.mark.compiled
@pytest.mark.integration
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADEWINDS_SMALL", "1")
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")  # without it jupyter_core warns
    notebook = nbformat.read(path, as_version=4)
    strict = nbformat.v4.new_code_cell("import warnings\n\nwarnings.simplefilter('error')")
    notebook.cells.insert(0, strict)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert shown and not any(output.output_type == "error" or output.get("name") == "stderr" for output in shown)
