"""A first sweep: capsules fall onto the built-in course."""

import numpy as np

import capsweep

scene = capsweep.course()
print(scene)

# A row of people, 1.8 m tall, 3 m over the course.
feet = np.zeros((15, 3))
feet[:, 0] = np.arange(15) * 2.0
feet[:, 2] = 3.0
hits = scene.sweep(feet=feet, height=1.8, radius=0.3, motion=(0, 0, -5))

for x, hit in zip(feet[:, 0], hits):
    on = scene.body_name(hit.body) if hit.hit else "nothing"
    print(f"x = {x:4.1f} m: falls {hit.distance:.3f} m onto {on}")

scene.plot(hits=hits).savefig("first_sweep.png", dpi=100)
print("first_sweep.png: plan and section with the hits")
