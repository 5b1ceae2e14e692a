"""No input crashes the interpreter, hangs it or raises anything but the documented errors."""

import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import capsweep
import capsweep.ray as mappers
from capsweep import pairs

SCENE = capsweep.course()
SCENE.add_sphere((3, 0, 1), 0.5, obstacle=True)
SCENE.add_height_field(np.zeros((3, 3)), spacing=5, position=(0, 20, 0))

#: What a bad argument may raise.
ALLOWED = (capsweep.InputError, capsweep.SceneError, capsweep.LoadError)

numbers = st.one_of(
    st.floats(width=64),
    st.floats(-50, 50),
    st.sampled_from([0.0, -0.0, 1e-320, 1e308, 1e9, 1e9 + 1, 1e6, float("nan"), float("inf")]),
)
vectors = st.one_of(
    st.tuples(numbers, numbers, numbers),
    st.integers(0, 4).flatmap(lambda n: hnp.arrays(np.float64, (n, 3), elements=numbers)),
)
scalars = st.one_of(
    numbers, st.integers(0, 4).flatmap(lambda n: hnp.arrays(np.float64, (n,), elements=numbers))
)
anything = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.binary(max_size=5),
    st.lists(st.one_of(st.none(), st.floats(), st.text(max_size=2)), max_size=4),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2), vectors, scalars,
    hnp.arrays(
        st.one_of(hnp.scalar_dtypes(), hnp.unicode_string_dtypes(), hnp.byte_string_dtypes()),
        hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
    ),
)
invalid = st.sampled_from(["raise", "mark"])


def allowed(call):
    """The answer, or None if a documented error was raised."""
    try:
        return call()
    except ALLOWED as error:
        assert str(error)
        return None


@given(vectors, vectors, scalars, vectors, invalid, st.sampled_from([1, 3]))
@settings(max_examples=150)
def test_any_numbers_in_queries(p0, p1, radius, motion, mark, threads):
    given_ = dict(p0=p0, p1=p1, radius=radius, invalid=mark, threads=threads)
    hits = allowed(lambda: SCENE.sweep(motion=motion, **given_))
    if hits is not None and mark == "raise":
        assert not hits.invalid.any()
        assert (hits.time[hits.hit] >= 0).all() and (hits.time[hits.hit] <= 1).all()
    allowed(lambda: SCENE.sweep_all(motion=motion, **given_))
    allowed(lambda: SCENE.sweep_any(motion=motion, **given_))
    allowed(lambda: SCENE.overlap(**given_))
    allowed(lambda: SCENE.overlap_all(**given_))
    allowed(lambda: SCENE.closest(limit=radius, **given_))
    allowed(lambda: SCENE.depenetrate(**given_))
    allowed(lambda: SCENE.ray(p0, motion, invalid=mark))
    allowed(lambda: SCENE.supports(p0, above=radius, invalid=mark))
    allowed(lambda: SCENE.liquid(p0, invalid=mark))


@given(anything, anything, anything, anything, anything)
@settings(max_examples=300)
def test_any_objects_in_queries(one, two, three, four, five):
    allowed(lambda: SCENE.sweep(one, two, radius=three, motion=four, mask=five))
    allowed(lambda: SCENE.sweep(feet=one, height=two, radius=three, motion=four, up=five))
    allowed(lambda: SCENE.sweep((0, 0, 0), (0, 0, 1), radius=1, motion=(0, 0, 1), ignore=one))
    allowed(lambda: SCENE.sweep((0, 0, 0), (0, 0, 1), radius=1, motion=(0, 0, 1), sides=one))
    allowed(lambda: SCENE.sweep((0, 0, 0), (0, 0, 1), radius=1, motion=(0, 0, 1), threads=one))
    allowed(lambda: SCENE.supports(one, above=two, below=three, up=four, slope_degrees=five))
    allowed(lambda: SCENE.body_name(one))
    allowed(lambda: SCENE.triangles(one, two))


@given(anything, anything, anything, anything, anything, anything)
@settings(max_examples=300)
def test_any_objects_in_building(one, two, three, four, five, six):
    scene = capsweep.Scene()
    allowed(lambda: scene.add_mesh(one, two, position=three, key=four, mask=five, tags=six))
    allowed(lambda: scene.add_mesh(np.zeros((3, 3)), [[0, 1, 2]], position=one, rotation=two,
                                   scale=three))
    allowed(lambda: scene.add_mesh(np.zeros((3, 3)), [[0, 1, 2]], matrix=one))
    allowed(lambda: scene.add_box(one, two, rotation=three, key=four, mask=five))
    allowed(lambda: scene.add_sphere(one, two, key=three))
    allowed(lambda: scene.add_capsule(one, two, three))
    allowed(lambda: scene.add_half_space(one, two))
    allowed(lambda: scene.add_height_field(one, two, holes=three, tags=four, turned=five))
    allowed(lambda: scene.add_liquid(one, two, origin=three, kind=four, wet=five))
    allowed(lambda: scene.move_mesh(one, position=two, rotation=three))
    allowed(lambda: scene.move_box(one, two, three))
    allowed(lambda: scene.remove(one))
    allowed(lambda: scene.sweep((0, 0, 5), (0, 0, 6), radius=1, motion=(0, 0, -9)))
    assert isinstance(repr(scene), str)


@given(vectors, vectors, scalars, vectors)
@settings(max_examples=100)
def test_any_numbers_in_meshes(vertices, position, scale, motion):
    scene = capsweep.Scene()
    corners = np.asarray(vertices, float).reshape(-1, 3)
    count = len(corners)
    triangles = np.arange(count // 3 * 3).reshape(-1, 3)
    allowed(lambda: scene.add_mesh(corners, triangles, position=position, scale=scale))
    allowed(lambda: scene.add_height_field(corners, spacing=1.0))
    allowed(lambda: scene.sweep(position, position, radius=0.5, motion=motion, invalid="mark"))


@given(anything, anything, anything, anything, anything)
@settings(max_examples=200)
def test_any_objects_in_crowds(one, two, three, four, five):
    crowd = capsweep.Crowd(SCENE, [(0, 0, 0), (3, 0, 0)])
    allowed(lambda: capsweep.Crowd(SCENE, one))
    allowed(lambda: crowd.tick(walk=one, dt=two, jump=three, knock_back=four, water=five))
    allowed(lambda: crowd.tick(abilities=one, slippery=two, aboard=three, ignore=four))
    allowed(lambda: crowd.move(one, dt=two))
    allowed(lambda: crowd.teleport(one, two))
    allowed(lambda: crowd.resize(one, two))
    allowed(lambda: crowd.separate(one))
    allowed(lambda: crowd.load(one))
    assert len(crowd.states) == 2


@given(vectors, numbers, vectors)
@settings(max_examples=100)
def test_any_numbers_in_crowds(walk, dt, knock_back):
    crowd = capsweep.Crowd(SCENE, [(0, 0, 0), (3, 0, 0)])
    for _ in range(2):
        allowed(lambda: crowd.tick(walk=walk, dt=dt, knock_back=knock_back))
        allowed(lambda: crowd.move(walk, dt=dt))
    assert np.isfinite(crowd.feet).all()


@given(anything, anything, anything, anything)
@settings(max_examples=200)
def test_any_objects_in_validation(one, two, three, four):
    validator = capsweep.Validator(validation=capsweep.ValidatorConfig(max_queries=200))
    allowed(lambda: validator.check(SCENE, one, two, character=three, speeds=four))
    allowed(lambda: validator.check(SCENE, np.zeros((2, 3)), 0.1, start=one, velocity=two,
                                    mode=three, world=four))
    allowed(lambda: validator.start(SCENE, one, velocity=two, speeds=three))
    allowed(lambda: validator.check(one, np.zeros((2, 3)), 0.1))


@given(vectors, scalars, vectors)
@settings(max_examples=60)
def test_any_numbers_in_validation(feet, dt, velocity):
    validator = capsweep.Validator(validation=capsweep.ValidatorConfig(max_queries=200))
    places = np.asarray(feet, float).reshape(-1, 3)
    allowed(lambda: validator.check(SCENE, places, dt, start=(0, 0, 0), velocity=velocity))


@given(anything, anything, anything, anything, anything)
@settings(max_examples=150)
def test_any_objects_in_pairs_and_steering(one, two, three, four, five):
    for target in (pairs.Triangle, pairs.Box):
        allowed(lambda: pairs.sweep(target(one, two, three), four, five, radius=1, motion=one))
    allowed(lambda: pairs.overlap(pairs.Segment(one, two), three, four, radius=five))
    allowed(lambda: pairs.closest(pairs.Point(one), two, three, radius=four, invalid=five))
    allowed(lambda: pairs.ray(pairs.HalfSpace(one, two), three, four))
    allowed(lambda: pairs.ray(pairs.Capsule(one, two, three), four, five))
    allowed(lambda: pairs.overlap(one, two, three, radius=four))
    allowed(lambda: capsweep.steer(one, speeds=capsweep.Speeds.wow(), forward=two, pitch=three,
                                   mode=four, up=five))


@given(anything, anything, anything, anything)
@settings(max_examples=150)
def test_any_objects_in_inputs_and_chains(one, two, three, four):
    validator = capsweep.Validator(validation=capsweep.ValidatorConfig(max_queries=200))
    inputs = allowed(lambda: capsweep.Inputs(one, two, three, jump=four))
    if inputs is not None:
        feet = np.zeros((len(inputs.count), 3))
        allowed(lambda: validator.check(SCENE, feet, 0.1, inputs=inputs))
    chains = validator.start(SCENE, np.zeros((2, 3)))
    allowed(lambda: chains.check(SCENE, np.zeros((2, 3)), 0.1, inputs=one, moved=two, which=three,
                                 water=four))
    allowed(lambda: chains.displace(one, two))
    allowed(lambda: chains.knock_back(one, two, three))
    allowed(lambda: chains.change_speeds(one, two, three))
    allowed(lambda: chains.resize(one, two))
    allowed(lambda: chains.set_abilities(one, two))
    allowed(lambda: chains.remove(one))
    allowed(lambda: chains.add(SCENE, one, velocity=two, speeds=three))
    carrier = capsweep.Carrier(one, two, three, previous_rotation=four)
    crowd = capsweep.Crowd(SCENE, np.zeros((2, 3)))
    allowed(lambda: crowd.tick(carriers=[carrier]))
    allowed(lambda: crowd.move((0, 0, 0), hover=one, floor=two, fly=three, slippery=four))
    allowed(lambda: crowd.remove(one))
    allowed(lambda: crowd.add(one))
    assert len(crowd.states) == len(crowd) and len(chains.accepted) == len(chains)


@given(st.binary(max_size=200), anything)
@settings(max_examples=60)
def test_any_bytes_as_a_trace(tmp_path_factory, data, other):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    heads = (b"", b'{"capsweep_python_trace": 1, "kind": "tick", "steps": 1}\n')
    for head in heads:
        path.write_bytes(head + data)
        trace = allowed(lambda: capsweep.Trace.load(path))
        if trace is not None:
            allowed(lambda: trace.replay(SCENE))
    if not isinstance(other, str):
        allowed(lambda: capsweep.Trace.load(other))


@given(anything, anything, anything, anything)
@settings(max_examples=25)
def test_any_objects_in_pictures(one, two, three, four):
    try:
        allowed(lambda: SCENE.plot("plan", bounds=one, pixels=two, points=three, walks=four))
        allowed(lambda: SCENE.plot("plan", pixels=8, ceiling=one, hits=two))
        allowed(lambda: SCENE.plot("section", pixels=8, y=one))
    finally:
        plt.close("all")


columns = st.one_of(
    st.lists(st.one_of(st.none(), st.integers(-2**63, 2**63 - 1)), min_size=3, max_size=3),
    st.lists(st.one_of(st.none(), st.floats()), min_size=3, max_size=3),
    st.lists(st.one_of(st.none(), st.booleans()), min_size=3, max_size=3),
    st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=3, max_size=3),
    st.lists(st.one_of(st.none(), st.lists(st.floats(), max_size=4)), min_size=3, max_size=3),
)


@given(columns, columns, columns, columns, invalid)
@settings(max_examples=150)
def test_any_columns_in_tables(one, two, three, four, mark):
    table = pa.table({"feet": one, "motion": two, "radius": three, "mask": four, "ignore": one})
    allowed(lambda: mappers.Sweep(SCENE, height=1.8, invalid=mark)(table))
    table = pa.table({"character": one, "tick": two, "feet": three, "mode": four, "dt": two})
    allowed(lambda: mappers.ValidateChains(SCENE, order="tick", invalid=mark)(table))
    table = pa.table({"start": one, "feet": two, "dt": three, "world": four, "velocity": one})
    allowed(lambda: mappers.Validate(SCENE, invalid=mark)(table))


@given(st.binary(max_size=200))
@settings(max_examples=100)
def test_any_bytes_as_a_scene(data):
    allowed(lambda: capsweep.Scene.from_bytes(data))
    whole = bytearray(SCENE.to_bytes())
    for index, byte in enumerate(data):
        whole[(index * 7919) % len(whole)] ^= byte
    allowed(lambda: capsweep.Scene.from_bytes(bytes(whole)))


@given(anything, st.sampled_from(
    ["up", "radius", "total_height", "footing", "max_iterations", "perch_limit", "slope_limit"]))
@settings(max_examples=150)
def test_any_objects_in_configurations(value, name):
    allowed(lambda: capsweep.ControllerConfig.human(**{name: value}))
