"""Averages the metrics of single steps, so that the points of a curve do not depend on the speed of the machine."""

from core.training.records import StepsDone

BINS_PER_EPOCH = 100
# At the start, where curves change fast, a bin has at most this fraction of the images trained on so far.
START_FRACTION = 0.05

Point = tuple[float, float, float]
"""The end of a bin in epochs, and the mean loss and score of its images."""


class StepBins:
    """Bins of equal numbers of images, rounded up to whole steps."""

    def __init__(self) -> None:
        self._images, self._loss, self._correct = 0.0, 0.0, 0.0
        self._end = 0.0

    def add(self, record: StepsDone) -> list[Point]:
        """The bins that the steps of `record` complete."""
        points = []
        total = float(record.images)
        position = (record.epoch - 1) * total + record.position - float(record.step_metrics[:, 0].sum())
        for images, loss, correct in record.step_metrics.tolist():
            start = position - self._images
            position += images
            self._images += images
            self._loss += loss
            self._correct += correct
            self._end = position / total
            if self._images >= min(total / BINS_PER_EPOCH, START_FRACTION * start):
                points += self.unfinished()
                self._images, self._loss, self._correct = 0.0, 0.0, 0.0
        return points

    def unfinished(self) -> list[Point]:
        """The bin that is not complete yet, if it has any steps."""
        if not self._images:
            return []
        return [(self._end, self._loss / self._images, self._correct / self._images)]
