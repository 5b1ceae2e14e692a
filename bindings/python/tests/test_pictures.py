"""Pictures: that they are drawn, and that they show what is there."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import capsweep


def pixels(figure):
    figure.set_dpi(60)
    figure.canvas.draw()
    drawn = np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()
    plt.close(figure)
    return drawn


def test_the_plan_shows_the_course(course):
    figure = course.plot("plan")
    (axis,) = figure.axes
    image = axis.images[0].get_array()
    assert (image[..., :3] < 0.99).any(axis=2).mean() > 0.5, "the floor covers most of it"
    assert pixels(figure).std() > 10


def test_the_section_cuts_the_stairs(course):
    figure = course.plot("section", y=0.0)
    (axis,) = figure.axes
    lines = np.concatenate(axis.collections[0].get_segments())
    # Ten steps up to 1.6 m between x = 10 and 15.
    near = lines[(lines[:, 0] > 10) & (lines[:, 0] < 15)]
    assert len(np.unique(near[:, 1].round(3))) >= 8
    plt.close(figure)


def test_hits_walks_and_points_are_drawn(course):
    plain = pixels(course.plot("both"))
    crowd = capsweep.Crowd(course, [(0, 0, 0), (3, 0, 0)])
    walk = np.array([crowd.tick(walk=(2, 0, 0)).feet for _ in range(60)])
    hits = course.sweep(feet=crowd.feet + [0, 0, 2], height=1.8, radius=0.3, motion=(0, 0, -5))
    figure = course.plot("both", walks=walk, hits=hits, points=crowd.feet, values=[1, 2])
    assert len(figure.axes[0].lines) >= 4
    assert not np.array_equal(pixels(figure), plain)


def test_shapes_and_height_fields_are_drawn():
    scene = capsweep.Scene()
    scene.add_box((0, 0, 0), (1, 1, 1))
    scene.add_height_field(np.random.default_rng(1).uniform(0, 1, (9, 9)), position=(2, 0, 0))
    assert pixels(scene.plot()).std() > 10


def test_notebooks_show_a_scene(course):
    assert course._repr_png_().startswith(b"\x89PNG")
    page = course._repr_html_()
    assert "data:image/png" in page and "11" in page
    assert capsweep.Scene()._repr_png_() is None
    assert "<table>" in capsweep.Scene()._repr_html_()


def test_bad_arguments_are_told(course):
    for bad in (
        dict(view="front"), dict(bounds=[[0, 0, 0], [1, 1, 0]]), dict(walks=[np.zeros(3)]),
        dict(hits=3), dict(points=np.zeros(5)),
    ):
        with pytest.raises(capsweep.InputError):
            course.plot(**bad)
    with pytest.raises(capsweep.InputError):
        capsweep.Scene().plot()
    plt.close("all")
