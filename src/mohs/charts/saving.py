"""Charts into files, without a browser and without a network.

The converter holds Vega, a typesetter and a font, so a picture depends on nothing else
but the fonts that are installed for letters which that font lacks.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol

from mohs.charts.drawing import chart
from mohs.charts.page import page
from mohs.charts.pdf import canonical
from mohs.files import canonical_json, check_writable, write_bytes
from mohs.registry import Registry

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

Spec = dict[str, Any]

# Dots per CSS pixel: sharp on paper at the size of a column.
_SCALE = 2.0


class Picture(Protocol):
    """Turns the specification of a chart into the bytes of a file."""

    def __call__(self, spec: Spec, version: str, /) -> bytes:
        """Return the bytes; ``version`` is that of Vega-Lite."""
        ...


PICTURES: Registry[Picture] = Registry("kind of picture")


def save(
    picture: Any,  # noqa: ANN401 (a chart, or any result that has one)
    path: str | os.PathLike[str],
    **options: Any,  # noqa: ANN401 (those of the chart)
) -> None:
    """Write a chart, or the chart of a result, whole or not at all.

    Parameters
    ----------
    picture
        A result, or any chart of Altair.
    path
        Its suffix picks the kind: ``.html`` (one page that loads nothing), ``.svg``,
        ``.png``, ``.pdf``, or ``.json`` (Vega-Lite).
    **options
        Those of `mohs.chart`, for a result.

    Raises
    ------
    UnknownNameError
        If the suffix is another one.
    InputError
        If the file cannot be written.

    Examples
    --------
    >>> save(None, "figure.gif")
    Traceback (most recent call last):
    mohs.errors.UnknownNameError: no kind of picture named '.gif'. Known: .html, .json, .pdf, .png, .svg.
    """  # noqa: E501
    form = _form(path)
    write_bytes(path, form(*_specified(picture, options)))


def svg(picture: Any, **options: Any) -> str:  # noqa: ANN401 (as `save`)
    """Return a chart, or the chart of a result, as a picture in a page.

    Parameters
    ----------
    picture
        A result, or any chart of Altair.
    **options
        Those of `mohs.chart`, for a result; ``dark`` for a dark screen.
    """
    return _svg(*_specified(picture, options)).decode()


def _specified(
    picture: Any,  # noqa: ANN401
    options: Mapping[str, Any],
) -> tuple[Spec, str]:
    """Return the specification of a chart, and the version of its language."""
    import altair as alt

    drawn = picture if isinstance(picture, alt.TopLevelMixin) else None
    if drawn is None:
        drawn = chart(picture, **options)
    # A chart holds all of its data, however many rows a user's own chart has.
    with alt.data_transformers.enable("default", max_rows=None):
        spec = _clean(drawn.to_dict())
    return spec, ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])


def check_picture(path: str | os.PathLike[str]) -> None:
    """Refuse a picture that could not be saved, before any work is done.

    Raises
    ------
    UnknownNameError
        If the suffix is not that of a picture.
    InputError
        If the file could not be written.
    """
    _form(path)
    check_writable(path)


def _form(path: str | os.PathLike[str]) -> Picture:
    return PICTURES[PurePath(path).suffix.lower()]


@PICTURES.add(".html")
def _html(spec: Spec, version: str) -> bytes:
    return page(spec, _bundle(version)).encode()


@PICTURES.add(".json")
def _json(spec: Spec, version: str) -> bytes:  # noqa: ARG001 (it names its schema)
    return (canonical_json(spec) + "\n").encode()


@PICTURES.add(".pdf")
def _pdf(spec: Spec, version: str) -> bytes:
    import vl_convert

    return canonical(vl_convert.vegalite_to_pdf(spec, version, **_ALONE))


@PICTURES.add(".png")
def _png(spec: Spec, version: str) -> bytes:
    import vl_convert

    return vl_convert.vegalite_to_png(spec, version, scale=_SCALE, **_ALONE)


@PICTURES.add(".svg")
def _svg(spec: Spec, version: str) -> bytes:
    import vl_convert

    svg = vl_convert.vegalite_to_svg(spec, version, **_ALONE)
    return (_renumbered(svg) + "\n").encode()


@cache
def _bundle(version: str) -> str:
    """Return the scripts of a page, which take longer to bundle than most to draw."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", version)


# Nothing is fetched, whatever a chart says.
_ALONE: Mapping[str, Any] = {"allowed_base_urls": []}

# Characters that XML forbids end the converter, and the whole process with it.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _clean(value: Any) -> Any:  # noqa: ANN401 (any part of a specification)
    """Replace the characters that XML forbids."""
    if isinstance(value, str):
        return _FORBIDDEN.sub("\ufffd", value)
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(each) for key, each in value.items()}
    return value


# Parts of a picture that others refer to. Vega counts them through a whole process.
_PARTS = re.compile(r"(?<=[\"#])(clip|gradient_)\d+(?=[\")])")


def _renumbered(svg: str) -> str:
    """Count the named parts of a picture from 0."""
    numbers: dict[str, str] = {}
    return _PARTS.sub(
        lambda found: numbers.setdefault(found[0], f"{found[1]}{len(numbers)}"), svg
    )
