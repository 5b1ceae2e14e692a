"""Levels and queries for the benchmarks: generated, or read from a folder of meshes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional

import numpy as np

import capsweep

#: The character of all queries, in metres.
RADIUS, HEIGHT = 0.4, 1.8


def town(seed: int = 1, cells: int = 120) -> capsweep.Scene:
    """Hills of 1 m cells with 300 houses and 40 flights of stairs, as one mesh."""
    random = np.random.default_rng(seed)
    line = np.arange(cells + 1.0)
    x, y = np.meshgrid(line, line)
    z = 1.5 * np.sin(x / 9.0) * np.cos(y / 11.0) + 0.1 * random.random(x.shape)
    vertices = [np.stack([x, y, z], -1).reshape(-1, 3)]
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1)
    row = cells + 1
    triangles = [
        np.stack([corner, corner + 1, corner + row + 1], -1),
        np.stack([corner, corner + row + 1, corner + row], -1),
    ]
    boxes = []
    for _ in range(300):
        half = random.uniform([0.5, 0.5, 1.0], [3.0, 3.0, 4.0])
        boxes.append((random.uniform([4, 4, 0], [cells - 4, cells - 4, 2]), half))
    for _ in range(40):
        foot = random.uniform([6, 6, 0], [cells - 10, cells - 6, 1])
        boxes += [(foot + [0.3 * i, 0, 0.1 * i], np.array([0.15, 1.0, 0.1 + 0.1 * i]))
                  for i in range(10)]
    signs = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in range(8)]) * 2.0 - 1.0
    faces = np.array([[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4],
                      [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]])
    count = len(vertices[0])
    for center, half in boxes:
        vertices.append(center + signs * half)
        triangles.append(faces + count)
        count += 8
    scene = capsweep.Scene()
    scene.add_mesh(np.concatenate(vertices), np.concatenate(triangles))
    return scene


def load(meshes: Optional[str]) -> dict[str, capsweep.Scene]:
    """The levels of a folder, or the generated one."""
    names = ("dungeon.obj", "nav_test.obj", "building.obj")
    paths = [Path(meshes) / name for name in names] if meshes else []
    found = {path.stem: capsweep.open(path, progress=False) for path in paths if path.exists()}
    if meshes and not found:
        print(f"{meshes} has none of {', '.join(names)}: the generated level takes their place")
    return found or {"town": town()}


def saved(scene: capsweep.Scene, folder: "os.PathLike[str] | str", name: str) -> str:
    """The path of a scene file of the level."""
    path = os.path.join(folder, f"{name}.capsweep")
    scene.save(path)
    return path


def standing(scene: capsweep.Scene, rows: int, seed: int) -> np.ndarray:
    """Feet 2 cm above surfaces, below random points of the level."""
    random, bounds, found, count = np.random.default_rng(seed), scene.bounds, [], 0
    assert bounds is not None
    while count < rows:
        feet = random.uniform(bounds[0], bounds[1] + [0, 0, 1], (max(rows, 1000), 3))
        down = np.array([0, 0, -(bounds[1, 2] - bounds[0, 2] + 2.0)])
        hits = scene.sweep(feet=feet, height=HEIGHT, radius=RADIUS, motion=down)
        landed = hits.hit & (hits.distance > 0.02)
        found.append(feet[landed] - [0, 0, 1] * (hits.distance[landed, None] - 0.02))
        count += len(found[-1])
        if count == 0:
            raise SystemExit("nothing can stand in this level")
    return np.concatenate(found)[:rows]


def directions(rows: int, seed: int) -> np.ndarray:
    """Random directions."""
    vectors = np.random.default_rng(seed).normal(size=(rows, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
