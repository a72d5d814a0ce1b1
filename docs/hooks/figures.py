"""Pictures of the pages and a report, made anew with every build from a collection."""

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
    """Add the pictures and the report to the site."""
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
        report = mohs.report(
            made.qrels,
            made.runs,
            topics=made.topics_file,
            truth=made.directory / "truth.csv",
        )
        files.append(File.generated(config, "figures/report.html", content=report.html))
    return files
