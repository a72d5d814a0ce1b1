"""Reporting: results become the value of a page, and that becomes one file of HTML.

Nothing is computed here that a result can tell, and nothing is loaded from elsewhere by
a page. Jinja2 is loaded when a page is rendered.
"""

from __future__ import annotations

from mohs.reporting.request import Report, report

__all__ = ["Report", "report"]
