"""Barriers in branches and loops, device functions with shared memory, warps that work by themselves."""

from numba import cuda, float32, int32

THREADS = 64
WARPS = 2
FULL = 0xFFFFFFFF


@cuda.jit(device=True)
def sum_of_block(value):
    """The same shared memory in each call."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = value
    half = THREADS // 2
    while half > 0:
        cuda.syncthreads()
        if t < half:
            s[t] += s[t + half]
        half //= 2
    cuda.syncthreads()
    return s[0]


# kernel = "two_sums_at_once"
# args = "out: float32[blocks, 2], a: float32[64 * blocks]"
# grid = "blocks"
# block = "64"
# sizes = "blocks=1,3"
# reference = '''
# def out(a):
#     rows = a.reshape(-1, 64)
#     return np.stack([np.sum(rows, axis=1), np.sum(rows * rows, axis=1)], axis=1)
# '''
@cuda.jit
def two_sums_at_once(out, a):
    """The second call of the function stores where slower threads still read the first one's sum."""
    own = a[cuda.grid(1)]
    total = sum_left_in_memory(own)
    squares = sum_left_in_memory(own * own)
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x, 0] = total
        out[cuda.blockIdx.x, 1] = squares


@cuda.jit(device=True)
def sum_left_in_memory(value):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = value  # fault: race
    half = THREADS // 2
    while half > 0:
        cuda.syncthreads()
        if t < half:
            s[t] += s[t + half]
        half //= 2
    cuda.syncthreads()
    return s[0]  # fault: race


# kernel = "two_sums_apart"
# args = "out: float32[blocks, 2], a: float32[64 * blocks]"
# grid = "blocks"
# block = "64"
# sizes = "blocks=1,3"
# reference = '''
# def out(a):
#     rows = a.reshape(-1, 64)
#     return np.stack([np.sum(rows, axis=1), np.sum(rows * rows, axis=1)], axis=1)
# '''
@cuda.jit
def two_sums_apart(out, a):
    """A barrier between the calls."""
    own = a[cuda.grid(1)]
    total = sum_of_block(own)
    cuda.syncthreads()
    squares = sum_of_block(own * own)
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x, 0] = total
        out[cuda.blockIdx.x, 1] = squares


# kernel = "barrier_in_both_branches"
# args = "out: int32[64], a: int32[64]"
# grid = "1"
# block = "64"
# expect = "out = np.roll(a, 32)"
@cuda.jit
def barrier_in_both_branches(out, a):
    """Two barriers are not one, though each thread meets one of them."""
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    if t < 32:
        cuda.syncthreads()  # fault: barrier
        out[t] = s[t + 32]
    else:
        cuda.syncthreads()  # fault: barrier
        out[t] = s[t - 32]


# kernel = "barrier_in_ragged_loop"
# args = "out: float32[n], a: float32[n]"
# grid = "2"
# block = "32"
# sizes = "n=64,70,128"
# expect = "out = 2 * a"
@cuda.jit
def barrier_in_ragged_loop(out, a):
    """At the ragged end some threads of a block have one turn less."""
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        s[t] = a[i]
        cuda.syncthreads()  # fault: barrier
        out[i] = 2 * s[t]
        cuda.syncthreads()  # fault: barrier


# kernel = "barrier_in_whole_loop"
# args = "out: float32[n], a: float32[n]"
# grid = "2"
# block = "32"
# sizes = "n=1,64,70,128"
# reference = '''
# def out(a):
#     found = a.copy()
#     for start in range(0, a.size, 32):
#         found[start : start + 32] = a[start : start + 32][::-1]
#     return found
# '''
@cuda.jit
def barrier_in_whole_loop(out, a):
    """The loop counts whole blocks, so all threads have the same turns; each piece of 32 is reversed."""
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    n = a.shape[0]
    for first in range(cuda.blockIdx.x * 32, n, cuda.gridDim.x * 32):
        count = min(32, n - first)
        if t < count:
            s[t] = a[first + t]
        cuda.syncthreads()
        if t < count:
            out[first + t] = s[count - 1 - t]
        cuda.syncthreads()


# kernel = "barrier_after_break"
# args = "rounds: int32[blocks], a: int32[64 * blocks] < 20"
# grid = "blocks"
# block = "64"
# sizes = "blocks=1,3"
# expect = "rounds = np.max(a.reshape(-1, 64), axis=1) + 1"
@cuda.jit
def barrier_after_break(rounds, a):
    """Each thread leaves the loop when its own number is reached."""
    own = a[cuda.grid(1)]
    k = 0
    while True:
        if k > own:
            break
        cuda.syncthreads()  # fault: barrier
        k += 1
    if cuda.threadIdx.x == 0:
        rounds[cuda.blockIdx.x] = k


# kernel = "barrier_decides_together"
# args = "rounds: int32[blocks], a: int32[64 * blocks] < 20"
# grid = "blocks"
# block = "64"
# sizes = "blocks=1,3"
# expect = "rounds = np.max(a.reshape(-1, 64), axis=1) + 1"
@cuda.jit
def barrier_decides_together(rounds, a):
    """The barrier tells all threads whether one of them goes on."""
    own = a[cuda.grid(1)]
    k = 0
    while True:
        goes_on = cuda.syncthreads_or(1 if k <= own else 0)
        if goes_on == 0:
            break
        k += 1
    if cuda.threadIdx.x == 0:
        rounds[cuda.blockIdx.x] = k


# kernel = "tiles_of_warps"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 64"
# block = "64"
# sizes = "n=64,192"
# expect = "out = np.roll(a.reshape(-1, 32), 1, axis=1).reshape(-1)"
@cuda.jit
def tiles_of_warps(out, a):
    """Each warp uses a row of its own, and its lanes wait for each other only."""
    rows = cuda.shared.array((WARPS, 32), float32)
    i = cuda.grid(1)
    warp = cuda.threadIdx.x // 32
    lane = cuda.threadIdx.x % 32
    rows[warp, lane] = a[i]
    cuda.syncwarp()
    out[i] = rows[warp, (lane - 1) % 32]


# kernel = "tiles_across_warps"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 64"
# block = "64"
# sizes = "n=64,192"
# expect = "out = np.roll(a.reshape(-1, 64), 1, axis=1).reshape(-1)"
@cuda.jit
def tiles_across_warps(out, a):
    """The first lane of a warp reads what the other warp stored, but waits for its own warp only."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i]  # fault: race
    cuda.syncwarp()
    out[i] = s[(t - 1) % THREADS]  # fault: race


# kernel = "shuffle_is_no_barrier"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# reference = '''
# def out(a):
#     rows = a.reshape(-1, 32)
#     return (np.roll(rows, 1, axis=1) + rows[:, :1]).reshape(-1)
# '''
@cuda.jit
def shuffle_is_no_barrier(out, a):
    """A shuffle between store and read brings lanes together, but not what they stored."""
    s = cuda.shared.array(32, float32)
    i = cuda.grid(1)
    lane = cuda.threadIdx.x
    s[lane] = a[i]  # fault: race
    first = cuda.shfl_sync(FULL, a[i], 0)
    out[i] = s[(lane - 1) % 32] + first  # fault: race


# kernel = "shuffle_in_a_block_of_48"
# args = "out: int32[48], a: int32[48]"
# grid = "1"
# block = "48"
# expect = "out = np.concatenate([a[16:32], a[16:32], a[32:48]])"
@cuda.jit
def shuffle_in_a_block_of_48(out, a):
    """Lane 16 and those behind it are missing in the second warp, but are read from."""
    t = cuda.threadIdx.x
    out[t] = cuda.shfl_down_sync(FULL, a[t], 16)  # fault: uninitialized


# kernel = "half_of_a_warp"
# args = "out: int32[n], a: int32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,64"
# expect = "out = np.concatenate([a.reshape(-1, 32)[:, 15::-1], a.reshape(-1, 32)[:, 16:]], axis=1).reshape(-1)"
@cuda.jit
def half_of_a_warp(out, a):
    """Sixteen lanes reverse their elements; the mask names just these."""
    i = cuda.grid(1)
    lane = cuda.threadIdx.x
    own = a[i]
    if lane < 16:
        own = cuda.shfl_sync(0xFFFF, own, 15 - lane)
    out[i] = own


# kernel = "value_of_one_branch"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,40"
# expect = "out = np.where(a > 0, a * 2, 0)"
@cuda.jit
def value_of_one_branch(out, a):
    """Where the element is not above zero, the variable has no value."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        if a[i] > 0:
            double = a[i] * 2
        out[i] = double  # fault: uninitialized


# kernel = "leader_of_each_warp"
# args = "out: int32[n // 32], a: int32[n]"
# grid = "n // 64"
# block = "64"
# sizes = "n=64,128"
# expect = "out = np.max(a.reshape(-1, 32), axis=1)"
@cuda.jit
def leader_of_each_warp(out, a):
    """The largest of a warp by a loop over its lanes."""
    i = cuda.grid(1)
    largest = a[i]
    for lane in range(32):
        largest = max(largest, cuda.shfl_sync(FULL, a[i], lane))
    if cuda.laneid == 0:
        out[i // 32] = largest


# kernel = "pipeline_of_two_warps"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "64"
# sizes = "n=32,96"
# expect = "out = a * 3"
@cuda.jit
def pipeline_of_two_warps(out, a):
    """One warp loads the next 32 elements while the other computes with the last ones."""
    buffers = cuda.shared.array((2, 32), float32)
    t = cuda.threadIdx.x
    lane = t % 32
    tiles = a.shape[0] // 32
    for k in range(tiles + 1):
        if t < 32 and k < tiles:
            buffers[k % 2, lane] = a[k * 32 + lane]
        if t >= 32 and k > 0:
            out[(k - 1) * 32 + lane] = buffers[(k - 1) % 2, lane] * 3
        cuda.syncthreads()


# kernel = "pipeline_in_one_buffer"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "64"
# sizes = "n=64,96"
# expect = "out = a * 3"
@cuda.jit
def pipeline_in_one_buffer(out, a):
    """The loading warp overwrites what the other one computes with."""
    buffer = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    lane = t % 32
    tiles = a.shape[0] // 32
    for k in range(tiles + 1):
        if t < 32 and k < tiles:
            buffer[lane] = a[k * 32 + lane]  # fault: race
        if t >= 32 and k > 0:
            out[(k - 1) * 32 + lane] = buffer[lane] * 3  # fault: race
        cuda.syncthreads()


# kernel = "flag_in_shared_memory"
# args = "found: int32[blocks], a: int32[64 * blocks] < 300"
# grid = "blocks"
# block = "64"
# sizes = "blocks=1,8"
# warns = "same-value"
# expect = "found = np.any(a.reshape(-1, 64) > 290, axis=1)"
@cuda.jit
def flag_in_shared_memory(found, a):
    """All that find one store the same 1."""
    flag = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        flag[0] = 0
    cuda.syncthreads()
    if a[cuda.grid(1)] > 290:
        flag[0] = 1
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        found[cuda.blockIdx.x] = flag[0]


# kernel = "flag_set_back_by_others"
# args = "found: int32[blocks], a: int32[64 * blocks] < 300"
# grid = "blocks"
# block = "64"
# sizes = "blocks=8"
# expect = "found = np.any(a.reshape(-1, 64) > 290, axis=1)"
@cuda.jit
def flag_set_back_by_others(found, a):
    """Threads that find none store 0, perhaps after another's 1."""
    flag = cuda.shared.array(1, int32)
    if a[cuda.grid(1)] > 290:
        flag[0] = 1  # fault: race
    else:
        flag[0] = 0  # fault: race
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        found[cuda.blockIdx.x] = flag[0]


# kernel = "accuracy_of_rows"
# args = "correct: int32[1] = 0, scores: float32[rows, 10], labels: int32[rows] < 10"
# grid = "(rows + 31) // 32"
# block = "32"
# sizes = "rows=1,32,40"
# expect = "correct = np.sum(np.argmax(scores, axis=1) == labels)"
@cuda.jit
def accuracy_of_rows(correct, scores, labels):
    """The block counts at a barrier; one thread adds."""
    i = cuda.grid(1)
    hit = 0
    if i < scores.shape[0]:
        best = 0
        for k in range(1, 10):
            if scores[i, k] > scores[i, best]:
                best = k
        hit = int32(best == labels[i])
    count = cuda.syncthreads_count(hit)
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(correct, 0, count)
