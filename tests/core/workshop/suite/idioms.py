"""Idioms of those who know cards: buffers in turn, views of one array, warps in two dimensions."""

from numba import cuda, float32, int32

THREADS = 32
BINS = 8


@cuda.jit(device=True)
def guarded(a, i):
    if i >= a.size:
        return float32(0)
    return a[i]


# kernel = "chunks_one_by_one"
# args = "out: float32[n // 32], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def chunks_one_by_one(out, a):
    """Shared memory is filled again in each turn, after all have read it."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    for chunk in range(out.size):
        s[t] = a[chunk * THREADS + t]
        cuda.syncthreads()
        if t == 0:
            total = float32(0)
            for k in range(THREADS):
                total += s[k]
            out[chunk] = total
        cuda.syncthreads()


# kernel = "chunks_refilled_early"
# args = "out: float32[n // 32], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def chunks_refilled_early(out, a):
    """The next turn fills the memory while the first thread still adds."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    for chunk in range(out.size):
        s[t] = a[chunk * THREADS + t]  # fault: race
        cuda.syncthreads()
        if t == 0:
            total = float32(0)
            for k in range(THREADS):
                total += s[k]  # fault: race
            out[chunk] = total


# kernel = "next_tile_while_computing"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=32,64,160"
# expect = "out = a.reshape(-1, 32)[:, ::-1].reshape(-1)"
@cuda.jit
def next_tile_while_computing(out, a):
    """Two buffers in turn: one barrier in each turn is enough."""
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    tiles = a.size // THREADS
    s[0, t] = a[t]
    cuda.syncthreads()
    for k in range(tiles):
        if k + 1 < tiles:
            s[(k + 1) % 2, t] = a[(k + 1) * THREADS + t]
        out[k * THREADS + t] = s[k % 2, THREADS - 1 - t]
        cuda.syncthreads()


# kernel = "tile_after_next_while_computing"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=32,64,160"
# expect = "out = a.reshape(-1, 32)[:, ::-1].reshape(-1)"
@cuda.jit
def tile_after_next_while_computing(out, a):
    """Two tiles ahead need a third buffer: this one is still being read."""
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    tiles = a.size // THREADS
    s[0, t] = a[t]
    if tiles > 1:
        s[1, t] = a[THREADS + t]
    cuda.syncthreads()
    for k in range(tiles):
        out[k * THREADS + t] = s[k % 2, THREADS - 1 - t]  # fault: race
        if k + 2 < tiles:
            s[k % 2, t] = a[(k + 2) * THREADS + t]  # fault: race
        cuda.syncthreads()


# kernel = "views_that_change_places"
# args = "out: float32[n], a: float32[n], rounds"
# grid = "1"
# block = "32"
# sizes = "n=32 rounds=1,4"
# expect = "out = np.roll(a, rounds)"
@cuda.jit
def views_that_change_places(out, a, rounds):
    """The two rows of an array as buffers, which change their names in each turn."""
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    now = s[0]
    then = s[1]
    now[t] = a[t]
    for _ in range(rounds):
        cuda.syncthreads()
        then[t] = now[(t - 1) % THREADS]
        now, then = then, now
    out[t] = now[t]


# kernel = "views_that_change_places_alone"
# args = "out: float32[n], a: float32[n], rounds"
# grid = "1"
# block = "32"
# sizes = "n=32 rounds=1,4"
# expect = "out = np.roll(a, rounds)"
@cuda.jit
def views_that_change_places_alone(out, a, rounds):
    """One barrier before the first turn: the turns run into each other."""
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    now = s[0]
    then = s[1]
    now[t] = a[t]
    cuda.syncthreads()
    for _ in range(rounds):
        then[t] = now[(t - 1) % THREADS]  # fault: race
        now, then = then, now
    out[t] = now[t]


# kernel = "halves_of_one_array"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=32"
# expect = "out = a[::-1] + a"
@cuda.jit
def halves_of_one_array(out, a):
    """Two views of one array that share no element."""
    s = cuda.shared.array(2 * 32, float32)
    t = cuda.threadIdx.x
    low = s[:THREADS]
    high = s[THREADS:]
    low[t] = a[t]
    high[t] = low[t]
    cuda.syncthreads()
    out[t] = high[THREADS - 1 - t] + low[t]


# kernel = "views_that_overlap"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=32"
# expect = "out = 3 * a"
@cuda.jit
def views_that_overlap(out, a):
    """The second view begins at the last element of the first one."""
    s = cuda.shared.array(2 * 32, float32)
    t = cuda.threadIdx.x
    low = s[:THREADS]
    high = s[THREADS - 1 :]
    low[t] = a[t]  # fault: race
    high[t] = 2 * a[t]  # fault: race
    cuda.syncthreads()
    out[t] = high[t] + low[t]


# kernel = "row_and_column_of_one_array"
# args = "m: float32[n, n], v: float32[n]"
# grid = "1"
# block = "n"
# sizes = "n=1,8"
# expect = "m = np.where(np.eye(v.size) > 0, 0 * m + v, m)"
@cuda.jit
def row_and_column_of_one_array(m, v):
    """Row and column of a thread meet in its own element of the diagonal only."""
    t = cuda.threadIdx.x
    row = m[t]
    column = m[:, t]
    column[t] = v[t]
    row[t] = column[t]


# kernel = "column_read_row_written"
# args = "m: float32[n, n]"
# grid = "1"
# block = "n"
# sizes = "n=2,8"
# expect = "m = m.T"
@cuda.jit
def column_read_row_written(m):
    """Its row has elements of the columns of others."""
    t = cuda.threadIdx.x
    row = m[t]
    column = m[:, t]
    for k in range(t):
        kept = row[k]
        row[k] = column[k]
        column[k] = kept


# kernel = "row_written_column_read"
# args = "m: float32[n, n]"
# grid = "1"
# block = "n"
# sizes = "n=2,8"
# expect = "m = m.T"
@cuda.jit
def row_written_column_read(m):
    """All elements of the row, which are those of all other threads' columns."""
    t = cuda.threadIdx.x
    row = m[t]
    column = m[:, t]
    for k in range(m.shape[0]):
        row[k] = column[k]  # fault: race


# kernel = "return_of_a_function"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=20,32,70"
# expect = "out = a + np.array([a[i ^ 1] if (i ^ 1) < a.size else 0 for i in range(a.size)])"
@cuda.jit
def return_of_a_function(out, a):
    """A function returns early: its threads still come to the barrier."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = guarded(a, i)
    cuda.syncthreads()
    if i < a.size:
        out[i] = s[t] + s[t ^ 1]


# kernel = "barrier_behind_a_return"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=20,32"
# expect = "out = a + a[::-1]"
@cuda.jit
def barrier_behind_a_return(out, a):
    """Within the function some threads have returned already when the others wait."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = guarded(a, t)
    found = total_of_the_lower(s, t, a.size)
    if t < a.size:
        out[t] = found


@cuda.jit(device=True)
def total_of_the_lower(s, t, count):
    if t >= count:
        return float32(0)
    cuda.syncthreads()  # fault: barrier
    return s[t] + s[count - 1 - t]


# kernel = "whole_blocks_return"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 32 + 3"
# block = "32"
# sizes = "n=32,64"
# expect = "out = a.reshape(-1, 32)[:, ::-1].reshape(-1)"
@cuda.jit
def whole_blocks_return(out, a):
    """Blocks that have nothing to do return with all their threads."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    begin = cuda.blockIdx.x * cuda.blockDim.x
    if begin >= a.size:
        return
    s[t] = a[begin + t]
    cuda.syncthreads()
    out[begin + t] = s[THREADS - 1 - t]


# kernel = "turns_by_warp"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "64"
# sizes = "n=64"
# expect = "out = a"
@cuda.jit
def turns_by_warp(out, a):
    """The second warp waits once more than the first."""
    t = cuda.threadIdx.x
    for _ in range(1 + t // 32):
        cuda.syncthreads()  # fault: barrier
    out[t] = a[t]


# kernel = "sum_read_by_all"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.repeat(np.sum(a.reshape(-1, 32), axis=1), 32)"
@cuda.jit
def sum_read_by_all(out, a):
    """The barrier is at the end of each turn, so that of the last turn is before the read."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i]
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half //= 2
    out[i] = s[0]


# kernel = "sum_read_before_the_last_barrier"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.repeat(np.sum(a.reshape(-1, 32), axis=1), 32)"
@cuda.jit
def sum_read_before_the_last_barrier(out, a):
    """The barrier is at the beginning of each turn, and none follows the last one."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i]
    half = THREADS // 2
    while half > 0:
        cuda.syncthreads()
        if t < half:
            s[t] += s[t + half]  # fault: race
        half //= 2
    out[i] = s[0]  # fault: race


# kernel = "warp_sum_through_registers"
# args = "out: float32[n // 32], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def warp_sum_through_registers(out, a):
    """Read, wait, write, wait: without the first wait a lane writes what another one reads."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = a[cuda.grid(1)]
    cuda.syncwarp()
    for half in (16, 8, 4, 2, 1):
        value = s[t] + s[(t + half) % THREADS]
        cuda.syncwarp()
        s[t] = value
        cuda.syncwarp()
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


# kernel = "warp_sum_in_place"
# args = "out: float32[n // 32], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def warp_sum_in_place(out, a):
    """Lanes of a warp are in no step: one reads what its neighbor may have changed already."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = a[cuda.grid(1)]
    cuda.syncwarp()
    half = 16
    while half > 0:
        s[t] = s[t] + s[(t + half) % THREADS]  # fault: race
        cuda.syncwarp()
        half //= 2
    if t == 0:
        out[cuda.blockIdx.x] = s[0]


# kernel = "rows_of_one_warp"
# args = "out: float32[4, 16], a: float32[4, 16]"
# grid = "1"
# block = "16, 4"
# expect = "out = a[[1, 0, 3, 2]]"
@cuda.jit
def rows_of_one_warp(out, a):
    """Two rows of 16 threads are a warp, so its lanes wait for each other."""
    s = cuda.shared.array((4, 16), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    s[y, x] = a[y, x]
    cuda.syncwarp()
    out[y, x] = s[y ^ 1, x]


# kernel = "rows_of_two_warps"
# args = "out: float32[4, 16], a: float32[4, 16]"
# grid = "1"
# block = "16, 4"
# expect = "out = a[[2, 3, 0, 1]]"
@cuda.jit
def rows_of_two_warps(out, a):
    """The rows that are exchanged belong to different warps."""
    s = cuda.shared.array((4, 16), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    s[y, x] = a[y, x]  # fault: race
    cuda.syncwarp()
    out[y, x] = s[y ^ 2, x]  # fault: race


# kernel = "sum_of_a_row_of_threads"
# args = "out: float32[n // 4], a: float32[n, 8]"
# grid = "n // 4"
# block = "8, 4"
# sizes = "n=4,12"
# expect = "out = np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def sum_of_a_row_of_threads(out, a):
    """One thread of all in two dimensions."""
    s = cuda.shared.array((4, 8), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    s[y, x] = a[cuda.blockIdx.x * 4 + y, x]
    cuda.syncthreads()
    if x == 0 and y == 0:
        total = float32(0)
        for j in range(4):
            for i in range(8):
                total += s[j, i]
        out[cuda.blockIdx.x] = total


# kernel = "leader_of_each_row"
# args = "out: float32[n // 4] = 0, a: float32[n, 8]"
# grid = "n // 4"
# block = "8, 4"
# sizes = "n=4,12"
# expect = "out = np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def leader_of_each_row(out, a):
    """x is 0 in each row of the block, so there are four leaders."""
    s = cuda.shared.array((4, 8), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    s[y, x] = a[cuda.blockIdx.x * 4 + y, x]
    cuda.syncthreads()
    if x == 0:
        total = float32(0)
        for i in range(8):
            total += s[y, i]
        out[cuda.blockIdx.x] += total  # fault: race


# kernel = "planes_one_after_the_other"
# args = "out: float32[n, 4, 8], a: float32[n, 4, 8]"
# grid = "1"
# block = "8, 4"
# sizes = "n=1,3"
# expect = "out = a[:, :, ::-1] + np.concatenate([np.zeros((1, 4, 8)), a[:-1]])"
@cuda.jit
def planes_one_after_the_other(out, a):
    """The plane before is kept in a variable, the present one in shared memory."""
    s = cuda.shared.array((4, 8), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    behind = float32(0)
    for z in range(a.shape[0]):
        here = a[z, y, x]
        s[y, x] = here
        cuda.syncthreads()
        out[z, y, x] = s[y, 7 - x] + behind
        behind = here
        cuda.syncthreads()


# kernel = "tile_with_sides_swapped"
# args = "out: float32[4, 8], a: float32[4, 8]"
# grid = "1"
# block = "8, 4"
# expect = "out = a"
@cuda.jit
def tile_with_sides_swapped(out, a):
    """x goes up to 7, and the first side of the tile is 6."""
    s = cuda.shared.array((6, 10), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    s[x, y] = a[y, x]  # fault: bounds
    out[y, x] = s[x, y]  # fault: bounds


# kernel = "stop_when_small"
# args = "out: int32[1], a: float32[32]"
# grid = "1"
# block = "32"
# expect = "out = 3"
@cuda.jit
def stop_when_small(out, a):
    """The flag is set again only when all have read it."""
    flag = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    turns = 0
    while True:
        if t == 0:
            flag[0] = turns
        cuda.syncthreads()
        if flag[0] == 3:
            break
        cuda.syncthreads()
        turns += 1
    if t == 0:
        out[0] = turns


# kernel = "stop_when_small_at_once"
# args = "out: int32[1], a: float32[32]"
# grid = "1"
# block = "32"
# expect = "out = 3"
@cuda.jit
def stop_when_small_at_once(out, a):
    """The first thread sets the flag again while others read it."""
    flag = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    turns = 0
    while True:
        if t == 0:
            flag[0] = turns  # fault: race
        cuda.syncthreads()
        if flag[0] == 3:  # fault: race
            break
        turns += 1
    if t == 0:
        out[0] = turns


# kernel = "red_and_black"
# args = "v: float32[34]"
# grid = "1"
# block = "32"
# reference = '''
# def v(v):
#     w = v.copy()
#     w[1:33:2] = (w[0:32:2] + w[2:34:2]) / 2
#     w[2:34:2] = (w[1:33:2] + w[3:35:2]) / 2
#     return w
# '''
@cuda.jit
def red_and_black(v):
    """Odd elements are computed from even ones, then even ones from odd ones."""
    i = cuda.threadIdx.x + 1
    if i % 2 == 1:
        v[i] = (v[i - 1] + v[i + 1]) / 2
    cuda.syncthreads()
    if i % 2 == 0:
        v[i] = (v[i - 1] + v[i + 1]) / 2


# kernel = "red_and_black_of_blocks"
# args = "v: float32[66]"
# grid = "2"
# block = "32"
# reference = '''
# def v(v):
#     w = v.copy()
#     w[1:65:2] = (w[0:64:2] + w[2:66:2]) / 2
#     w[2:66:2] = (w[1:65:2] + w[3:67:2]) / 2
#     return w
# '''
@cuda.jit
def red_and_black_of_blocks(v):
    """At the border of two blocks no barrier orders the colors."""
    i = cuda.grid(1) + 1
    if i % 2 == 1:
        v[i] = (v[i - 1] + v[i + 1]) / 2  # fault: block-race
    cuda.syncthreads()
    if i % 2 == 0:
        v[i] = (v[i - 1] + v[i + 1]) / 2  # fault: block-race


# kernel = "flags_by_exchange"
# args = "seen: int32[8] = 0, a: int32[n] < 8"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=20,70"
# expect = "seen = np.where(np.bincount(a, minlength=8) > 0, 1, 0)"
@cuda.jit
def flags_by_exchange(seen, a):
    """All exchange the same value, so their order does not matter."""
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.exch(seen, a[i], 1)


# kernel = "last_by_exchange"
# args = "seen: int32[8] = -1, a: int32[n] < 8"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=70"
# reference = '''
# def seen(a):
#     found = np.full(8, -1)
#     for i in range(a.size):
#         found[a[i]] = i
#     return found
# '''
@cuda.jit
def last_by_exchange(seen, a):
    """Atomic, but which of the values stays is left to the card."""
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.exch(seen, a[i], i)  # fault: race # fault: block-race


# kernel = "largest_beside_a_plain_start"
# args = "top: int32[1] = 0, a: int32[n] < 1000"
# grid = "1"
# block = "64"
# sizes = "n=64"
# expect = "top = np.max(a)"
@cuda.jit
def largest_beside_a_plain_start(top, a):
    """A plain write may undo what others have changed atomically."""
    t = cuda.threadIdx.x
    if t == 40:
        top[0] = a[t]  # fault: race
    cuda.atomic.max(top, 0, a[t])  # fault: race


# kernel = "four_of_each_thread"
# args = "out: float32[(n + 3) // 4], a: float32[n]"
# grid = "1"
# block = "16"
# sizes = "n=5,16,61"
# expect = "out = np.array([np.sum(a[4 * i : 4 * i + 4]) for i in range((a.size + 3) // 4)])"
@cuda.jit
def four_of_each_thread(out, a):
    """The part of the last thread is shorter, and its length says so."""
    t = cuda.threadIdx.x
    if t < out.size:
        part = a[4 * t : 4 * t + 4]
        total = float32(0)
        for k in range(len(part)):
            total += part[k]
        out[t] = total


# kernel = "four_of_each_thread_always"
# args = "out: float32[(n + 3) // 4], a: float32[n]"
# grid = "1"
# block = "16"
# sizes = "n=5,16,61"
# expect = "out = np.array([np.sum(a[4 * i : 4 * i + 4]) for i in range((a.size + 3) // 4)])"
@cuda.jit
def four_of_each_thread_always(out, a):
    """The last thread reads behind the end of the array through its view."""
    t = cuda.threadIdx.x
    if t < out.size:
        part = a[4 * t :]
        total = float32(0)
        for k in range(4):
            total += part[k]  # fault: bounds
        out[t] = total


# kernel = "counts_of_a_thread"
# args = "out: int32[n, 8], a: int32[n, 20] < 8"
# grid = "1"
# block = "n"
# sizes = "n=1,8"
# expect = "out = np.array([np.bincount(row, minlength=8) for row in a])"
@cuda.jit
def counts_of_a_thread(out, a):
    """Local memory holds anything at the start."""
    t = cuda.threadIdx.x
    counts = cuda.local.array(BINS, int32)
    for k in range(a.shape[1]):
        counts[a[t, k]] += 1  # fault: uninitialized
    for k in range(BINS):
        out[t, k] = counts[k]  # fault: uninitialized


# kernel = "counts_in_two_copies"
# args = "out: int32[8] = 0, a: int32[n] < 8"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=60,200"
# expect = "out = np.bincount(a, minlength=8)"
@cuda.jit
def counts_in_two_copies(out, a):
    """Neighbors count in different copies, which are added after a barrier."""
    counts = cuda.shared.array((2, BINS), int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if t < 2 * BINS:
        counts[t // BINS, t % BINS] = 0
    cuda.syncthreads()
    if i < a.size:
        cuda.atomic.add(counts, (t % 2, a[i]), 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(out, t, counts[0, t] + counts[1, t])


# kernel = "rounds_end_in_the_other_buffer"
# args = "out: float32[32], a: float32[32], rounds"
# grid = "1"
# block = "32"
# sizes = "rounds=2,3"
# expect = "out = np.roll(a, rounds)"
@cuda.jit
def rounds_end_in_the_other_buffer(out, a, rounds):
    """After an odd number of turns the result is in the other row."""
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    s[0, t] = a[t]
    cuda.syncthreads()
    for k in range(rounds):
        s[(k + 1) % 2, t] = s[k % 2, (t - 1) % THREADS]
        cuda.syncthreads()
    out[t] = s[0, t]  # fault: wrong-result


# kernel = "shifted_out_of_place"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,20"
# expect = "out = np.roll(a, -1)"
@cuda.jit
def shifted_out_of_place(out, a):
    """A view that begins at the second element."""
    i = cuda.grid(1)
    behind = a[1:]
    if i < len(behind):
        out[i] = behind[i]
    elif i == len(behind):
        out[i] = a[0]


# kernel = "shifted_in_place"
# args = "a: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=8,20"
# expect = "a = np.concatenate([a[1:], a[-1:]])"
@cuda.jit
def shifted_in_place(a):
    """The view shows the array that is being written."""
    i = cuda.grid(1)
    behind = a[1:]
    if i < len(behind):
        a[i] = behind[i]  # fault: race # fault: block-race


# kernel = "lanes_outside_the_mask"
# args = "out: float32[32], a: float32[32]"
# grid = "1"
# block = "32"
# expect = "out = np.where(np.arange(32) % 2 == 0, np.roll(a, -1), a)"
@cuda.jit
def lanes_outside_the_mask(out, a):
    """The even lanes read from the odd ones, which are not there."""
    t = cuda.threadIdx.x
    value = a[t]
    if t % 2 == 0:
        value = cuda.shfl_xor_sync(0x55555555, value, 1)  # fault: uninitialized
    out[t] = value


# kernel = "first_lane_that_is_there"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=1,20,32"
# expect = "out = a - a[0]"
@cuda.jit
def first_lane_that_is_there(out, a):
    """All lanes vote first, so the mask names those that are in the branch."""
    t = cuda.threadIdx.x
    there = cuda.ballot_sync(0xFFFFFFFF, t < a.size)
    if t < a.size:
        out[t] = a[t] - cuda.shfl_sync(there, a[t], 0)


# kernel = "dynamic_arrays_in_parts"
# args = "out: float32[n], a: float32[n], b: float32[n]"
# grid = "1"
# block = "n"
# sizes = "n=8,32"
# shared = "8 * n"
# expect = "out = a[::-1] + b[::-1]"
@cuda.jit
def dynamic_arrays_in_parts(out, a, b):
    """Two parts of the memory that the launch gives."""
    memory = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    first = memory[: a.size]
    second = memory[a.size :]
    first[t] = a[t]
    second[t] = b[t]
    cuda.syncthreads()
    out[t] = first[a.size - 1 - t] + second[a.size - 1 - t]


# kernel = "dynamic_arrays_that_are_one"
# args = "out: float32[n], a: float32[n], b: float32[n]"
# grid = "1"
# block = "n"
# sizes = "n=8,32"
# shared = "8 * n"
# expect = "out = a + b"
@cuda.jit
def dynamic_arrays_that_are_one(out, a, b):
    """Both names are the beginning of the same memory."""
    first = cuda.shared.array(0, float32)
    second = cuda.shared.array(0, float32)
    t = cuda.threadIdx.x
    first[t] = a[t]
    second[t] = b[t]
    out[t] = first[t] + second[t]  # fault: wrong-result


# kernel = "return_together"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 8"
# block = "8"
# sizes = "n=8,32"
# expect = "out = np.repeat(a.reshape(-1, 8).min(1) > 5, 8) * a.reshape(-1, 8)[:, ::-1].reshape(-1)"
@cuda.jit
def return_together(out, a):
    """All threads of a block get the same answer, and return with it."""
    s = cuda.shared.array(8, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i]
    out[i] = 0
    if cuda.syncthreads_or(1 if a[i] <= 5 else 0):
        return
    cuda.syncthreads()
    out[i] = s[7 - t]


# kernel = "return_alone"
# args = "out: int32[n], a: float32[n]"
# grid = "n // 8"
# block = "8"
# sizes = "n=32"
# expect = "out = np.where(a < 0, 0, np.repeat(np.sum(a.reshape(-1, 8) >= 0, axis=1), 8))"
@cuda.jit
def return_alone(out, a):
    """Those that have returned are missed where the others count."""
    i = cuda.grid(1)
    out[i] = 0
    if a[i] < 0:
        return
    out[i] = cuda.syncthreads_count(1)  # fault: barrier


# kernel = "sums_in_local_memory"
# args = "out: float32[n, 4], a: float32[n, 12]"
# grid = "1"
# block = "n"
# sizes = "n=1,16"
# expect = "out = np.array([np.sum(row.reshape(3, 4), axis=0) for row in a])"
@cuda.jit
def sums_in_local_memory(out, a):
    """Each thread has an array of its own."""
    sums = cuda.local.array(4, float32)
    t = cuda.threadIdx.x
    for k in range(4):
        sums[k] = 0
    for k in range(12):
        sums[k % 4] += a[t, k]
    for k in range(4):
        out[t, k] = sums[k]


# kernel = "sums_in_shared_memory"
# args = "out: float32[n, 4], a: float32[n, 12]"
# grid = "1"
# block = "n"
# sizes = "n=1,16"
# expect = "out = np.array([np.sum(row.reshape(3, 4), axis=0) for row in a])"
@cuda.jit
def sums_in_shared_memory(out, a):
    """All threads of the block use one array as if it were their own."""
    sums = cuda.shared.array(4, float32)
    t = cuda.threadIdx.x
    for k in range(4):
        sums[k] = 0  # fault: race
    for k in range(12):
        sums[k % 4] += a[t, k]  # fault: race
    for k in range(4):
        out[t, k] = sums[k]


# kernel = "sums_from_the_end"
# args = "out: float32[n, 8], a: float32[n, 8]"
# grid = "1"
# block = "n"
# sizes = "n=1,5"
# expect = "out = np.flip(np.cumsum(np.flip(a, 1), axis=1), 1)"
@cuda.jit
def sums_from_the_end(out, a):
    t = cuda.threadIdx.x
    total = float32(0)
    for k in range(7, -1, -1):
        total += a[t, k]
        out[t, k] = total


# kernel = "sums_from_the_end_without_the_first"
# args = "out: float32[n, 8], a: float32[n, 8]"
# grid = "1"
# block = "n"
# sizes = "n=1,5"
# expect = "out = np.flip(np.cumsum(np.flip(a, 1), axis=1), 1)"
@cuda.jit
def sums_from_the_end_without_the_first(out, a):
    """The end of a range is left out backwards, too."""
    t = cuda.threadIdx.x
    total = float32(0)
    for k in range(7, 0, -1):
        total += a[t, k]
        out[t, k] = total  # fault: wrong-result


# kernel = "place_of_the_first_large"
# args = "out: int32[n], a: float32[n, 6]"
# grid = "1"
# block = "n"
# sizes = "n=1,20"
# expect = "out = np.where(np.max(a, axis=1) > 0.5, np.argmax(a > 0.5, axis=1), -1)"
@cuda.jit
def place_of_the_first_large(out, a):
    """The branch of a loop that was not left."""
    t = cuda.threadIdx.x
    for k, value in enumerate(a[t]):
        if value > 0.5:
            out[t] = k
            break
    else:
        out[t] = -1


# kernel = "steps_of_one_block"
# args = "out: float32[n] = 0, a: float32[n]"
# grid = "2"
# block = "8"
# sizes = "n=30"
# expect = "out = a"
@cuda.jit
def steps_of_one_block(out, a):
    """The step of a grid of two blocks is 16: so both add to most elements."""
    for i in range(cuda.grid(1), a.size, cuda.blockDim.x):
        out[i] += a[i]  # fault: block-race
