"""Threads that share out numbered pieces of work."""

import threading

import pytest

from kernels.host import ThreadPool
from tests.limits import SECONDS


@pytest.fixture
def pool():
    pool = ThreadPool(3)
    yield pool
    pool.close()


@pytest.mark.parametrize("pieces", [0, 1, 2, 3, 50])
def test_every_piece_is_done_once(pool, pieces):
    done = []
    pool.map(pieces, lambda worker, piece: done.append((piece, worker)))
    assert sorted(piece for piece, _ in done) == list(range(pieces))
    assert all(worker < 3 for _, worker in done)


def test_several_threads_work_at_once(pool):
    together = threading.Barrier(3, timeout=SECONDS)
    pool.map(3, lambda worker, piece: together.wait())
    assert not together.broken


def test_an_error_in_any_thread_comes_to_the_caller_and_ends_nothing(pool):
    together = threading.Barrier(3, timeout=SECONDS)

    def work(worker, piece):
        together.wait()
        if worker == 2:
            raise OverflowError

    with pytest.raises(OverflowError):
        pool.map(3, work)
    done = []
    pool.map(4, lambda worker, piece: done.append(piece))
    assert len(done) == 4


def test_no_thread_is_left_when_it_is_closed_or_forgotten():
    before = set(threading.enumerate())
    for how in (ThreadPool.close, lambda pool: None):
        pool = ThreadPool(2)
        pool.map(2, lambda worker, piece: None)
        members = set(threading.enumerate()) - before
        assert members
        how(pool)
        del pool
        for member in members:
            member.join(10)
        assert not set(threading.enumerate()) - before
