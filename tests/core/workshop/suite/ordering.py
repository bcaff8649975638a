"""What barriers, launches and blocks order, and what they do not."""

from numba import cuda, float32, int32

THREADS = 32
FAR = 1000


# kernel = "sum_zeroed_in_the_kernel"
# args = "total: float32[1], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=20,100"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_zeroed_in_the_kernel(total, a):
    """The first thread sets the sum to zero, when others may have added already."""
    i = cuda.grid(1)
    if i == 0:
        total[0] = 0  # fault: block-race
    cuda.syncthreads()
    if i < a.size:
        cuda.atomic.add(total, 0, a[i])  # fault: block-race


# kernel = "sum_never_zeroed"
# args = "total: float32[1], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=20,100"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_never_zeroed(total, a):
    """Added to what the memory of the sum happens to hold."""
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.add(total, 0, a[i])  # fault: uninitialized


# kernel = "count_of_each_block"
# args = "share: float32[n], counts: int32[n // 32] = 0, a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# reference = '''
# def share(a):
#     counts = np.sum(a.reshape(-1, 32) > 0, axis=1)
#     return np.repeat(counts / 32, 32)
# '''
@cuda.jit
def count_of_each_block(share, counts, a):
    """An element of global memory that one block alone uses is ordered by its barrier."""
    i = cuda.grid(1)
    if a[i] > 0:
        cuda.atomic.add(counts, cuda.blockIdx.x, 1)
    cuda.syncthreads()
    share[i] = counts[cuda.blockIdx.x] / 32


# kernel = "count_of_the_block_before"
# args = "share: float32[n], counts: int32[n // 32] = 0, a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# reference = '''
# def share(a):
#     counts = np.sum(a.reshape(-1, 32) > 0, axis=1)
#     return np.repeat(np.roll(counts, 1) / 32, 32)
# '''
@cuda.jit
def count_of_the_block_before(share, counts, a):
    """The other block may not have counted yet."""
    i = cuda.grid(1)
    if a[i] > 0:
        cuda.atomic.add(counts, cuda.blockIdx.x, 1)  # fault: block-race
    cuda.syncthreads()
    share[i] = counts[(cuda.blockIdx.x - 1) % cuda.gridDim.x] / 32  # fault: block-race


# kernel = "reverse_pieces_in_global_memory"
# args = "a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "a = a.reshape(-1, 32)[:, ::-1].reshape(-1)"
@cuda.jit
def reverse_pieces_in_global_memory(a):
    """All of the block have read before the first one writes."""
    first = cuda.blockIdx.x * THREADS
    t = cuda.threadIdx.x
    kept = a[first + THREADS - 1 - t]
    cuda.syncthreads()
    a[first + t] = kept


# kernel = "reverse_all_in_global_memory"
# args = "a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "a = a[::-1]"
@cuda.jit
def reverse_all_in_global_memory(a):
    """The other end belongs to another block."""
    i = cuda.grid(1)
    kept = a[a.size - 1 - i]  # fault: block-race
    cuda.syncthreads()
    a[i] = kept  # fault: block-race


# kernel = "barrier_in_one_block_only"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.concatenate([a[:32][::-1], a[32:]])"
@cuda.jit
def barrier_in_one_block_only(out, a):
    """All threads of block 0 take the branch with the barrier, and no other thread."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if cuda.blockIdx.x == 0:
        s[t] = a[i]
        cuda.syncthreads()
        out[i] = s[THREADS - 1 - t]
    else:
        out[i] = a[i]


# kernel = "barrier_for_the_even_threads"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "out = np.concatenate([a[:32][::-1], a[32:]])"
@cuda.jit
def barrier_for_the_even_threads(out, a):
    """The branch depends on the element that the thread has, so one block takes both."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i]
    if i % 2 == 0:
        cuda.syncthreads()  # fault: barrier
    out[i] = s[THREADS - 1 - t]


# kernel = "turns_by_block"
# args = "out: int32[blocks * 32]"
# grid = "blocks"
# block = "32"
# sizes = "blocks=1,4"
# expect = "out = np.repeat(np.arange(out.size // 32), 32) + 1"
@cuda.jit
def turns_by_block(out):
    """A loop with barriers whose number of turns is that of the block."""
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for _ in range(cuda.blockIdx.x + 1):
        neighbor = s[(t + 1) % THREADS]
        cuda.syncthreads()
        s[t] = neighbor + 1
        cuda.syncthreads()
    out[cuda.grid(1)] = s[t]


# kernel = "distances_until_stable"
# args = "distance: int32[32], weights: int32[32, 32] < 90"
# grid = "1"
# block = "32"
# warns = "same-value"
# reference = '''
# def distance(weights):
#     found = np.full(32, 1000)
#     found[0] = 0
#     for step in range(32):
#         found = np.minimum(found, np.min(found[:, None] + weights, axis=0))
#     return found
# '''
@cuda.jit
def distances_until_stable(distance, weights):
    """Two rows of distances in turn, and a flag that says whether any became smaller."""
    rows = cuda.shared.array((2, THREADS), int32)
    changed = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    rows[0, t] = 0 if t == 0 else FAR
    now = 0
    while True:
        if t == 0:
            changed[0] = 0
        cuda.syncthreads()
        best = rows[now, t]
        for other in range(THREADS):
            best = min(best, rows[now, other] + weights[other, t])
        if best < rows[now, t]:
            changed[0] = 1
        rows[1 - now, t] = best
        cuda.syncthreads()
        now = 1 - now
        goes_on = changed[0]
        cuda.syncthreads()
        if goes_on == 0:
            break
    distance[t] = rows[now, t]


# kernel = "distances_flag_reset_early"
# args = "distance: int32[32], weights: int32[32, 32] < 90"
# grid = "1"
# block = "32"
# reference = '''
# def distance(weights):
#     found = np.full(32, 1000)
#     found[0] = 0
#     for step in range(32):
#         found = np.minimum(found, np.min(found[:, None] + weights, axis=0))
#     return found
# '''
@cuda.jit
def distances_flag_reset_early(distance, weights):
    """Thread 0 sets the flag back while slower threads have not read it: they leave, and it waits for ever."""
    rows = cuda.shared.array((2, THREADS), int32)
    changed = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    rows[0, t] = 0 if t == 0 else FAR
    now = 0
    while True:
        if t == 0:
            changed[0] = 0  # fault: race
        cuda.syncthreads()
        best = rows[now, t]
        for other in range(THREADS):
            best = min(best, rows[now, other] + weights[other, t])
        if best < rows[now, t]:
            changed[0] = 1
        rows[1 - now, t] = best
        cuda.syncthreads()
        now = 1 - now
        if changed[0] == 0:  # fault: race
            break
    distance[t] = rows[now, t]


# kernel = "histograms_of_warps"
# args = "counts: int32[8] = 0, labels: int32[n] < 8"
# grid = "n // 64"
# block = "64"
# sizes = "n=64,192"
# expect = "counts = np.bincount(labels, minlength=8)"
@cuda.jit
def histograms_of_warps(counts, labels):
    """Each warp zeroes, counts in and adds a row of its own; its lanes wait for each other."""
    own = cuda.shared.array((2, 8), int32)
    warp = cuda.threadIdx.x // 32
    lane = cuda.threadIdx.x % 32
    if lane < 8:
        own[warp, lane] = 0
    cuda.syncwarp()
    cuda.atomic.add(own, (warp, labels[cuda.grid(1)]), 1)
    cuda.syncwarp()
    if lane < 8:
        cuda.atomic.add(counts, lane, own[warp, lane])


# kernel = "histogram_of_two_warps"
# args = "counts: int32[8] = 0, labels: int32[n] < 8"
# grid = "n // 64"
# block = "64"
# sizes = "n=64,192"
# expect = "counts = np.bincount(labels, minlength=8)"
@cuda.jit
def histogram_of_two_warps(counts, labels):
    """One row for both warps needs more than waiting for the own warp."""
    own = cuda.shared.array(8, int32)
    t = cuda.threadIdx.x
    if t < 8:
        own[t] = 0  # fault: race
    cuda.syncwarp()
    cuda.atomic.add(own, labels[cuda.grid(1)], 1)  # fault: race
    cuda.syncwarp()
    if t < 8:
        cuda.atomic.add(counts, t, own[t])  # fault: race


# kernel = "cube_of_threads"
# args = "out: int32[4, 3, 5]"
# grid = "3, 2, 2"
# block = "2, 2, 2"
# expect = "out = np.arange(60).reshape(4, 3, 5)"
@cuda.jit
def cube_of_threads(out):
    """Three dimensions, x for the last index."""
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[z, y, x] = (z * out.shape[1] + y) * out.shape[2] + x


# kernel = "cube_with_x_first"
# args = "out: int32[4, 3, 5]"
# grid = "3, 2, 2"
# block = "2, 2, 2"
# expect = "out = np.arange(60).reshape(4, 3, 5)"
@cuda.jit
def cube_with_x_first(out):
    """The guard compares x with the last side, but x is the first index."""
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        out[x, y, z] = (z * out.shape[1] + y) * out.shape[2] + x  # fault: bounds


# kernel = "tile_one_row_short"
# args = "out: float32[8, 8], a: float32[9, 9]"
# grid = "1"
# block = "8, 8"
# expect = "out = a[:-1, :-1] + a[1:, 1:]"
@cuda.jit
def tile_one_row_short(out, a):
    """The diagonal neighbor of the last row and column is not in the tile; behind it lies other memory."""
    tile = cuda.shared.array((8, 8), float32)
    x, y = cuda.grid(2)
    tile[y, x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = tile[y, x] + tile[y + 1, x + 1]  # fault: bounds


# kernel = "tile_larger_than_the_block"
# args = "out: float32[8, 8], a: float32[9, 9]"
# grid = "1"
# block = "8, 8"
# expect = "out = a[:-1, :-1] + a[1:, 1:]"
@cuda.jit
def tile_larger_than_the_block(out, a):
    """The threads load twice, in steps of the block."""
    tile = cuda.shared.array((9, 9), float32)
    x, y = cuda.grid(2)
    for row in range(y, 9, cuda.blockDim.y):
        for column in range(x, 9, cuda.blockDim.x):
            tile[row, column] = a[row, column]
    cuda.syncthreads()
    out[y, x] = tile[y, x] + tile[y + 1, x + 1]


# kernel = "blocks_in_the_wrong_unit"
# args = "out: float32[n], a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,64"
# expect = "out = a * 2"
@cuda.jit
def blocks_in_the_wrong_unit(out, a):
    """Multiplied by the number of blocks instead of their size: some elements have two threads, others none."""
    i = cuda.blockIdx.x * cuda.gridDim.x + cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] * 2  # fault: wrong-result


# kernel = "columns_far_apart"
# args = "sums: float32[m], a: float32[n, m]"
# grid = "m"
# block = "32"
# sizes = "n=1,40 m=3"
# expect = "sums = np.sum(a, axis=0)"
@cuda.jit
def columns_far_apart(sums, a):
    """Thread 0 stores zero first, and the block's barrier stands before the additions."""
    column = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        sums[column] = 0
    cuda.syncthreads()
    for row in range(cuda.threadIdx.x, a.shape[0], cuda.blockDim.x):
        cuda.atomic.add(sums, column, a[row, column])


# kernel = "too_much_shared_memory"
# args = "out: float32[n], a: float32[n]"
# grid = "1"
# block = "32"
# sizes = "n=32"
# expect = "out = a"
@cuda.jit
def too_much_shared_memory(out, a):
    """Two arrays of 32 KB each: no card gives a block more than 48 KB without being asked."""
    one = cuda.shared.array((64, 128), float32)  # fault: unsupported
    two = cuda.shared.array((64, 128), float32)  # fault: unsupported
    t = cuda.threadIdx.x
    one[0, t] = a[t]
    two[0, t] = one[0, t]
    out[t] = two[0, t]
