"""The notebook becomes a page, with what it shows when it is run for this site.

It is kept without outputs, so that nothing in it can go stale.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from mkdocs.structure.files import File
from nbclient import NotebookClient
from traitlets.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from nbformat import NotebookNode

NOTEBOOK = "tutorial.ipynb"
PAGE = "notebook.md"
PATIENCE = 300  # seconds for one cell


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page and its pictures to the site."""
    notebook = executed(Path(config.docs_dir) / NOTEBOOK)
    pictures: dict[str, str] = {}
    text = "\n\n".join(_page(notebook, pictures))
    for name, picture in pictures.items():
        files.append(File.generated(config, name, content=picture))
    files.append(File.generated(config, PAGE, content=text + "\n"))
    return files


def executed(path: Path) -> NotebookNode:
    """Return the notebook with its outputs; what it writes is gone afterwards."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        # Sockets in the folder, since there may be no network, not even within.
        sockets = {"transport": "ipc", "ip": f"{folder}/socket"}
        client = NotebookClient(
            notebook,
            timeout=PATIENCE,
            resources={"metadata": {"path": folder}},
            config=Config(ConnectionFileMixin=sockets),
        )
        return client.execute(env={**os.environ, "IPYTHONDIR": folder})


def _page(notebook: NotebookNode, pictures: dict[str, str]) -> Iterator[str]:
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            yield cell.source
            continue
        yield f"```python\n{cell.source}\n```"
        for output in cell.outputs:
            yield _shown(output, cell.id, pictures)


def _shown(output: Any, cell: str, pictures: dict[str, str]) -> str:  # noqa: ANN401
    """Return an output in Markdown, and keep it if it is a picture."""
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```"
    data = output.data
    if "image/svg+xml" in data:
        name = f"figures/{cell}.svg"
        pictures[name] = data["image/svg+xml"]
        return f"![The picture that this cell draws]({name}){{.paper}}"
    if "text/html" in data:
        frame = '<div class="output" tabindex="0" role="region" aria-label="output">'
        return f"{frame}\n{data['text/html']}\n</div>"
    return f"```text\n{data['text/plain']}\n```"
