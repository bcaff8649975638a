"""Sizes that are small enough for tests."""

from core.bench.rows import Sizes

TINY = Sizes(
    quick=True, matrices=(4, 8), budget=0.0, batches=(100, 200), batch_images=400, grid_sides=(20,),
    group_side=20, groups=((2, 2),), points=1, dense_images=200, dense_rounds=2,
    cnn_images=20, rounds=2, images_limit=20, goal_epochs=2,
)  # fmt: skip
