"""The site is refused if a page of it would load something from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.exceptions import PluginError

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

# Links to follow are fine; these are fetched without being asked.
FETCHED = re.compile(
    r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*?"
    r"\b(?:src|data)=[\"']?(?:https?:)?//[^\"'\s>]+"
    r"|<link\b(?=[^>]*rel=[\"']?(?:stylesheet|preconnect|preload|icon|dns-prefetch))"
    r"[^>]*?href=[\"']?(?:https?:)?//[^\"'\s>]+"
    r"|@import\s+(?:url\()?[\"']?(?:https?:)?//[^\"'\s)]+"
    r"|url\([\"']?(?:https?:)?//[^\"')]+",
)


def on_post_build(config: MkDocsConfig) -> None:
    """Look through every page and style sheet."""
    site = Path(config.site_dir)
    found = [
        f"{path.relative_to(site)}: {match[0]}"
        for suffix in ("*.html", "*.css")
        for path in sorted(site.rglob(suffix))
        for match in FETCHED.finditer(path.read_text("utf-8"))
    ]
    if found:
        raise PluginError("fetched from elsewhere:\n" + "\n".join(found))
