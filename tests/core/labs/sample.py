"""A small lab with points as data, and answers to it."""

import csv
from dataclasses import replace

import numpy as np

from core.labs.answers import Answers
from core.runs.plan import RunPlan
from tests.idx_files import write_idx

SAMPLE = """\
# Points

```lab
version = 1
minutes = 5
```

```setup
data = "points.csv"
device = "vectorized"
network = "2-8-1"
loss = "squared-error"
batch_size = 20
epochs = 3
learning_rate = 0.05
controls = ["learning_rate"]
```

```teacher
The hidden note.
```

## Predict

```predict
id = "which"
ask = "Which rate is better?"
choices = ["0.0001", "0.05"]
right = "0.05"
```

```predict
id = "curve"
ask = "Draw the loss."
curve = "test_loss"
variant = 2
```

```predict
id = "number"
ask = "The loss at the end?"
number = "test_loss"
variant = 2
```

## Run

```run
id = "rates"
variants = [{ learning_rate = 0.0001 }, { learning_rate = 0.05 }]
```

```reveal
The larger one.
```

## Change

```question
id = "why"
ask = "Why?"
[[choices]]
text = "It is lucky."
misconception = "it is chance"
reply = "The seed is the same."
[[choices]]
text = "It learns the points by heart."
misconception = "it stores them"
reply = "It has 33 numbers."
[[choices]]
text = "Its steps are longer."
right = true
```

```task
id = "goal"
ask = "Do better."
test_loss_at_most = 1000.0
parameters_at_most = 100
```
"""


def write_sample(folder, text=SAMPLE):
    """The sample as a folder; returns it."""
    folder.mkdir(parents=True)
    random = np.random.default_rng(1)
    with (folder / "points.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        for x, y in random.uniform(-1, 1, (120, 2)):
            writer.writerow([f"{x:.4f}", f"{y:.4f}", f"{x * y:.4f}"])
    (folder / "lab.md").write_text(text, encoding="utf-8")
    return folder


def trained(lab, data, part_id, variant=0, name="", **changes):
    """A real attempt at a part of the lab."""
    part = lab.part(part_id)
    plan = part.plans(name)[variant] if hasattr(part, "plans") else part.setup.plan_of(name)
    plan = RunPlan(replace(plan.settings, **changes), plan.data, plan.device)
    return part.train(variant, plan, data)


def played(lab, data, name, first="It is lucky."):
    """A person who does all of the lab: the first answer to the question is `first`."""
    answers = Answers(lab, name)
    answers.predict(lab.part("which"), "0.0001")
    answers.predict(lab.part("curve"), [(1.0, 0.5), (3.0, 0.1)])
    answers.predict(lab.part("number"), 0.25)
    for variant in (0, 1):
        answers.add(trained(lab, data, "rates", variant, name))
    for text in dict.fromkeys((first, "Its steps are longer.")):
        answers.answer(lab.part("why"), text)
    answers.add(trained(lab, data, "goal", 0, name, learning_rate=0.1))
    return answers


DIGITS = """\
# Digits

```lab
version = 1
```

```setup
data = "bars"
device = "vectorized"
network = "64-6-10"
batch_size = 20
epochs = 3
learning_rate = 0.3
controls = ["learning_rate"]
```

```run
id = "watch"
```

## Do better

```task
id = "goal"
test_accuracy_at_least = 20
parameters_at_most = 500
epochs_at_most = 3
test_loss_at_most = 5
```
"""


def write_digits(folder, text=DIGITS):
    """A lab with images of 8x8 pixels in ten classes, as a folder; returns it."""
    folder.mkdir(parents=True)
    random = np.random.default_rng(1)
    labels = (np.arange(500) % 10).astype(np.int32)
    images = random.integers(0, 120, (500, 8, 8, 1)).astype(np.uint8)
    for image, label in zip(images, labels, strict=True):
        image[label % 8, : 4 + label // 8 * 4] = 255
    write_idx(folder / "bars", images[:400], labels[:400], "train")
    write_idx(folder / "bars", images[400:], labels[400:], "t10k")
    (folder / "lab.md").write_text(text, encoding="utf-8")
    return folder
