"""Sums, largest elements and dot products."""

from numba import cuda, float32, float64, int32

THREADS = 64
ODD_THREADS = 96
FULL = 0xFFFFFFFF
HALF_WARP = 0xFFFF
LOWEST = -1.0e30


# kernel = "sum_tree"
# args = "total: float32[1] = 0, a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_tree(total, a):
    """A tree in shared memory, and one atomic addition for each block."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, s[0])


# kernel = "sum_barrier_in_branch"
# args = "total: float32[1] = 0, a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_barrier_in_branch(total, a):
    """Only threads that add wait for the others."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] += s[t + half]
            cuda.syncthreads()  # fault: barrier
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, s[0])


# kernel = "sum_stops_early"
# args = "total: float32[1] = 0, a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_stops_early(total, a):
    """The last step, which adds the second element to the first, is left out."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    half = THREADS // 2
    while half > 1:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(total, 0, s[0])  # fault: wrong-result


# kernel = "sum_halves_of_96"
# args = "sums: float64[(n + 95) // 96], a: float64[n]"
# grid = "(n + 95) // 96"
# block = "96"
# sizes = "n=96,100,192"
# expect = "sums = np.array([np.sum(a[k:k + 96]) for k in range(0, a.size, 96)])"
@cuda.jit
def sum_halves_of_96(sums, a):
    """96 halves to 3, and of three elements the third is lost."""
    s = cuda.shared.array(ODD_THREADS, float64)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    half = ODD_THREADS // 2
    while half > 0:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = s[0]  # fault: wrong-result


# kernel = "sum_any_number"
# args = "sums: float64[(n + 95) // 96], a: float64[n]"
# grid = "(n + 95) // 96"
# block = "96"
# sizes = "n=96,100,192"
# expect = "sums = np.array([np.sum(a[k:k + 96]) for k in range(0, a.size, 96)])"
@cuda.jit
def sum_any_number(sums, a):
    """Of an odd number of elements the one in the middle waits for the next step."""
    s = cuda.shared.array(ODD_THREADS, float64)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    count = ODD_THREADS
    while count > 1:
        cuda.syncthreads()
        half = (count + 1) // 2
        if t + half < count:
            s[t] += s[t + half]
        count = half
    if t == 0:
        sums[cuda.blockIdx.x] = s[0]


# kernel = "largest_without_padding"
# args = "largest: float32[(n + 63) // 64], a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=64,65,200"
# expect = "largest = np.array([np.max(a[k:k + 64]) for k in range(0, a.size, 64)])"
@cuda.jit
def largest_without_padding(largest, a):
    """Threads behind the end of the array store nothing in shared memory, but their places are compared."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if i < a.shape[0]:
        s[t] = a[i]
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] = max(s[t], s[t + half])  # fault: uninitialized
        cuda.syncthreads()
        half //= 2
    if t == 0:
        largest[cuda.blockIdx.x] = s[0]


# kernel = "largest_padded"
# args = "largest: float32[(n + 63) // 64], a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# expect = "largest = np.array([np.max(a[k:k + 64]) for k in range(0, a.size, 64)])"
@cuda.jit
def largest_padded(largest, a):
    """Threads behind the end of the array compare with a number below all others."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = LOWEST
    if i < a.shape[0]:
        s[t] = a[i]
    half = THREADS // 2
    while half > 0:
        cuda.syncthreads()
        if t < half and s[t + half] > s[t]:
            s[t] = s[t + half]
        half //= 2
    if t == 0:
        largest[cuda.blockIdx.x] = s[0]


# kernel = "sum_stored_by_all"
# args = "sums: float32[(n + 63) // 64], a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# expect = "sums = np.array([np.sum(a[k:k + 64]) for k in range(0, a.size, 64)])"
@cuda.jit
def sum_stored_by_all(sums, a):
    """Each thread stores its own partial sum as that of the block."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half //= 2
    sums[cuda.blockIdx.x] = s[t]  # fault: race


# kernel = "dot_grid_stride"
# args = "result: float64[1] = 0, a: float64[n], b: float64[n]"
# grid = "3"
# block = "32"
# sizes = "n=1,96,97,500"
# expect = "result = np.dot(a, b)"
@cuda.jit
def dot_grid_stride(result, a, b):
    """Each thread sums products far apart, then adds once."""
    total = 0.0
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        total += a[i] * b[i]
    cuda.atomic.add(result, 0, total)


# kernel = "dot_plain_addition"
# args = "result: float64[1] = 0, a: float64[n], b: float64[n]"
# grid = "3"
# block = "32"
# sizes = "n=1,96,97,500"
# expect = "result = np.dot(a, b)"
@cuda.jit
def dot_plain_addition(result, a, b):
    """All threads read, add and write one element without an atomic operation."""
    total = 0.0
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        total += a[i] * b[i]
    result[0] += total  # fault: race # fault: block-race


# kernel = "dot_leaders_without_atomic"
# args = "result: float64[1] = 0, a: float64[n], b: float64[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,200"
# expect = "result = np.dot(a, b)"
@cuda.jit
def dot_leaders_without_atomic(result, a, b):
    """Within a block all is right; thread 0 of each block adds to one element without an atomic operation."""
    s = cuda.shared.array(THREADS, float64)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = 0.0
    if i < a.shape[0]:
        s[t] = a[i] * b[i]
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            s[t] += s[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        result[0] += s[0]  # fault: block-race


# kernel = "sum_last_warp"
# args = "sums: float32[(n + 63) // 64], a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# expect = "sums = np.array([np.sum(a[k:k + 64]) for k in range(0, a.size, 64)])"
@cuda.jit
def sum_last_warp(sums, a):
    """The first warp alone does the last six steps, and waits for its own lanes only."""
    s = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    if t < 32:
        half = 32
        while half > 0:
            if t < half:
                s[t] += s[t + half]
            cuda.syncwarp()
            half //= 2
        if t == 0:
            sums[cuda.blockIdx.x] = s[0]


# kernel = "sum_shuffles"
# args = "total: float32[1] = 0, a: float32[n]"
# grid = "2"
# block = "96"
# sizes = "n=1,96,97,700"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_shuffles(total, a):
    """Each warp sums by shuffles, then the first warp sums what the warps found."""
    sums = cuda.shared.array(32, float32)
    lane = cuda.threadIdx.x % 32
    warp = cuda.threadIdx.x // 32
    own = 0.0
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        own += a[i]
    offset = 16
    while offset > 0:
        own += cuda.shfl_down_sync(FULL, own, offset)
        offset //= 2
    if lane == 0:
        sums[warp] = own
    cuda.syncthreads()
    if warp == 0:
        own = sums[lane] if lane < cuda.blockDim.x // 32 else 0.0
        offset = 16
        while offset > 0:
            own += cuda.shfl_down_sync(FULL, own, offset)
            offset //= 2
        if lane == 0:
            cuda.atomic.add(total, 0, own)


# kernel = "sum_of_32_warps"
# args = "total: float32[1] = 0, a: float32[n]"
# grid = "2"
# block = "96"
# sizes = "n=1,96,97,700"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_of_32_warps(total, a):
    """The first warp reads the sums of 32 warps, but the block has three."""
    sums = cuda.shared.array(32, float32)
    lane = cuda.threadIdx.x % 32
    warp = cuda.threadIdx.x // 32
    own = 0.0
    for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
        own += a[i]
    offset = 16
    while offset > 0:
        own += cuda.shfl_down_sync(FULL, own, offset)
        offset //= 2
    if lane == 0:
        sums[warp] = own
    cuda.syncthreads()
    if warp == 0:
        own = sums[lane]  # fault: uninitialized
        offset = 16
        while offset > 0:
            own += cuda.shfl_down_sync(FULL, own, offset)
            offset //= 2
        if lane == 0:
            cuda.atomic.add(total, 0, own)


# kernel = "sum_mask_of_half_a_warp"
# args = "total: int32[1] = 0, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,50"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_mask_of_half_a_warp(total, a):
    """All 32 lanes call the shuffle, but its mask names 16 of them."""
    i = cuda.grid(1)
    own = a[i] if i < a.shape[0] else 0
    offset = 16
    while offset > 0:
        own += cuda.shfl_down_sync(HALF_WARP, own, offset)  # fault: barrier
        offset //= 2
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(total, 0, own)


# kernel = "sum_shuffle_behind_guard"
# args = "total: int32[1] = 0, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,50"
# expect = "total = np.sum(a)"
@cuda.jit
def sum_shuffle_behind_guard(total, a):
    """In the last warp the lanes behind the end of the array have left before the shuffle that names all lanes."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        own = a[i]
        offset = 16
        while offset > 0:
            own += cuda.shfl_down_sync(FULL, own, offset)  # fault: barrier
            offset //= 2
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(total, 0, own)


# kernel = "count_above_zero"
# args = "counts: int32[(n + 63) // 64], a: float32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# expect = "counts = np.array([np.sum(a[k:k + 64] > 0) for k in range(0, a.size, 64)])"
@cuda.jit
def count_above_zero(counts, a):
    """The barrier itself counts."""
    i = cuda.grid(1)
    found = 0
    if i < a.shape[0] and a[i] > 0:
        found = 1
    count = cuda.syncthreads_count(found)
    if cuda.threadIdx.x == 0:
        counts[cuda.blockIdx.x] = count


# kernel = "place_of_largest"
# args = "place: int32[rows], a: float32[rows, columns]"
# grid = "rows"
# block = "64"
# sizes = "rows=1,3 columns=1,64,150"
# expect = "place = np.argmax(a, axis=1)"
@cuda.jit
def place_of_largest(place, a):
    """A tree over pairs of value and place; of equal values the first one counts."""
    values = cuda.shared.array(THREADS, float32)
    places = cuda.shared.array(THREADS, int32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    best = float32(LOWEST)
    best_at = a.shape[1]
    for column in range(t, a.shape[1], THREADS):
        if a[row, column] > best:
            best = a[row, column]
            best_at = column
    values[t] = best
    places[t] = best_at
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            is_larger = values[t + half] > values[t]
            is_earlier = values[t + half] == values[t] and places[t + half] < places[t]
            if is_larger or is_earlier:
                values[t] = values[t + half]
                places[t] = places[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        place[row] = places[0]


# kernel = "norm_of_rows"
# args = "norms: float32[rows], a: float32[rows, columns]"
# grid = "rows"
# block = "32, 2"
# sizes = "rows=1,4 columns=1,40,64"
# expect = "norms = np.sqrt(np.sum(a * a, axis=1))"
@cuda.jit
def norm_of_rows(norms, a):
    """A block of two dimensions whose threads are counted by hand."""
    s = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    s[t] = a[row, t] * a[row, t] if t < a.shape[1] else 0.0
    cuda.syncthreads()
    if t < 32:
        own = s[t] + s[t + 32]
        offset = 16
        while offset > 0:
            own += cuda.shfl_xor_sync(FULL, own, offset)
            offset //= 2
        if t == 0:
            norms[row] = own**0.5


# kernel = "norm_of_rows_by_x"
# args = "norms: float32[rows], a: float32[rows, columns]"
# grid = "rows"
# block = "32, 2"
# sizes = "rows=1,4 columns=40,64"
# expect = "norms = np.sqrt(np.sum(a * a, axis=1))"
@cuda.jit
def norm_of_rows_by_x(norms, a):
    """The two rows of threads use the same places of shared memory, so one half of each row is lost."""
    s = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    x = cuda.threadIdx.x
    column = cuda.threadIdx.y * cuda.blockDim.x + x
    s[x] = a[row, column] * a[row, column] if column < a.shape[1] else 0.0  # fault: race
    cuda.syncthreads()
    if cuda.threadIdx.y == 0:
        own = s[x]
        offset = 16
        while offset > 0:
            own += cuda.shfl_xor_sync(FULL, own, offset)
            offset //= 2
        if x == 0:
            norms[row] = own**0.5
