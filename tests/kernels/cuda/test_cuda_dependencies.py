"""Branches of a captured step: what runs side by side, and that nothing overtakes what it depends on."""

from kernels.cuda.branches import Branches

X, W1, W2, H, Y, SLOPE, BELOW, G1, G2, P, LABELS = ((100 * k, 100 * k + 90) for k in range(11))


def test_the_step_of_a_network_with_two_layers():
    branches = Branches(4)
    labels = branches.place((), (LABELS,), aside=True)
    forward = [branches.place((X, W1), (H,), aside=False), branches.place((H, W2), (Y,), aside=False)]
    loss = branches.place((Y, LABELS), (SLOPE,), aside=False)
    weights2 = branches.place((H, SLOPE), (G2,), aside=True)
    below = branches.place((SLOPE, W2, H), (BELOW,), aside=False)
    weights1 = branches.place((X, BELOW), (G1,), aside=True)
    update = branches.place((P, G1, G2), (P,), aside=False)

    assert [p.lane for p in (*forward, loss, below, update)] == [0] * 5
    assert len({labels.lane, weights2.lane, weights1.lane}) == 3
    assert all(p.waits == () for p in (*forward, weights2, below, weights1))
    assert loss.waits == (labels.number,)
    assert set(update.waits) == {weights1.number, weights2.number}
    assert branches.open_ends() == ()


def test_what_a_branch_reads_is_not_overwritten_before_it_is_done():
    branches = Branches(2)
    reader = branches.place((X,), (G1,), aside=True)
    assert branches.place((), (Y,), aside=False).waits == ()
    inside = (X[0] + 10, X[0] + 20)
    assert branches.place((), (inside,), aside=False).waits == (reader.number,)


def test_branches_wait_for_each_other_where_they_must():
    branches = Branches(3)
    first = branches.place((X,), (G1,), aside=True)
    assert branches.place((G1,), (G2,), aside=True).waits == (first.number,)
    # On the lane of the first, whose order is enough.
    assert branches.place((X,), (G1,), aside=True).lane == first.lane


def test_a_step_ends_after_all_its_branches():
    branches = Branches(4)
    ends = tuple(branches.place((X,), (w,), aside=True).number for w in (G1, G2))
    assert branches.open_ends() == ends


def test_neighbours_in_memory_do_not_depend_on_each_other():
    branches = Branches(2)
    branches.place((), ((0, 100),), aside=True)
    assert branches.place(((100, 200),), ((200, 300),), aside=False).waits == ()


def test_without_side_lanes_all_is_on_the_trunk():
    branches = Branches(1)
    assert branches.place((X,), (G1,), aside=True).lane == 0
    assert branches.open_ends() == ()
