"""Values that atomic operations return, and what does not follow from them."""

from numba import cuda, float32, int32

FULL = 0xFFFFFFFF


# kernel = "mailboxes"
# args = "out: int32[n], boxes: int32[n] = -1, a: int32[n]"
# grid = "1"
# block = "n"
# sizes = "n=2,32,64"
# expect = "out = a[::-1]"
@cuda.jit
def mailboxes(out, boxes, a):
    """Each thread leaves a number for another one; the barrier makes sure that it is there."""
    i = cuda.threadIdx.x
    cuda.atomic.exch(boxes, i, a[i])
    cuda.syncthreads()
    out[i] = cuda.atomic.add(boxes, a.size - 1 - i, 0)


# kernel = "mailboxes_without_barrier"
# args = "out: int32[n], boxes: int32[n] = -1, a: int32[n]"
# grid = "1"
# block = "n"
# sizes = "n=2,32,64"
# expect = "out = a[::-1]"
@cuda.jit
def mailboxes_without_barrier(out, boxes, a):
    """An atomic read does not wait for the number to be there."""
    i = cuda.threadIdx.x
    cuda.atomic.exch(boxes, i, a[i])
    out[i] = cuda.atomic.add(boxes, a.size - 1 - i, 0)  # fault: wrong-result


# kernel = "total_of_the_block"
# args = "shares: float32[n], a: int32[n] < 9"
# grid = "1"
# block = "n"
# sizes = "n=1,32,64"
# expect = "shares = a / (np.sum(a) + 1)"
@cuda.jit
def total_of_the_block(shares, a):
    """All have added before the first one reads the total."""
    total = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        total[0] = 1
    cuda.syncthreads()
    cuda.atomic.add(total, 0, a[i])
    cuda.syncthreads()
    shares[i] = a[i] / total[0]


# kernel = "total_read_by_an_atomic"
# args = "shares: float32[n], a: int32[n] < 9"
# grid = "1"
# block = "n"
# sizes = "n=32,64"
# expect = "shares = a / (np.sum(a) + 1)"
@cuda.jit
def total_read_by_an_atomic(shares, a):
    """The total is read atomically, but perhaps before other threads have added."""
    total = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        total[0] = 1
    cuda.syncthreads()
    cuda.atomic.add(total, 0, a[i])
    shares[i] = a[i] / cuda.atomic.add(total, 0, 0)  # fault: wrong-result


# kernel = "total_of_the_own_addition"
# args = "shares: float32[n], a: int32[n] < 9"
# grid = "1"
# block = "n"
# sizes = "n=32,64"
# expect = "shares = a / (np.sum(a) + 1)"
@cuda.jit
def total_of_the_own_addition(shares, a):
    """The value that the own addition returns is what was there before it, not the total."""
    total = cuda.shared.array(1, int32)
    i = cuda.threadIdx.x
    if i == 0:
        total[0] = 1
    cuda.syncthreads()
    before = cuda.atomic.add(total, 0, a[i])
    shares[i] = a[i] / (before + a[i])  # fault: wrong-result


# kernel = "sums_of_blocks_before"
# args = "before: int32[n // 32], sums: int32[n // 32] = 0, a: int32[n] < 9"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,128"
# expect = "before = np.cumsum(np.sum(a.reshape(-1, 32), axis=1)) - np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def sums_of_blocks_before(before, sums, a):
    """Blocks are taken to run in their order: atomic reads of sums that may not be there yet."""
    own = a[cuda.grid(1)]
    offset = 16
    while offset > 0:
        own += cuda.shfl_down_sync(FULL, own, offset)
        offset //= 2
    block = cuda.blockIdx.x
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(sums, block, own)
        total = 0
        for k in range(block):
            total += cuda.atomic.add(sums, k, 0)
        before[block] = total  # fault: wrong-result


# kernel = "sums_of_blocks_pushed"
# args = "before: int32[n // 32] = 0, a: int32[n] < 9"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,128"
# expect = "before = np.cumsum(np.sum(a.reshape(-1, 32), axis=1)) - np.sum(a.reshape(-1, 32), axis=1)"
@cuda.jit
def sums_of_blocks_pushed(before, a):
    """Each block adds its sum to those of all blocks behind it, in any order."""
    own = a[cuda.grid(1)]
    offset = 16
    while offset > 0:
        own += cuda.shfl_down_sync(FULL, own, offset)
        offset //= 2
    if cuda.threadIdx.x == 0:
        for k in range(cuda.blockIdx.x + 1, cuda.gridDim.x):
            cuda.atomic.add(before, k, own)


# kernel = "ring_of_eight"
# args = "ring: int32[8] = 0, count: int32[1] = 0, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=8,100"
# expect = "count = count + a.size"
@cuda.jit
def ring_of_eight(ring, count, a):
    """Places come back after eight threads, which may not have been read then."""
    i = cuda.grid(1)
    if i < a.size:
        place = cuda.atomic.add(count, 0, 1) % 8
        ring[place] = a[i]  # fault: race # fault: block-race


# kernel = "winner_of_the_largest"
# args = "winner: int32[1] = -1, best: int32[1] = -100, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# expect = "winner = np.argmax(a)"
@cuda.jit
def winner_of_the_largest(winner, best, a):
    """Whoever finds a smaller number before him stores his index, but several do, and the last may be any of them."""
    i = cuda.grid(1)
    if i < a.size:
        before = cuda.atomic.max(best, 0, a[i])
        if before < a[i]:
            winner[0] = i  # fault: race # fault: block-race


# kernel = "winner_in_one_number"
# args = "best: int32[1] = -1000000, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# expect = "best = np.max(a * 1024 + 1023 - np.arange(a.size))"
@cuda.jit
def winner_in_one_number(best, a):
    """Value and index in one number: the largest value wins, of equal ones the first."""
    i = cuda.grid(1)
    if i < a.size:
        cuda.atomic.max(best, 0, a[i] * 1024 + 1023 - i)


# kernel = "one_of_each_kind"
# args = "first: int32[4] = 1000, counts: int32[4] = 0, kinds: int32[n] < 4"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# reference = '''
# def first(first, kinds):
#     found = np.full(4, 1000)
#     for i in range(kinds.size):
#         found[kinds[i]] = min(found[kinds[i]], i)
#     return found
#
# def counts(kinds):
#     return np.bincount(kinds, minlength=4)
# '''
@cuda.jit
def one_of_each_kind(first, counts, kinds):
    """Smallest index and count of each kind, by two kinds of atomic operations on two arrays."""
    i = cuda.grid(1)
    if i < kinds.size:
        cuda.atomic.min(first, kinds[i], i)
        cuda.atomic.add(counts, kinds[i], 1)


# kernel = "first_come_first_of_its_kind"
# args = "first: int32[4] = 1000, counts: int32[4] = 0, kinds: int32[n] < 4"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# reference = '''
# def first(first, kinds):
#     found = np.full(4, 1000)
#     for i in range(kinds.size):
#         found[kinds[i]] = min(found[kinds[i]], i)
#     return found
# '''
@cuda.jit
def first_come_first_of_its_kind(first, counts, kinds):
    """The thread that counts first need not be the one with the smallest index."""
    i = cuda.grid(1)
    if i < kinds.size and cuda.atomic.add(counts, kinds[i], 1) == 0:
        first[kinds[i]] = i  # fault: wrong-result


# kernel = "bits_of_visited"
# args = "bits: uint32[4] = 0, places: int32[n] < 128"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# reference = '''
# def bits(places):
#     found = [0, 0, 0, 0]
#     for place in np.unique(places):
#         found[place // 32] += 2 ** (int(place) % 32)
#     return found
# '''
@cuda.jit
def bits_of_visited(bits, places):
    """A bit for each place, by atomic or."""
    i = cuda.grid(1)
    if i < places.size:
        cuda.atomic.or_(bits, places[i] // 32, 1 << (places[i] % 32))


# kernel = "bits_of_visited_plain"
# args = "bits: uint32[4] = 0, places: int32[n] < 128"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# reference = '''
# def bits(places):
#     found = [0, 0, 0, 0]
#     for place in np.unique(places):
#         found[place // 32] += 2 ** (int(place) % 32)
#     return found
# '''
@cuda.jit
def bits_of_visited_plain(bits, places):
    """Different bits are in one element."""
    i = cuda.grid(1)
    if i < places.size:
        bits[places[i] // 32] |= 1 << (places[i] % 32)  # fault: race # fault: block-race


# kernel = "mean_of_half_warps"
# args = "out: float32[n // 16], a: float32[n]"
# grid = "n // 32"
# block = "16, 2"
# sizes = "n=32,96"
# expect = "out = np.mean(a.reshape(-1, 16), axis=1)"
@cuda.jit
def mean_of_half_warps(out, a):
    """Two rows of 16 threads are one warp: shuffles by 8 and less stay within a row where it counts."""
    row = cuda.blockIdx.x * 2 + cuda.threadIdx.y
    own = a[row * 16 + cuda.threadIdx.x]
    offset = 8
    while offset > 0:
        own += cuda.shfl_down_sync(FULL, own, offset)
        offset //= 2
    if cuda.threadIdx.x == 0:
        out[row] = own / 16


# kernel = "mean_of_rows_of_16_by_lane"
# args = "out: float32[n // 16], a: float32[n]"
# grid = "n // 32"
# block = "16, 2"
# sizes = "n=32,96"
# expect = "out = np.mean(a.reshape(-1, 16), axis=1)"
@cuda.jit
def mean_of_rows_of_16_by_lane(out, a):
    """Lane 0 of the warp is in the first row; the second row's mean is in lane 16, and nobody stores it."""
    row = cuda.blockIdx.x * 2 + cuda.threadIdx.y
    own = a[row * 16 + cuda.threadIdx.x]
    offset = 8
    while offset > 0:
        own += cuda.shfl_down_sync(FULL, own, offset)
        offset //= 2
    if cuda.laneid == 0:
        out[row] = own / 16  # fault: wrong-result


# kernel = "neighbors_through_shuffles"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=5,64,70"
# reference = '''
# def out(a):
#     padded = np.pad(a, 1)
#     return padded[:-2] + padded[2:]
# '''
@cuda.jit
def neighbors_through_shuffles(out, a):
    """Lanes at the ends of a warp read their neighbor from memory, the others from a register."""
    i = cuda.grid(1)
    lane = cuda.threadIdx.x
    own = a[i] if i < a.size else float32(0)
    left = cuda.shfl_up_sync(FULL, own, 1)
    right = cuda.shfl_down_sync(FULL, own, 1)
    if lane == 0:
        left = a[i - 1] if i > 0 and i <= a.size else float32(0)
    if lane == 31:
        right = a[i + 1] if i + 1 < a.size else float32(0)
    if i < a.size:
        out[i] = left + right


# kernel = "neighbors_at_the_ends_of_warps"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=5,64,70"
# reference = '''
# def out(a):
#     padded = np.pad(a, 1)
#     return padded[:-2] + padded[2:]
# '''
@cuda.jit
def neighbors_at_the_ends_of_warps(out, a):
    """At the ends of a warp a shuffle gives the own value."""
    i = cuda.grid(1)
    own = a[i] if i < a.size else float32(0)
    left = cuda.shfl_up_sync(FULL, own, 1)
    right = cuda.shfl_down_sync(FULL, own, 1)
    if i < a.size:
        out[i] = left + right  # fault: wrong-result
