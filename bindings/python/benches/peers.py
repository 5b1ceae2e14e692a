"""capsweep beside the libraries that Python users ask today: trimesh, pybullet and mujoco.

Rays have random origins in a level and are 50 m long. Every library gets the same triangles. The
engines that have no threads of their own are compared with one thread.
"""

from __future__ import annotations

import time
from typing import Any, Callable, Iterator

import numpy as np

import capsweep
import levels

RAYS, SLOW_RAYS, LENGTH = 100_000, 2_000, 50.0
WALKERS, TICKS, DT, SPEED = 64, 120, 1 / 60, 5.0

Case = tuple[str, int, Callable[[], Any]]


def table(name: str, scene: capsweep.Scene, rounds: int) -> None:
    """Prints a table for a level."""
    corners = scene.triangles().vertices
    vertices = np.ascontiguousarray(corners.reshape(-1, 3))
    triangles = np.arange(len(vertices)).reshape(-1, 3)
    feet = levels.standing(scene, RAYS, 11)
    origins = feet + [0, 0, levels.HEIGHT / 2]
    rays = origins, levels.directions(RAYS, 12) * LENGTH
    print(f"Level {name}, {len(triangles)} triangles, one thread:\n")
    print("| work | library | a second | capsweep's multiple | hits |")
    print("|---|---|---:|---:|---:|")
    for work, cases in (("ray", _ray_cases(scene, vertices, triangles, *rays)),
                        ("capsule move", _move_cases(scene, vertices, triangles, feet))):
        first = None
        for library, count, ask in cases:
            best, hits = _fastest(ask, rounds if count > SLOW_RAYS else 2)
            speed = count / best
            first = first or speed
            ratio = "" if library == "capsweep" else f"{first / speed:.1f}×"
            print(f"| {work} | {library} | {speed:,.0f} | {ratio} | {hits} |", flush=True)
    print("\nMuJoCo has no moves of capsules here: a mesh collides as its convex hull.\n")


def _fastest(ask: Callable[[], Any], rounds: int) -> tuple[float, str]:
    seconds, hits = [], ""
    for _ in range(rounds):
        begin = time.perf_counter()
        found = ask()
        seconds.append(time.perf_counter() - begin)
        hits = "" if found is None else f"{found:.1%}"
    return min(seconds), hits


def _ray_cases(scene: capsweep.Scene, vertices: np.ndarray, triangles: np.ndarray,
               origins: np.ndarray, motion: np.ndarray) -> Iterator[Case]:
    # pybullet, trimesh and mujoco see both sides of a triangle.
    yield "capsweep", RAYS, lambda: scene.ray(origins, motion, sides="both", threads=1).hit.mean()
    yield from _trimesh_rays(vertices, triangles, origins, motion)
    yield from _bullet_rays(vertices, triangles, origins, motion)
    yield from _mujoco_rays(vertices, triangles, origins, motion)


def _missing(package: str) -> bool:
    import importlib.util

    if importlib.util.find_spec(package):
        return False
    print(f"| | {package} is not installed | | | |")
    return True


def _trimesh_rays(vertices: np.ndarray, triangles: np.ndarray, origins: np.ndarray,
                  motion: np.ndarray) -> Iterator[Case]:
    if _missing("trimesh"):
        return
    import trimesh

    mesh = trimesh.Trimesh(vertices, triangles, process=False)

    def casts(caster: Any, count: int) -> Callable[[], Any]:
        def cast() -> Any:
            hit = caster.intersects_first(origins[:count], motion[:count])
            return (hit >= 0).mean()

        return cast

    if not _missing("embreex"):
        from trimesh.ray.ray_pyembree import RayMeshIntersector

        embree = RayMeshIntersector(mesh)
        yield "trimesh with embreex, triangles only", RAYS, casts(embree, RAYS)

        def places() -> float:
            found = embree.intersects_location(origins, motion, multiple_hits=False)
            return len(found[0]) / RAYS

        yield "trimesh with embreex, triangles and points", RAYS, places
    if not _missing("rtree"):
        from trimesh.ray.ray_triangle import RayMeshIntersector as Plain

        yield "trimesh", SLOW_RAYS, casts(Plain(mesh), SLOW_RAYS)


def _bullet_level(bullet: Any, vertices: np.ndarray, triangles: np.ndarray, path: str) -> int:
    """A static concave body. pybullet takes large meshes only from files."""
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in vertices)
        file.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)
    shape = bullet.createCollisionShape(bullet.GEOM_MESH, fileName=path,
                                        flags=bullet.GEOM_FORCE_CONCAVE_TRIMESH)
    return int(bullet.createMultiBody(0, shape))


def _bullet(vertices: np.ndarray, triangles: np.ndarray) -> Any:
    import tempfile

    import pybullet

    pybullet.resetSimulation() if pybullet.isConnected() else pybullet.connect(pybullet.DIRECT)
    with tempfile.TemporaryDirectory() as folder:
        _bullet_level(pybullet, vertices, triangles, f"{folder}/level.obj")
    return pybullet


def _bullet_rays(vertices: np.ndarray, triangles: np.ndarray, origins: np.ndarray,
                 motion: np.ndarray) -> Iterator[Case]:
    if _missing("pybullet"):
        return
    bullet, ends = _bullet(vertices, triangles), origins + motion
    size = bullet.MAX_RAY_INTERSECTION_BATCH_SIZE - 1

    def cast() -> float:
        hits = 0
        for first in range(0, RAYS, size):
            part = slice(first, first + size)
            found = bullet.rayTestBatch(origins[part], ends[part], numThreads=1)
            hits += sum(one[0] >= 0 for one in found)
        return hits / RAYS

    yield "pybullet, rayTestBatch", RAYS, cast


def _mujoco_rays(vertices: np.ndarray, triangles: np.ndarray, origins: np.ndarray,
                 motion: np.ndarray) -> Iterator[Case]:
    if _missing("mujoco"):
        return
    import mujoco

    spec = mujoco.MjSpec()
    spec.add_mesh(name="level", uservert=vertices.reshape(-1), userface=triangles.reshape(-1),
                  inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="level")
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    unit = motion / LENGTH
    geom, normal = np.zeros(1, np.int32), np.zeros(3)

    def cast() -> float:
        hits = 0
        for origin, direction in zip(origins[:SLOW_RAYS], unit[:SLOW_RAYS]):
            found = mujoco.mj_ray(model, data, origin, direction, None, True, -1, geom, normal)
            hits += 0 <= found <= LENGTH
        return hits / SLOW_RAYS

    yield "mujoco, mj_ray", SLOW_RAYS, cast
    fan = 1000
    geoms, away = np.zeros(fan, np.int32), np.zeros(fan)
    flat = np.ascontiguousarray(unit[:fan]).reshape(-1)

    def fans() -> float:
        hits = 0
        for origin in origins[:20]:
            mujoco.mj_multiRay(model, data, origin, flat, None, True, -1, geoms, away, None, fan,
                               LENGTH)
            hits += int(((away >= 0) & (away <= LENGTH)).sum())
        return hits / (20 * fan)

    yield f"mujoco, mj_multiRay, {fan} rays from a point", 20 * fan, fans


def _move_cases(scene: capsweep.Scene, vertices: np.ndarray, triangles: np.ndarray,
                feet: np.ndarray) -> Iterator[Case]:
    """64 characters run at 5 m/s for two seconds and turn after each quarter of a second."""
    feet = feet[:WALKERS]
    headings = levels.directions(8 * WALKERS, 13).reshape(8, WALKERS, 3) * [1, 1, 0]
    headings *= SPEED / np.linalg.norm(headings, axis=2, keepdims=True)

    def ours() -> None:
        crowd = capsweep.Crowd(scene, feet)
        for tick in range(TICKS):
            crowd.tick(headings[tick * 8 // TICKS], DT, threads=1)

    yield "capsweep", WALKERS * TICKS, ours
    if _missing("pybullet"):
        return
    bullet = _bullet(vertices, triangles)
    bullet.setGravity(0, 0, -9.81)
    bullet.setTimeStep(DT)
    shape = bullet.createCollisionShape(bullet.GEOM_CAPSULE, radius=levels.RADIUS,
                                        height=levels.HEIGHT - 2 * levels.RADIUS)
    middle = feet + [0, 0, levels.HEIGHT / 2]
    # Group 2 sees the level (group 1) alone: characters pass through each other.
    bodies = [bullet.createMultiBody(80.0, shape, basePosition=at) for at in middle]
    for body in bodies:
        bullet.setCollisionFilterGroupMask(body, -1, 2, 1)
        # No rotation: a character stays upright.
        bullet.changeDynamics(body, -1, localInertiaDiagonal=[0, 0, 0], lateralFriction=0.0)

    def theirs() -> None:
        for body, at in zip(bodies, middle):
            bullet.resetBasePositionAndOrientation(body, at, [0, 0, 0, 1])
        for tick in range(TICKS):
            for body, (x, y, _) in zip(bodies, headings[tick * 8 // TICKS]):
                falling = bullet.getBaseVelocity(body)[0][2]
                bullet.resetBaseVelocity(body, [x, y, falling], [0, 0, 0])
            bullet.stepSimulation()

    yield "pybullet, stepSimulation of capsule bodies", WALKERS * TICKS, theirs
