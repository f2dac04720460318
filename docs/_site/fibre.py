"""Draws docs/fibre.svg, a curve of parameters with one distribution, by Newton's method: `python docs/_site/fibre.py`."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

PICTURE = Path(__file__).parents[1] / "fibre.svg"

CLASSES, ITEMS = 3, 4
START = np.array([0.35, 0.33, 0.82, 0.36, 0.49, 0.48, 0.18, 0.22, 0.16, 0.71, 0.42, 0.63, 0.46, 0.5])
"""P(H=0), P(H=1), then P(Xi=0|H=h) item by item: a point away from the boundary."""
STEP, MARGIN, LONGEST = 0.004, 0.02, 4000
"""Of the walk along the curve, which ends where a probability comes closer than the margin to 0 or 1."""

ROW, TOP, WIDTH = 17, 58, 800
LEFT, RIGHT, SPAN = 112, 500, 270
"""Where the axes of the two panels begin, and how long they are."""
BLUE, ORANGE, PALE = "#0072b2", "#d55e00", "#cfe3f1"


def split_point(point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities of the classes, and those of answer 0 to each item in each class."""
    first = point[: CLASSES - 1]
    return np.append(first, 1 - first.sum()), point[CLASSES - 1 :].reshape(ITEMS, CLASSES)


def compute_cells(point: np.ndarray) -> np.ndarray:
    """The probabilities of the sixteen patterns of answers."""
    classes, answers = split_point(point)
    rows = [np.stack([row, 1 - row]) for row in answers]
    return np.einsum("h,ah,bh,ch,dh->abcd", classes, *rows).ravel()


def compute_jacobian(point: np.ndarray) -> np.ndarray:
    """The derivatives of the cells, exact but for rounding: an imaginary step does not cancel."""
    steps = point + 1e-30j * np.eye(len(point))
    return np.stack([compute_cells(step).imag / 1e-30 for step in steps], axis=1)


def walk(sign: float) -> list[np.ndarray]:
    """The points of the curve on one side of the start: a step along the kernel, corrected by Newton's method."""
    cells, point, before = compute_cells(START), START, None
    points: list[np.ndarray] = []
    while len(points) < LONGEST:
        tangent = np.linalg.svd(compute_jacobian(point))[2][-1]
        if (tangent[0] * sign < 0) if before is None else (tangent @ before < 0):
            tangent = -tangent
        point = point + STEP * tangent
        for _ in range(4):
            point = point - np.linalg.pinv(compute_jacobian(point), rcond=1e-9) @ (compute_cells(point) - cells)
        classes, answers = split_point(point)
        every = np.concatenate([classes, answers.ravel()])
        if every.min() < MARGIN or every.max() > 1 - MARGIN:
            break
        points.append(point)
        before = tangent
    return points


def follow_fibre() -> np.ndarray:
    """All points of the curve, from edge to edge."""
    return np.array([*reversed(walk(-1.0)), START, *walk(1.0)])


def draw_fibre(points: np.ndarray) -> str:
    """The picture: at its two ends each parameter differs, and no cell does."""
    first, last = points[0], points[-1]
    cells = compute_cells(first), compute_cells(last)
    names = [f"P(H={h})" for h in range(CLASSES - 1)]
    names += [f"P(X{i}=0|H={h})" for i in range(1, ITEMS + 1) for h in range(CLASSES)]
    patterns = ["".join(map(str, pattern)) for pattern in product((0, 1), repeat=ITEMS)]
    scale = 0.05 * np.ceil(max(cells[0]) / 0.05)
    height = TOP + ROW * len(patterns) + 34
    drawn = [
        *draw_heading(LEFT, "14 parameters: two solutions"),
        *draw_heading(RIGHT, "16 probabilities: identical"),
        *draw_axis(LEFT, len(names), 1.0),
        *draw_axis(RIGHT, len(patterns), scale),
    ]
    for number, name in enumerate(names):
        low, high = points[:, number].min(), points[:, number].max()
        y = TOP + ROW * number + ROW / 2
        drawn += [
            draw_name(LEFT, y, name),
            f'<rect x="{LEFT + SPAN * low:.1f}" y="{y - 5:g}" width="{SPAN * (high - low):.1f}" height="10" fill="{PALE}"/>',
            *draw_dots(LEFT, y, first[number], last[number]),
        ]
    for number, pattern in enumerate(patterns):
        y = TOP + ROW * number + ROW / 2
        drawn += [draw_name(RIGHT, y, pattern), *draw_dots(RIGHT, y, *(cell[number] / scale for cell in cells))]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222">'
    )
    return "\n".join(
        [
            head,
            "<title>Three latent classes, four binary items: along a curve of parameters the distribution stays the same</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            *drawn,
            "</svg>",
            "",
        ]
    )


def draw_heading(x: float, text: str) -> list[str]:
    """What a panel shows, and which dot is which."""
    return [
        f'<text x="{x}" y="20" font-size="15" font-weight="bold">{text}</text>',
        f'<circle cx="{x + 5}" cy="38" r="3.5" fill="{BLUE}"/><text x="{x + 14}" y="42">first solution</text>',
        f'<circle cx="{x + 105}" cy="38" r="5.5" fill="none" stroke="{ORANGE}" stroke-width="1.8"/>',
        f'<text x="{x + 116}" y="42">second solution</text>',
    ]


def draw_axis(x: float, rows: int, end: float) -> list[str]:
    """Lines at 0, the middle and the end, with their values below."""
    bottom = TOP + ROW * rows
    return [
        f'<line x1="{x + SPAN * part:g}" x2="{x + SPAN * part:g}" y1="{TOP}" y2="{bottom}" stroke="#ddd"/>'
        f'<text x="{x + SPAN * part:g}" y="{bottom + 16}" text-anchor="middle" fill="#666">{end * part:g}</text>'
        for part in (0, 0.5, 1)
    ]


def draw_name(x: float, y: float, name: str) -> str:
    """A name left of its row."""
    return f'<text x="{x - 8}" y="{y + 4:g}" text-anchor="end">{name}</text>'


def draw_dots(x: float, y: float, first: float, last: float) -> list[str]:
    """A value in both solutions: a dot, and a ring around it where they agree."""
    return [
        f'<circle cx="{x + SPAN * first:.1f}" cy="{y:g}" r="3.5" fill="{BLUE}"/>',
        f'<circle cx="{x + SPAN * last:.1f}" cy="{y:g}" r="5.5" fill="none" stroke="{ORANGE}" stroke-width="1.8"/>',
    ]


if __name__ == "__main__":
    PICTURE.write_text(draw_fibre(follow_fibre()), encoding="utf-8")
