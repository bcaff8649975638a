"""Sorting, merging, ranking and the largest elements."""

from numba import cuda, float32, int32

SIZE = 64
FULL = 0xFFFFFFFF
TAKEN = -1.0e30


# kernel = "bitonic_blocks"
# args = "a: int32[64 * blocks]"
# grid = "blocks"
# block = "64"
# sizes = "blocks=1,3"
# expect = "a = np.sort(a.reshape(-1, 64), axis=1).reshape(-1)"
@cuda.jit
def bitonic_blocks(a):
    """Each block sorts its 64 elements."""
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i]
    cuda.syncthreads()
    length = 2
    while length <= SIZE:
        distance = length // 2
        while distance > 0:
            other = t ^ distance
            if other > t:
                is_rising = t & length == 0
                if (s[t] > s[other]) == is_rising:
                    s[t], s[other] = s[other], s[t]
            cuda.syncthreads()
            distance //= 2
        length *= 2
    a[i] = s[t]


# kernel = "bitonic_outer_barrier_only"
# args = "a: int32[64 * blocks]"
# grid = "blocks"
# block = "64"
# sizes = "blocks=1,3"
# expect = "a = np.sort(a.reshape(-1, 64), axis=1).reshape(-1)"
@cuda.jit
def bitonic_outer_barrier_only(a):
    """The barrier stands behind the inner loop instead of in it."""
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = a[i]
    cuda.syncthreads()
    length = 2
    while length <= SIZE:
        distance = length // 2
        while distance > 0:
            other = t ^ distance
            if other > t:
                is_rising = t & length == 0
                if (s[t] > s[other]) == is_rising:  # fault: race
                    kept = s[t]  # fault: race
                    s[t] = s[other]  # fault: race
                    s[other] = kept  # fault: race
            distance //= 2
        cuda.syncthreads()
        length *= 2
    a[i] = s[t]


# kernel = "bitonic_step"
# args = "a: int32[n], length: int32 = 16, distance: int32 = 8"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# reference = '''
# def a(a, length, distance):
#     found = a.copy()
#     for i in range(a.size):
#         j = i ^ distance
#         low, high = min(a[i], a[j]), max(a[i], a[j])
#         if (i < j) == (i & length == 0):
#             found[i] = low
#         else:
#             found[i] = high
#     return found
# '''
@cuda.jit
def bitonic_step(a, length, distance):
    """One step over the whole array; the lower of two threads exchanges."""
    i = cuda.grid(1)
    j = i ^ distance
    if j > i:
        first = a[i]
        second = a[j]
        if (first > second) == (i & length == 0):
            a[i] = second
            a[j] = first


# kernel = "bitonic_step_by_both"
# args = "a: int32[n], length: int32 = 16, distance: int32 = 8"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# reference = '''
# def a(a, length, distance):
#     found = a.copy()
#     for i in range(a.size):
#         j = i ^ distance
#         low, high = min(a[i], a[j]), max(a[i], a[j])
#         if (i < j) == (i & length == 0):
#             found[i] = low
#         else:
#             found[i] = high
#     return found
# '''
@cuda.jit
def bitonic_step_by_both(a, length, distance):
    """Each thread stores its own element, which its partner may have not read yet."""
    i = cuda.grid(1)
    j = i ^ distance
    if (i < j) == (i & length == 0):
        a[i] = min(a[i], a[j])  # fault: race
    else:
        a[i] = max(a[i], a[j])  # fault: race


# kernel = "bitonic_warp"
# args = "a: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"
# expect = "a = np.sort(a.reshape(-1, 32), axis=1).reshape(-1)"
@cuda.jit
def bitonic_warp(a):
    """Lanes exchange by shuffles, and need no shared memory."""
    i = cuda.grid(1)
    lane = cuda.laneid
    own = a[i]
    length = 2
    while length <= 32:
        distance = length // 2
        while distance > 0:
            other = cuda.shfl_xor_sync(FULL, own, distance)
            is_first = lane & distance == 0
            is_rising = lane & length == 0
            own = min(own, other) if is_first == is_rising else max(own, other)
            distance //= 2
        length *= 2
    a[i] = own


# kernel = "odd_even_until_sorted"
# args = "a: int32[n]"
# grid = "1"
# block = "32"
# sizes = "n=1,2,31,64"
# expect = "a = np.sort(a)"
@cuda.jit
def odd_even_until_sorted(a):
    """Pairs of neighbors are exchanged; the barrier tells whether any thread still had one to exchange."""
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    n = a.shape[0]
    for i in range(t, n, 32):
        s[i] = a[i]
    cuda.syncthreads()
    go_on = 1
    while go_on > 0:
        changed = 0
        left = 2 * t
        if left + 1 < n and s[left] > s[left + 1]:
            s[left], s[left + 1] = s[left + 1], s[left]
            changed = 1
        cuda.syncthreads()
        left = 2 * t + 1
        if left + 1 < n and s[left] > s[left + 1]:
            s[left], s[left + 1] = s[left + 1], s[left]
            changed = 1
        go_on = cuda.syncthreads_or(changed)
    for i in range(t, n, 32):
        a[i] = s[i]


# kernel = "odd_even_without_middle_barrier"
# args = "a: int32[n]"
# grid = "1"
# block = "32"
# sizes = "n=2,31,64"
# expect = "a = np.sort(a)"
@cuda.jit
def odd_even_without_middle_barrier(a):
    """Even and odd pairs overlap, but nothing is between them."""
    s = cuda.shared.array(SIZE, int32)
    t = cuda.threadIdx.x
    n = a.shape[0]
    for i in range(t, n, 32):
        s[i] = a[i]
    cuda.syncthreads()
    for _ in range(n):
        left = 2 * t
        if left + 1 < n and s[left] > s[left + 1]:  # fault: race
            s[left], s[left + 1] = s[left + 1], s[left]  # fault: race
        left = 2 * t + 1
        if left + 1 < n and s[left] > s[left + 1]:  # fault: race
            s[left], s[left + 1] = s[left + 1], s[left]  # fault: race
        cuda.syncthreads()
    for i in range(t, n, 32):
        a[i] = s[i]


# kernel = "rank_sort"
# args = "out: int32[n], a: int32[n] < 10"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,50"
# expect = "out = np.sort(a)"
@cuda.jit
def rank_sort(out, a):
    """The place of an element is the number of those before it; equal ones keep their order."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        place = 0
        for j in range(a.shape[0]):
            if a[j] < a[i] or (a[j] == a[i] and j < i):
                place += 1
        out[place] = a[i]


# kernel = "rank_sort_of_places"
# args = "out: int32[n], a: int32[n] < 10"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=20,32,50"
# expect = "out = np.argsort(a, kind='stable')"
@cuda.jit
def rank_sort_of_places(out, a):
    """Equal elements get the same place, and which of their numbers stays there is left to the card."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        place = 0
        for j in range(a.shape[0]):
            if a[j] < a[i]:
                place += 1
        out[place] = i  # fault: race # fault: block-race


# kernel = "merge_by_rank"
# args = "out: int32[n + m], a: int32[n], b: int32[m]"
# inputs = "sorted"
# grid = "(n + m + 31) // 32"
# block = "32"
# sizes = "n=1,20,50 m=1,33"
# expect = "out = np.sort(np.concatenate([a, b]))"
@cuda.jit
def merge_by_rank(out, a, b):
    """Two sorted arrays: an element goes behind those of the other array that are before it."""
    i = cuda.grid(1)
    n = a.shape[0]
    m = b.shape[0]
    if i >= n + m:
        return
    own = a[i] if i < n else b[i - n]
    low = 0
    high = m if i < n else n
    while low < high:
        middle = (low + high) // 2
        is_before = b[middle] < own if i < n else a[middle] <= own
        if is_before:
            low = middle + 1
        else:
            high = middle
    place = i + low if i < n else i - n + low
    out[place] = own


# kernel = "merge_equal_elements"
# args = "out: int32[n + m], a: int32[n], b: int32[m]"
# inputs = "sorted"
# grid = "(n + m + 31) // 32"
# block = "32"
# sizes = "n=20,50 m=33"
# expect = "out = np.sort(np.concatenate([a, b]))"
@cuda.jit
def merge_equal_elements(out, a, b):
    """Of equal elements in both arrays each goes before the other: they meet, and a place stays empty."""
    i = cuda.grid(1)
    n = a.shape[0]
    m = b.shape[0]
    if i >= n + m:
        return
    own = a[i] if i < n else b[i - n]
    before = 0
    if i < n:
        while before < m and b[before] < own:
            before += 1
        out[i + before] = own  # fault: wrong-result
    else:
        while before < n and a[before] < own:
            before += 1
        out[i - n + before] = own  # fault: wrong-result


# kernel = "largest_four"
# args = "out: float32[rows, 4], a: float32[rows, 32]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3"
# expect = "out = np.sort(a, axis=1)[:, ::-1][:, :4]"
@cuda.jit
def largest_four(out, a):
    """Four times the largest by shuffles; the lane that had it lays it aside."""
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    own = a[row, lane]
    for k in range(4):
        best = own
        at = lane
        offset = 16
        while offset > 0:
            other = cuda.shfl_xor_sync(FULL, best, offset)
            other_at = cuda.shfl_xor_sync(FULL, at, offset)
            if other > best or (other == best and other_at < at):
                best = other
                at = other_at
            offset //= 2
        if lane == at:
            own = float32(TAKEN)
            out[row, k] = best


# kernel = "largest_four_in_shared_memory"
# args = "out: float32[rows, 4], a: float32[rows, 32]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3"
# expect = "out = np.sort(a, axis=1)[:, ::-1][:, :4]"
@cuda.jit
def largest_four_in_shared_memory(out, a):
    """The largest is laid aside by one thread while others may already look for the next."""
    s = cuda.shared.array(32, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = a[row, t]
    for k in range(4):
        cuda.syncthreads()
        larger = 0
        for other in range(32):
            if s[other] > s[t]:  # fault: race
                larger += 1
        if larger == 0:
            out[row, k] = s[t]
            s[t] = TAKEN  # fault: race
