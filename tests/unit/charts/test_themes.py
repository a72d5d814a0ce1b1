"""Themes can be read: on paper, on a dark screen, and by colour-blind readers."""

from itertools import combinations

import numpy as np
import pytest

from mohs.analysis.anova.effects import SIZES
from mohs.charts.themes import CLASSES, THEMES, Colours

GROUNDS = [(name, ground) for name in THEMES.names() for ground in ("light", "dark")]

# What the Web Content Accessibility Guidelines 2.1 ask for, level AA.
TEXT, SHAPES = 4.5, 3.0

# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of
# color vision deficiency", IEEE TVCG 2009: nobody's eyes, and three kinds of blindness.
EYES = {
    "all cones": np.eye(3),
    "no red cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no green cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no blue cones": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colour: str) -> np.ndarray:
    """Return the light of a colour: red, green and blue in [0, 1]."""
    coded = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(TO_XYZ[1] @ linear(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, eye: np.ndarray) -> np.ndarray:
    """Return CIELAB's coordinates of a colour as an eye sees it."""
    seen = np.clip(eye @ linear(colour), 0, 1)
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ seen / (TO_XYZ @ np.ones(3)), 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def colours(name: str, ground: str) -> Colours:
    return getattr(THEMES[name], ground)


@pytest.mark.parametrize(("name", "ground"), GROUNDS)
def test_letters_and_lines_stand_out(name: str, ground: str) -> None:
    used = colours(name, ground)
    letters = used.text, used.muted, *used.classes
    assert min(contrast(each, used.ground) for each in letters) >= TEXT
    assert contrast(used.rule, used.ground) >= SHAPES
    on_boxes = contrast(used.text, used.box), contrast(used.text, used.band)
    assert min(on_boxes) >= TEXT


@pytest.mark.parametrize(("name", "ground"), GROUNDS)
def test_dots_stand_out_from_the_band_of_chance(name: str, ground: str) -> None:
    used = colours(name, ground)
    assert min(contrast(each, used.band) for each in used.classes) >= SHAPES


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("ground", ["light", "dark"])
def test_classes_differ_for_every_eye(ground: str, eye: str) -> None:
    # A difference of 2.3 is just noticeable; side by side, 15 is beyond doubt.
    seen = [lab(each, EYES[eye]) for each in colours("blue-orange", ground).classes]
    apart = [np.linalg.norm(one - other) for one, other in combinations(seen, 2)]
    assert min(apart) > 15


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_series_stand_out_and_differ_for_every_eye(ground: str) -> None:
    used = colours("blue-orange", ground)
    assert min(contrast(each, used.ground) for each in used.series) >= SHAPES
    for eye in EYES.values():
        seen = [lab(each, eye) for each in used.series]
        apart = [np.linalg.norm(one - other) for one, other in combinations(seen, 2)]
        assert min(apart) > 15


@pytest.mark.parametrize(("name", "ground"), GROUNDS)
def test_every_size_of_an_effect_has_a_colour(name: str, ground: str) -> None:
    used = colours(name, ground)
    config = THEMES[name].config(dark=ground == "dark")
    assert config["range"]["ramp"] == [*used.sizes]
    assert len({*used.sizes}) == len(SIZES)
    assert min(contrast(each, used.ground) for each in used.sizes) >= TEXT


def test_every_class_has_a_colour() -> None:
    counts = {len(colours(*each).classes) for each in GROUNDS}
    assert counts == {len(CLASSES)}


def test_the_ground_is_painted() -> None:
    # A picture without one is black on black in a dark notebook.
    for name, ground in GROUNDS:
        config = THEMES[name].config(dark=ground == "dark")
        assert config["background"] == colours(name, ground).ground
