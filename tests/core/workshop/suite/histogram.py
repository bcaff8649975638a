"""Histograms, digits of a radix sort, and votes."""

from numba import cuda, int32

BINS = 16
THREADS = 64
FULL = 0xFFFFFFFF
CLASSES = 4


# kernel = "histogram_in_global_memory"
# args = "counts: int32[16] = 0, labels: int32[n] < 16"
# grid = "2"
# block = "32"
# sizes = "n=1,64,65,300"
# expect = "counts = np.bincount(labels, minlength=16)"
@cuda.jit
def histogram_in_global_memory(counts, labels):
    """Each thread takes labels far apart."""
    i = cuda.grid(1)
    while i < labels.shape[0]:
        cuda.atomic.add(counts, labels[i], 1)
        i += cuda.gridsize(1)


# kernel = "histogram_without_atomics"
# args = "counts: int32[16] = 0, labels: int32[n] < 16"
# grid = "2"
# block = "32"
# sizes = "n=1,64,65,300"
# expect = "counts = np.bincount(labels, minlength=16)"
@cuda.jit
def histogram_without_atomics(counts, labels):
    """Threads with the same label lose each other's counts."""
    i = cuda.grid(1)
    while i < labels.shape[0]:
        counts[labels[i]] += 1  # fault: race # fault: block-race
        i += cuda.gridsize(1)


# kernel = "histogram_by_blocks"
# args = "counts: int32[16] = 0, labels: int32[n] < 16"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,300"
# expect = "counts = np.bincount(labels, minlength=16)"
@cuda.jit
def histogram_by_blocks(counts, labels):
    """Each block counts in shared memory, then adds its counts."""
    own = cuda.shared.array(BINS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t < BINS:
        own[t] = 0
    cuda.syncthreads()
    if i < labels.shape[0]:
        cuda.atomic.add(own, labels[i], 1)
    cuda.syncthreads()
    if t < BINS and own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


# kernel = "histogram_not_zeroed"
# args = "counts: int32[16] = 0, labels: int32[n] < 16"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,300"
# expect = "counts = np.bincount(labels, minlength=16)"
@cuda.jit
def histogram_not_zeroed(counts, labels):
    """Shared memory is counted in without having been set to zero."""
    own = cuda.shared.array(BINS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if i < labels.shape[0]:
        cuda.atomic.add(own, labels[i], 1)  # fault: uninitialized
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(counts, t, own[t])  # fault: uninitialized


# kernel = "histogram_added_early"
# args = "counts: int32[16] = 0, labels: int32[n] < 16"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,300"
# expect = "counts = np.bincount(labels, minlength=16)"
@cuda.jit
def histogram_added_early(counts, labels):
    """The block's counts are added while others of its threads still count."""
    own = cuda.shared.array(BINS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t < BINS:
        own[t] = 0
    cuda.syncthreads()
    if i < labels.shape[0]:
        cuda.atomic.add(own, labels[i], 1)  # fault: race
    if t < BINS:
        cuda.atomic.add(counts, t, own[t])  # fault: race


# kernel = "histogram_zeroed_by_thread_0_late"
# args = "counts: int32[16] = 0, labels: int32[n] < 16"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,300"
# expect = "counts = np.bincount(labels, minlength=16)"
@cuda.jit
def histogram_zeroed_by_thread_0_late(counts, labels):
    """Between setting to zero and counting there is no barrier."""
    own = cuda.shared.array(BINS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t == 0:
        for each in range(BINS):
            own[each] = 0  # fault: race
    if i < labels.shape[0]:
        cuda.atomic.add(own, labels[i], 1)  # fault: race
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(counts, t, own[t])


# kernel = "histogram_rounds_up"
# args = "counts: int32[16] = 0, a: float32[n] < 1"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=100,300"
# expect = "counts = np.bincount(np.minimum((a * 16).astype(np.int64), 15), minlength=16)"
@cuda.jit
def histogram_rounds_up(counts, a):
    """A value near 1 is rounded to bin 16, which is behind the last."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        place = int(a[i] * BINS + 0.5)
        cuda.atomic.add(counts, place, 1)  # fault: bounds


# kernel = "histogram_of_an_image"
# args = "counts: int32[16] = 0, image: uint8[rows, columns] < 256"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,16,21"
# expect = "counts = np.bincount((image // 16).reshape(-1), minlength=16)"
@cuda.jit
def histogram_of_an_image(counts, image):
    """Blocks of two dimensions; their threads are numbered for the bins."""
    own = cuda.shared.array(BINS, int32)
    x, y = cuda.grid(2)
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    if t < BINS:
        own[t] = 0
    cuda.syncthreads()
    if y < image.shape[0] and x < image.shape[1]:
        cuda.atomic.add(own, image[y, x] >> 4, 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(counts, t, own[t])


# kernel = "histogram_of_an_image_added_by_rows"
# args = "counts: int32[8] = 0, image: uint8[rows, columns] < 256"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,16,21"
# expect = "counts = np.bincount((image // 32).reshape(-1), minlength=8)"
@cuda.jit
def histogram_of_an_image_added_by_rows(counts, image):
    """Each of the eight rows of threads adds all bins of the block."""
    own = cuda.shared.array(8, int32)
    x, y = cuda.grid(2)
    if cuda.threadIdx.y == 0:
        own[cuda.threadIdx.x] = 0
    cuda.syncthreads()
    if y < image.shape[0] and x < image.shape[1]:
        cuda.atomic.add(own, image[y, x] >> 5, 1)
    cuda.syncthreads()
    cuda.atomic.add(counts, cuda.threadIdx.x, own[cuda.threadIdx.x])  # fault: wrong-result


# kernel = "radix_digits"
# args = "table: int32[16, (n + 63) // 64], keys: uint32[n] < 4096, shift: int32 = 4"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,65,200"
# reference = '''
# def table(keys, shift):
#     columns = [np.bincount((keys[k : k + 64] >> shift) & 15, minlength=16) for k in range(0, keys.size, 64)]
#     return np.array(columns).T
# '''
@cuda.jit
def radix_digits(table, keys, shift):
    """How often each digit is in each block's keys, one column for each block."""
    own = cuda.shared.array(BINS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t < BINS:
        own[t] = 0
    cuda.syncthreads()
    if i < keys.shape[0]:
        digit = (keys[i] >> shift) & 15
        cuda.atomic.add(own, digit, 1)
    cuda.syncthreads()
    if t < BINS:
        table[t, cuda.blockIdx.x] = own[t]


# kernel = "radix_digits_without_shift"
# args = "table: int32[16, (n + 63) // 64], keys: uint32[n] < 4096, shift: int32 = 4"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=64,65,200"
# reference = '''
# def table(keys, shift):
#     columns = [np.bincount((keys[k : k + 64] >> shift) & 15, minlength=16) for k in range(0, keys.size, 64)]
#     return np.array(columns).T
# '''
@cuda.jit
def radix_digits_without_shift(table, keys, shift):
    """The lowest digit is counted in every pass."""
    own = cuda.shared.array(BINS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t < BINS:
        own[t] = 0
    cuda.syncthreads()
    if i < keys.shape[0]:
        cuda.atomic.add(own, keys[i] & 15, 1)
    cuda.syncthreads()
    if t < BINS:
        table[t, cuda.blockIdx.x] = own[t]  # fault: wrong-result


# kernel = "votes_for_classes"
# args = "counts: int32[4] = 0, labels: int32[n] < 4"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,32,64,65,200"
# expect = "counts = np.bincount(labels, minlength=4)"
@cuda.jit
def votes_for_classes(counts, labels):
    """A warp votes on each class; one lane adds how many said yes."""
    i = cuda.grid(1)
    lane = cuda.threadIdx.x % 32
    label = labels[i] if i < labels.shape[0] else -1
    for each in range(CLASSES):
        agree = cuda.ballot_sync(FULL, label == each)
        if lane == each:
            cuda.atomic.add(counts, each, cuda.popc(agree))


# kernel = "votes_of_lanes_that_stay"
# args = "counts: int32[4] = 0, labels: int32[n] < 4"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=32,64,75"
# expect = "counts = np.bincount(labels, minlength=4)"
@cuda.jit
def votes_of_lanes_that_stay(counts, labels):
    """A mask may name lanes that have returned: they do not vote (CUDA C++ Programming Guide, Warp Vote Functions)."""
    i = cuda.grid(1)
    if i >= labels.shape[0]:
        return
    lane = cuda.threadIdx.x % 32
    for each in range(CLASSES):
        agree = cuda.ballot_sync(FULL, labels[i] == each)
        if lane == 0:
            cuda.atomic.add(counts, each, cuda.popc(agree))


# kernel = "votes_in_a_branch"
# args = "counts: int32[4] = 0, labels: int32[n] < 4"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=32,64,75"
# expect = "counts = np.bincount(labels, minlength=4)"
@cuda.jit
def votes_in_a_branch(counts, labels):
    """Lanes behind the end of the array wait at the barrier while the others name them in the mask of their vote."""
    own = cuda.shared.array(CLASSES, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t < CLASSES:
        own[t] = 0
    cuda.syncthreads()
    if i < labels.shape[0]:
        for each in range(CLASSES):
            agree = cuda.ballot_sync(FULL, labels[i] == each)  # fault: barrier
            if t % 32 == 0:
                cuda.atomic.add(own, each, cuda.popc(agree))
    cuda.syncthreads()
    if t < CLASSES:
        cuda.atomic.add(counts, t, own[t])


# kernel = "warp_above_a_limit"
# args = "flags: int32[(n + 31) // 32], a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,3,32,40"
# expect = "flags = np.array([np.all(a[k:k + 32] > -48) for k in range(0, a.size, 32)])"
# warns = "same-value"
@cuda.jit
def warp_above_a_limit(flags, a):
    """Lanes without an element vote with the others, so they agree."""
    i = cuda.grid(1)
    is_good = i >= a.shape[0] or a[i] > -48
    if cuda.all_sync(FULL, is_good):
        flags[cuda.blockIdx.x] = 1
    else:
        flags[cuda.blockIdx.x] = 0
