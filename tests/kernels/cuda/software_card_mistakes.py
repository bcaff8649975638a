"""Mistakes in the host code of the device `cuda`, planted one by one: the software card has to find
each.

`python -m tests.kernels.cuda.software_card_mistakes NAME` plants one and does what a training does;
run by test_software_card.py, with and without a mistake. Exit code 0: nothing was found.
"""

import gc
import importlib.util
import sys
import threading
from types import SimpleNamespace

import numpy as np

# Module, what its code says, and what the mistake says in its place.
MISTAKES = {
    "a launch does not wait for those on other streams": (
        "kernels.cuda.launcher",
        "self._events[index].wait(stream)",
        "pass",
    ),
    "a branch of a capture is not joined": (
        "kernels.cuda.launcher",
        "self._events[index].wait(self._streams[0])",
        "pass",
    ),
    "a graph does not keep its arrays": (
        "kernels.cuda.launcher",
        "] | None = step\n",
        "] | None = None\n",
    ),
    "the host's memory is gone before it is copied": (
        "kernels.cuda.launcher",
        "no_arrivals, stream)",
        "np.zeros(1 << 22, np.int32)[:ARRIVAL_COUNTERS], stream)",
    ),
    "a capture begins on the default stream": (
        "kernels.cuda.host",
        "cuStreamBeginCapture_v2(stream.handle",
        "cuStreamBeginCapture_v2(0",
    ),
    "a launch in a capture is waited for": (
        "kernels.cuda.launcher",
        "self._scheduling.after_launch(stream)",
        "self._card.synchronize(stream)",
    ),
    "workspaces are kept when a device is closed": (
        "kernels.cuda.launcher",
        "            self._workspaces.clear()\n",
        "            KEPT.extend(self._workspaces)\n            self._workspaces.clear()\n",
    ),
    "an argument is an array of the host": (
        "kernels.cuda.launcher",
        "stream](*arguments, ",
        "stream](np.zeros(arguments[0].shape, np.float32), *arguments[1:], ",
    ),
    "an array is uploaded while the caller changes it": (
        "kernels.cuda.device",
        'copy = np.array(host, order="C")',
        "copy = host",
    ),
    "copies are on the default stream": (
        "kernels.cuda.device",
        "copy_to_card(array, copy, self.stream)",
        "copy_to_card(array, copy, DEFAULT_STREAM)",
    ),
    "launches outside of a capture are on the default stream": (
        "kernels.cuda.launcher",
        "kernel[grid, block, stream]",
        "kernel[grid, block, DEFAULT_STREAM]",
    ),
}


def plant(module_name, right, wrong):
    """Import the module with the mistake in its code."""
    spec = importlib.util.find_spec(module_name)
    with open(spec.origin, encoding="utf-8") as file:
        source = file.read()
    assert source.count(right) == 1, f"{module_name} has this {source.count(right)} times: {right}"
    module = importlib.util.module_from_spec(spec)
    module.KEPT = []
    module.DEFAULT_STREAM = SimpleNamespace(handle=0, of_compiler=0, card=0, capability=(9, 0))
    sys.modules[module_name] = module
    exec(compile(source.replace(right, wrong), spec.origin, "exec"), module.__dict__)


def compute(index):
    """A step as a training has it: launched once, captured, replayed; the results are compared with
    the CPU's.

    The sums are so long that products are split among blocks, which count their arrivals.
    """
    from kernels.cuda.device import Cuda
    from kernels.registry import open_device

    rng = np.random.default_rng(1)
    x, w, b, rate = (
        rng.standard_normal(shape).astype(np.float32)
        for shape in ((63, 117), (117, 45), (45,), (1,))
    )
    results = []
    for device in (Cuda(index), open_device("sequential")):
        arrays = [device.upload(host.copy()) for host in (x, w, b, rate)]
        changing = x.copy()
        changed = device.upload(changing)
        changing[:] = 7
        out, gradient, bias_gradient = (
            device.upload(np.zeros(s, np.float32)) for s in ((63, 45), (117, 45), (45,))
        )

        def step(a=arrays, out=out, gradient=gradient, bias_gradient=bias_gradient, device=device):
            device.dense(a[0], a[1], a[2], "tanh", out)
            device.dense_weight_gradient(a[0], out, gradient)
            device.bias_gradient(out, bias_gradient)
            device.sgd(a[2], bias_gradient, a[3], 0.0, 0)

        step()
        replay = device.record(step)
        assert device.notice == "", device.notice
        kept = [arrays[2], gradient]
        del arrays, step, bias_gradient
        gc.collect()
        device.memory_info()
        for _ in range(5):
            replay()
        results.append([device.download(array) for array in (*kept, out, changed)])
        del kept, out, gradient, changed, replay
        device.close()
    for found, expected in zip(*results, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-3)


def compute_during_a_capture():
    """Another run captures a step meanwhile."""
    from kernels.cuda.card import Card

    failures = []

    def run():
        try:
            compute(0)
        except Exception as error:
            failures.append(error)

    def work():
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        if failures:
            raise failures[0]

    card = Card(0)
    card.capture(card.new_stream(), work).close()


def assert_nothing_is_left():
    from kernels.cuda.card import Card

    gc.collect()
    card = Card(0)
    card.free_pending()
    free, total = card.memory_info()
    assert free == total, f"{total - free} bytes are left"


if __name__ == "__main__":
    if sys.argv[1] in MISTAKES:
        plant(*MISTAKES[sys.argv[1]])
    compute(0)
    assert_nothing_is_left()
    compute_during_a_capture()
    compute(1)
    print("nothing found")
