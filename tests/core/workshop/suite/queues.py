"""Compaction, queues and counters: places that threads get from each other."""

from numba import cuda, float32, int32

THREADS = 64
FULL = 0xFFFFFFFF


# kernel = "compact_by_votes"
# args = "out: int32[blocks, 32] = 0, counts: int32[blocks], a: int32[32 * blocks]"
# grid = "blocks"
# block = "32"
# sizes = "blocks=1,4"
# reference = '''
# def out(a):
#     rows = a.reshape(-1, 32)
#     found = np.zeros(rows.shape, np.int64)
#     for k in range(len(rows)):
#         kept = rows[k][rows[k] > 0]
#         found[k, : kept.size] = kept
#     return found
#
# def counts(a):
#     return np.sum(a.reshape(-1, 32) > 0, axis=1)
# '''
@cuda.jit
def compact_by_votes(out, counts, a):
    """The place of a lane is the number of yes votes of the lanes before it."""
    i = cuda.grid(1)
    lane = cuda.threadIdx.x
    keeps = a[i] > 0
    votes = cuda.ballot_sync(FULL, keeps)
    if keeps:
        out[cuda.blockIdx.x, cuda.popc(votes & ((1 << lane) - 1))] = a[i]
    if lane == 0:
        counts[cuda.blockIdx.x] = cuda.popc(votes)


# kernel = "compact_counting_itself"
# args = "out: int32[blocks, 33] = 0, a: int32[32 * blocks]"
# grid = "blocks"
# block = "32"
# sizes = "blocks=1,4"
# reference = '''
# def out(a):
#     rows = a.reshape(-1, 32)
#     found = np.zeros((len(rows), 33), np.int64)
#     for k in range(len(rows)):
#         kept = rows[k][rows[k] > 0]
#         found[k, : kept.size] = kept
#     return found
# '''
@cuda.jit
def compact_counting_itself(out, a):
    """A lane counts its own vote, too: all places are one too high."""
    i = cuda.grid(1)
    lane = cuda.threadIdx.x
    keeps = a[i] > 0
    votes = cuda.ballot_sync(FULL, keeps)
    if keeps:
        out[cuda.blockIdx.x, cuda.popc(votes & ((2 << lane) - 1))] = a[i]  # fault: wrong-result


# kernel = "compact_by_scan"
# args = "out: int32[n] = 0, count: int32[1], a: int32[n]"
# grid = "1"
# block = "64"
# sizes = "n=1,40,64"
# reference = '''
# def out(a):
#     kept = a[a > 0]
#     return np.concatenate([kept, np.zeros(a.size - kept.size)])
#
# def count(a):
#     return np.sum(a > 0)
# '''
@cuda.jit
def compact_by_scan(out, count, a):
    """The scan of the flags gives the places."""
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    keeps = t < a.shape[0] and a[t] > 0
    s[t] = 1 if keeps else 0
    cuda.syncthreads()
    offset = 1
    while offset < THREADS:
        before = s[t - offset] if t >= offset else 0
        cuda.syncthreads()
        s[t] += before
        cuda.syncthreads()
        offset *= 2
    if keeps:
        out[s[t] - 1] = a[t]
    if t == THREADS - 1:
        count[0] = s[t]


# kernel = "compact_by_inclusive_scan"
# args = "out: int32[n] = 0, a: int32[n] < 9"
# grid = "1"
# block = "64"
# sizes = "n=40,64"
# reference = '''
# def out(a):
#     kept = a[a < 5]
#     return np.concatenate([kept, np.zeros(a.size - kept.size)])
# '''
@cuda.jit
def compact_by_inclusive_scan(out, a):
    """The sum up to an element is one more than its place, so the first place stays empty."""
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    keeps = t < a.shape[0] and a[t] < 5
    s[t] = 1 if keeps else 0
    cuda.syncthreads()
    offset = 1
    while offset < THREADS:
        before = s[t - offset] if t >= offset else 0
        cuda.syncthreads()
        s[t] += before
        cuda.syncthreads()
        offset *= 2
    if keeps and s[t] < out.shape[0]:
        out[s[t]] = a[t]  # fault: wrong-result


# kernel = "queue_by_counter"
# args = "marks: int32[n] = 0, queue: int32[n], count: int32[1] = 0, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# expect = "count = np.sum(a > 0); marks = a > 0"
@cuda.jit
def queue_by_counter(marks, queue, count, a):
    """The atomic addition gives each thread a place of its own, which it alone reads again."""
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] > 0:
        place = cuda.atomic.add(count, 0, 1)
        queue[place] = i
        marks[queue[place]] = 1


# kernel = "queue_by_plain_counter"
# args = "queue: int32[n] = 0, count: int32[1] = 0, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# expect = "count = np.sum(a > 0)"
@cuda.jit
def queue_by_plain_counter(queue, count, a):
    """Several threads take the same place."""
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] > 0:
        place = count[0]  # fault: race # fault: block-race
        count[0] = place + 1  # fault: race # fault: block-race
        queue[place] = i  # fault: race # fault: block-race


# kernel = "queue_read_after_atomic"
# args = "queue: int32[n] = 0, count: int32[1] = 0, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# expect = "count = np.sum(a > 0)"
@cuda.jit
def queue_read_after_atomic(queue, count, a):
    """The place is read from the counter after the addition, when others may have added as well."""
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] > 0:
        cuda.atomic.add(count, 0, 1)  # fault: race # fault: block-race
        queue[count[0] - 1] = i  # fault: race # fault: block-race


# kernel = "compact_in_order_of_arrival"
# args = "out: int32[n] = 0, count: int32[1] = 0, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# reference = '''
# def out(a):
#     kept = a[a > 0]
#     return np.concatenate([kept, np.zeros(a.size - kept.size)])
# '''
@cuda.jit
def compact_in_order_of_arrival(out, count, a):
    """All kept elements are there, but not in their order."""
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] > 0:
        place = cuda.atomic.add(count, 0, 1)
        out[place] = a[i]  # fault: wrong-result


# kernel = "queue_by_blocks"
# args = "marks: int32[n] = 0, queue: int32[n], count: int32[1] = 0, a: int32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,200"
# expect = "count = np.sum(a > 0); marks = a > 0"
@cuda.jit
def queue_by_blocks(marks, queue, count, a):
    """Places within the block first, then one for the whole block."""
    own = cuda.shared.array(1, int32)
    first = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t == 0:
        own[0] = 0
    cuda.syncthreads()
    keeps = i < a.shape[0] and a[i] > 0
    place = 0
    if keeps:
        place = cuda.atomic.add(own, 0, 1)
    cuda.syncthreads()
    if t == 0:
        first[0] = cuda.atomic.add(count, 0, own[0])
    cuda.syncthreads()
    if keeps:
        queue[first[0] + place] = i
        marks[queue[first[0] + place]] = 1


# kernel = "queue_by_blocks_counted_early"
# args = "marks: int32[n] = 0, queue: int32[n], count: int32[1] = 0, a: int32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=1,64,200"
# expect = "count = np.sum(a > 0)"
@cuda.jit
def queue_by_blocks_counted_early(marks, queue, count, a):
    """Thread 0 takes places for the block before all of its threads have counted."""
    own = cuda.shared.array(1, int32)
    first = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t == 0:
        own[0] = 0
    cuda.syncthreads()
    keeps = i < a.shape[0] and a[i] > 0
    place = 0
    if keeps:
        place = cuda.atomic.add(own, 0, 1)  # fault: race
    if t == 0:
        first[0] = cuda.atomic.add(count, 0, own[0])  # fault: race
    cuda.syncthreads()
    if keeps:
        queue[first[0] + place] = i
        marks[i] = 1


# kernel = "first_match"
# args = "place: int32[1] = 1000000, a: int32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,300"
# expect = "place = np.min(np.concatenate([np.nonzero(a == 7)[0], np.array([1000000])]))"
@cuda.jit
def first_match(place, a):
    """The smallest index wins."""
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] == 7:
        cuda.atomic.min(place, 0, i)


# kernel = "any_match"
# args = "place: int32[1] = 1000000, a: int32[n] < 4"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,300"
# expect = "place = np.min(np.concatenate([np.nonzero(a == 3)[0], np.array([1000000])]))"
@cuda.jit
def any_match(place, a):
    """Each thread that finds one stores its index, and the last one wins."""
    i = cuda.grid(1)
    if i < a.shape[0] and a[i] == 3:
        place[0] = i  # fault: race # fault: block-race


# kernel = "product_by_exchange"
# args = "result: int32[1] = 1, a: int32[n] < 3"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,20,40"
# expect = "result = np.prod(a % 2 + 1) % 65536"
@cuda.jit
def product_by_exchange(result, a):
    """The CUDA guide's loop: the first read need not be atomic, as the exchange fails where it is out of date."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        factor = a[i] % 2 + 1
        seen = result[0]
        assumed = seen + 1
        while seen != assumed:
            assumed = seen
            seen = cuda.atomic.cas(result, 0, assumed, assumed * factor % 65536)


# kernel = "product_without_comparison"
# args = "result: int32[1] = 1, a: int32[n] < 3"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=20,40"
# expect = "result = np.prod(a % 2 + 1) % 65536"
@cuda.jit
def product_without_comparison(result, a):
    """An exchange that does not compare throws away what another thread has multiplied."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        factor = a[i] % 2 + 1
        cuda.atomic.exch(result, 0, result[0] * factor % 65536)  # fault: race # fault: block-race


# kernel = "slots_in_turn"
# args = "sums: float32[4] = 0, turn: uint32[1] = 0, a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=4,32,100"
# expect = "turn = a.size % 4"
@cuda.jit
def slots_in_turn(sums, turn, a):
    """The counter goes from 3 back to 0; each slot is added to by atomic operations."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        slot = cuda.atomic.inc(turn, 0, 3)
        cuda.atomic.add(sums, slot, a[i])


# kernel = "slots_in_turn_plain"
# args = "sums: float32[4] = 0, turn: uint32[1] = 0, a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# expect = "turn = a.size % 4"
@cuda.jit
def slots_in_turn_plain(sums, turn, a):
    """A slot is one thread's own only for as long as nobody comes after a full turn."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        slot = cuda.atomic.inc(turn, 0, 3)
        sums[slot] += a[i]  # fault: race # fault: block-race


# kernel = "last_block_without_fence"
# args = "total: float32[1], parts: float32[(n + 31) // 32], done: int32[1] = 0, a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# expect = "total = np.sum(a)"
@cuda.jit
def last_block_without_fence(total, parts, done, a):
    """The last block adds what the others stored, but no fence makes their stores visible before the counter."""
    s = cuda.shared.array(32, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < a.shape[0] else 0.0
    cuda.syncthreads()
    if t == 0:
        part = float32(0)
        for k in range(32):
            part += s[k]
        parts[cuda.blockIdx.x] = part  # fault: block-race
        if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
            result = float32(0)
            for block in range(cuda.gridDim.x):
                result += parts[block]  # fault: block-race
            total[0] = result


# kernel = "place_of_largest_in_two_steps"
# args = "place: int32[1] = 0, largest: float32[1] = -2, a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# expect = "place = np.argmax(a)"
@cuda.jit
def place_of_largest_in_two_steps(place, largest, a):
    """Whether the own element is the largest is asked while other threads still change the largest."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        cuda.atomic.max(largest, 0, a[i])  # fault: race # fault: block-race
        if largest[0] == a[i]:  # fault: race # fault: block-race
            place[0] = i  # fault: race # fault: block-race
