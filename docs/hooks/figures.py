"""Pictures of the pages, drawn anew with every build from a generated collection."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

import mohs
from mohs.charts import save

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

SEED = 7  # the one that pages show


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pictures to the site."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = mohs.sample(folder / "collection", seed=SEED)
        result = mohs.difficulty(made.qrels, made.runs)
        for shade in ("light", "dark"):
            path = folder / f"difficulty-{shade}.svg"
            save(result, path, dark=shade == "dark")
            content = path.read_text("utf-8")
            files.append(
                File.generated(config, f"figures/{path.name}", content=content)
            )
    return files
