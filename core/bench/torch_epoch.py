"""PyTorch's side of the bench `dense`: a script for any Python that has PyTorch, which needs nothing of ours.

`python torch_epoch.py IMAGES THREADS`: prints its version, then, for each number on its input, trains one epoch
of so many of its IMAGES with 784-512-10 in batches of 100 and prints its seconds. It does so the usual way: a
float tensor scaled before, batches by index, Linear, ReLU, Linear, CrossEntropyLoss, SGD.
"""

import sys
from time import perf_counter


def main(images: int, threads: int) -> None:
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(0)
    inputs = torch.randint(0, 256, (images, 784)).to(torch.float32) / 255
    labels = torch.randint(0, 10, (images,))
    network = torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10))
    loss_of = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)

    def epoch(count: int) -> float:
        begun = perf_counter()
        order = torch.randperm(count)
        for first in range(0, count, 100):
            index = order[first : first + 100]
            optimizer.zero_grad()
            loss_of(network(inputs[index]), labels[index]).backward()
            optimizer.step()
        return perf_counter() - begun

    epoch(min(images, 1000))
    _say(torch.__version__)
    for line in sys.stdin:
        _say(str(epoch(int(line))))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
