"""JAX's side of the benchmarks: a script for any Python with JAX; it imports nothing of this
program.

`python jax_script.py IMAGES THREADS DEVICE NETWORK`, as `torch_script.py`, for the network `dense`
only. It prints its version and device, then answers each line on its input with the seconds of an
epoch: all steps of 100 images in one call, compiled by `jit` with `scan`.
"""

import sys
from functools import partial
from time import perf_counter

BATCH = 100
RATE = 0.1


def main(images: int, device: str) -> None:
    import jax
    from jax import numpy as jnp

    # Without TF32.
    jax.config.update("jax_default_matmul_precision", "highest")
    jax.config.update("jax_default_device", jax.devices(device)[0])
    key = jax.random.key(0)
    inputs = jax.random.randint(key, (images, 784), 0, 256).astype(jnp.float32) / 255
    labels = jax.random.randint(key, (images,), 0, 10)
    w1 = jax.random.normal(key, (784, 512)) * (2 / 784) ** 0.5
    w2 = jax.random.normal(key, (512, 10)) * (2 / 512) ** 0.5
    parameters = [w1, jnp.zeros(512), w2, jnp.zeros(10)]

    def loss(parameters: list[jax.Array], x: jax.Array, y: jax.Array) -> jax.Array:
        w1, b1, w2, b2 = parameters
        z = jax.nn.relu(x @ w1 + b1) @ w2 + b2
        return -jax.nn.log_softmax(z)[jnp.arange(BATCH), y].mean()

    @partial(jax.jit, donate_argnums=0)
    def epoch(
        parameters: list[jax.Array], inputs: jax.Array, labels: jax.Array, key: jax.Array
    ) -> list[jax.Array]:
        def step(parameters: list[jax.Array], index: jax.Array) -> tuple[list[jax.Array], None]:
            gradients = jax.grad(loss)(parameters, inputs[index], labels[index])
            pairs = zip(parameters, gradients, strict=True)
            return [p - RATE * g for p, g in pairs], None

        order = jax.random.permutation(key, images)[: images // BATCH * BATCH]
        return jax.lax.scan(step, parameters, order.reshape(-1, BATCH))[0]

    sys.stdout.write(f"{jax.__version__} on {jax.devices(device)[0].device_kind}\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        start = perf_counter()
        key, drawn = jax.random.split(key)
        parameters = epoch(parameters, inputs, labels, drawn)
        jax.block_until_ready(parameters)
        sys.stdout.write(f"{perf_counter() - start}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[3])
