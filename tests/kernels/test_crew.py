"""Threads that share out numbered pieces of work."""

import threading

import pytest

from kernels.vectorized.crew import Crew


@pytest.fixture
def crew():
    crew = Crew(3)
    yield crew
    crew.close()


@pytest.mark.parametrize("pieces", [0, 1, 2, 3, 50])
def test_every_piece_is_done_once(crew, pieces):
    done = []
    crew.share(pieces, lambda worker, piece: done.append((piece, worker)))
    assert sorted(piece for piece, _ in done) == list(range(pieces))
    assert all(worker < 3 for _, worker in done)


def test_several_threads_work_at_once(crew):
    together = threading.Barrier(3, timeout=10)
    crew.share(3, lambda worker, piece: together.wait())
    assert not together.broken


def test_an_error_in_any_thread_comes_to_the_caller_and_ends_nothing(crew):
    together = threading.Barrier(3, timeout=10)

    def work(worker, piece):
        together.wait()
        if worker == 2:
            raise OverflowError

    with pytest.raises(OverflowError):
        crew.share(3, work)
    done = []
    crew.share(4, lambda worker, piece: done.append(piece))
    assert len(done) == 4


def test_no_thread_is_left_when_it_is_closed_or_forgotten():
    before = set(threading.enumerate())
    for how in (Crew.close, lambda crew: None):
        crew = Crew(2)
        crew.share(2, lambda worker, piece: None)
        members = set(threading.enumerate()) - before
        assert members
        how(crew)
        del crew
        for member in members:
            member.join(10)
        assert not set(threading.enumerate()) - before
