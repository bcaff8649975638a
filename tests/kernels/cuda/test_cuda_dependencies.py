"""Scheduling of a captured step: what runs concurrently, and that each launch waits for those it
depends on.
"""

from kernels.cuda.dependencies import StreamScheduler

X, W1, W2, H, Y, GRAD, BELOW, G1, G2, P, LABELS, COUNTERS = (
    (100 * k, 100 * k + 90) for k in range(12)
)

GATHER, LABEL, DENSE1, DENSE2, LOSS, GRADIENT2, BACKWARD, GRADIENT1, UPDATE, ADVANCE = STEP = (
    ((COUNTERS,), (X,)),
    ((COUNTERS,), (LABELS,)),
    ((X, W1), (H,)),
    ((H, W2), (Y,)),
    ((Y, LABELS), (GRAD,)),
    ((H, GRAD), (G2,)),
    ((GRAD, W2, H), (BELOW,)),
    ((X, BELOW), (G1,)),
    ((P, G1, G2), (P, W1, W2)),
    ((COUNTERS,), (COUNTERS,)),
)


def schedule(launches, streams):
    """Each launch's assignment, and the set of launches that are complete before it starts."""
    scheduler = StreamScheduler(streams)
    assigned, before, tails = [], [], {}
    for reads, writes in launches:
        found = scheduler.assign(reads, writes)
        after = set(found.waits) | ({tails[found.stream]} if found.stream in tails else set())
        before.append(after.union(*(before[index] for index in after)))
        tails[found.stream] = found.index
        assigned.append(found)
    return scheduler, assigned, before


def conflicts(first, second):
    return bool(set(first[1]) & set(second[0] + second[1]) or set(first[0]) & set(second[1]))


def longest_path(before):
    """Number of launches of the longest chain."""
    lengths = []
    for after in before:
        lengths.append(1 + max((lengths[index] for index in after), default=0))
    return max(lengths)


def test_every_launch_waits_for_all_that_it_depends_on():
    for streams in (1, 2, 4):
        for steps in (1, 3):
            launches = list(STEP) * steps
            _, _, before = schedule(launches, streams)
            for index, launch in enumerate(launches):
                needed = {k for k in range(index) if conflicts(launches[k], launch)}
                assert needed <= before[index], (streams, index)


def test_independent_launches_of_a_step_are_concurrent():
    _, _, before = schedule(STEP, 4)
    index = {launch: k for k, launch in enumerate(STEP)}
    assert index[LABEL] not in before[index[DENSE2]]
    assert index[GRADIENT2] not in before[index[GRADIENT1]]
    # The counters are free as soon as the batch is gathered.
    assert not {index[DENSE1], index[UPDATE]} & before[index[ADVANCE]]
    assert longest_path(before) == 7


def test_in_a_graph_of_several_steps_a_batch_is_gathered_during_the_update_before():
    _, _, before = schedule(list(STEP) * 20, 4)
    # dense, dense, loss, gradient below, weight gradient, update; and the first gather.
    assert longest_path(before) == 6 * 20 + 1


def test_inputs_of_a_launch_are_not_overwritten_before_it_has_ended():
    inside = (X[0] + 10, X[0] + 20)
    _, _, before = schedule([((X,), (G1,)), ((), (Y,)), ((), (inside,))], 2)
    assert 0 not in before[1]
    assert 0 in before[2]


def test_a_step_ends_after_all_its_branches():
    scheduler, assigned, _ = schedule([((X,), (w,)) for w in (G1, G2, Y)], 4)
    assert set(scheduler.unjoined()) == {a.index for a in assigned if a.stream}


def test_adjacent_arrays_do_not_depend_on_each_other():
    _, _, before = schedule([((), ((0, 100),)), (((100, 200),), ((200, 300),))], 2)
    assert before[1] == set()


def test_launches_on_one_stream_have_no_waits():
    scheduler, assigned, _ = schedule(STEP, 1)
    assert all(a.stream == 0 and a.waits == () for a in assigned)
    assert scheduler.unjoined() == ()


def test_many_steps_are_scheduled_in_proportion():
    """Only the newest of equal launches are kept, so a long step does not compare all with all."""
    scheduler, _, _ = schedule(list(STEP) * 50, 4)
    assert len(scheduler._launches) == len(STEP)
