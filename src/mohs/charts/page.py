"""A page that holds a chart and everything needed to show it.

The chart is there twice, in dark letters for print and for light screens and in light
letters for dark ones; a style sheet shows one of them. The page's own policy forbids it
to load anything, so it cannot ask anyone for anything even by mistake.
"""

from __future__ import annotations

import html
import json
from typing import Any

_FRAME = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; \
img-src data: blob:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
body {{ margin: 1rem; background: {light}; }}
.chart {{ overflow-x: auto; }}
.dark {{ display: none; }}
@media screen and (prefers-color-scheme: dark) {{
  body {{ background: {dark}; }}
  .chart.dark {{ display: block; }}
  .chart.light {{ display: none; }}
}}
</style>
</head>
<body>
<div class="chart light"><div id="light"></div></div>
<div class="chart dark"><div id="dark"></div></div>
<noscript>This chart is drawn by a script inside this page.</noscript>
<script>
{bundle}
</script>
<script>
const spec = {spec};
const options = {{
  mode: "vega-lite", renderer: "svg",
  actions: {{export: true, source: false, compiled: false, editor: false}},
}};
const dark = (spec.usermeta ?? {{}}).dark ?? spec.config;
delete spec.usermeta;
vegaEmbed("#light", spec, options);
const night = {{...options, tooltip: {{theme: "dark"}}}};
vegaEmbed("#dark", {{...spec, config: dark}}, night);
</script>
</body>
</html>
"""


def page(spec: dict[str, Any], bundle: str) -> str:
    """Return the page of a chart; the script ``bundle`` defines ``vegaEmbed``."""
    config = spec.get("config", {})
    dark = spec.get("usermeta", {}).get("dark", config)
    return _FRAME.format(
        title=html.escape(_title(spec)),
        light=config.get("background", "#ffffff"),
        dark=dark.get("background", "#ffffff"),
        bundle=bundle,
        spec=_script(spec),
    )


def _title(spec: dict[str, Any]) -> str:
    title = spec.get("title", "Chart")
    text = title.get("text", "") if isinstance(title, dict) else title
    return " ".join(text) if isinstance(text, list) else str(text)


def _script(value: object) -> str:
    """Return JSON that cannot end the script it stands in."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.replace("<", "\\u003c")
