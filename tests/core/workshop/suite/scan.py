"""Prefix sums."""

from numba import cuda, int32

THREADS = 64
ELEMENTS = 128
FULL = 0xFFFFFFFF


# kernel = "scan_two_buffers"
# args = "out: int32[n], a: int32[n]"
# grid = "1"
# block = "64"
# sizes = "n=1,31,64"
# expect = "out = np.cumsum(a)"
@cuda.jit
def scan_two_buffers(out, a):
    """Hillis and Steele: each step reads one buffer and writes the other."""
    buffers = cuda.shared.array((2, THREADS), int32)
    t = cuda.threadIdx.x
    buffers[0, t] = a[t] if t < a.shape[0] else 0
    cuda.syncthreads()
    source = 0
    offset = 1
    while offset < THREADS:
        target = 1 - source
        if t >= offset:
            buffers[target, t] = buffers[source, t] + buffers[source, t - offset]
        else:
            buffers[target, t] = buffers[source, t]
        cuda.syncthreads()
        source = target
        offset *= 2
    if t < out.shape[0]:
        out[t] = buffers[source, t]


# kernel = "scan_buffers_swapped_by_some"
# args = "out: int32[n], a: int32[n]"
# grid = "1"
# block = "64"
# sizes = "n=1,31,64"
# expect = "out = np.cumsum(a)"
@cuda.jit
def scan_buffers_swapped_by_some(out, a):
    """Only threads that add swap their buffers, so the others' sums are not in the buffer that is read next."""
    buffers = cuda.shared.array((2, THREADS), int32)
    t = cuda.threadIdx.x
    buffers[0, t] = a[t] if t < a.shape[0] else 0
    cuda.syncthreads()
    source = 0
    offset = 1
    while offset < THREADS:
        target = 1 - source
        if t >= offset:
            buffers[target, t] = buffers[source, t] + buffers[source, t - offset]  # fault: uninitialized
            source = target
        cuda.syncthreads()
        offset *= 2
    if t < out.shape[0]:
        out[t] = buffers[source, t]


# kernel = "scan_buffer_row_kept"
# args = "out: int32[n], a: int32[n]"
# grid = "1"
# block = "64"
# sizes = "n=1,31,64"
# expect = "out = np.cumsum(a)"
@cuda.jit
def scan_buffer_row_kept(out, a):
    """The buffer that is stored is not the one that the last step wrote."""
    buffers = cuda.shared.array((2, THREADS), int32)
    t = cuda.threadIdx.x
    buffers[0, t] = a[t] if t < a.shape[0] else 0
    cuda.syncthreads()
    source = 0
    offset = 1
    while offset < THREADS:
        target = 1 - source
        buffers[target, t] = buffers[source, t]
        if t >= offset:
            buffers[target, t] += buffers[source, t - offset]
        cuda.syncthreads()
        source = target
        offset *= 2
    if t < out.shape[0]:
        out[t] = buffers[1 - source, t]  # fault: wrong-result


# kernel = "scan_sweeps"
# args = "out: int32[n], a: int32[n]"
# grid = "(n + 127) // 128"
# block = "64"
# sizes = "n=1,128,129,300"
# reference = '''
# def out(a):
#     found = np.zeros(a.size, np.int64)
#     for start in range(0, a.size, 128):
#         part = a[start : start + 128]
#         found[start : start + 128] = np.cumsum(part) - part
#     return found
# '''
@cuda.jit
def scan_sweeps(out, a):
    """Blelloch: an exclusive scan of each block's 128 elements. After the last step each thread reads its own two."""
    s = cuda.shared.array(ELEMENTS, int32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS + 2 * t
    s[2 * t] = a[first] if first < a.shape[0] else 0
    s[2 * t + 1] = a[first + 1] if first + 1 < a.shape[0] else 0
    offset = 1
    active = THREADS
    while active > 0:
        cuda.syncthreads()
        if t < active:
            left = offset * (2 * t + 1) - 1
            right = offset * (2 * t + 2) - 1
            s[right] += s[left]
        offset *= 2
        active //= 2
    if t == 0:
        s[ELEMENTS - 1] = 0
    active = 1
    while active < ELEMENTS:
        offset //= 2
        cuda.syncthreads()
        if t < active:
            left = offset * (2 * t + 1) - 1
            right = offset * (2 * t + 2) - 1
            kept = s[left]
            s[left] = s[right]
            s[right] += kept
        active *= 2
    if first < a.shape[0]:
        out[first] = s[2 * t]
    if first + 1 < a.shape[0]:
        out[first + 1] = s[2 * t + 1]


# kernel = "scan_down_without_barrier"
# args = "out: int32[n], a: int32[n]"
# grid = "(n + 127) // 128"
# block = "64"
# sizes = "n=1,128,129,300"
# reference = '''
# def out(a):
#     found = np.zeros(a.size, np.int64)
#     for start in range(0, a.size, 128):
#         part = a[start : start + 128]
#         found[start : start + 128] = np.cumsum(part) - part
#     return found
# '''
@cuda.jit
def scan_down_without_barrier(out, a):
    """The way down has no barrier between its steps."""
    s = cuda.shared.array(ELEMENTS, int32)
    t = cuda.threadIdx.x
    first = cuda.blockIdx.x * ELEMENTS + 2 * t
    s[2 * t] = a[first] if first < a.shape[0] else 0
    s[2 * t + 1] = a[first + 1] if first + 1 < a.shape[0] else 0
    offset = 1
    active = THREADS
    while active > 0:
        cuda.syncthreads()
        if t < active:
            left = offset * (2 * t + 1) - 1
            right = offset * (2 * t + 2) - 1
            s[right] += s[left]
        offset *= 2
        active //= 2
    if t == 0:
        s[ELEMENTS - 1] = 0  # fault: race
    cuda.syncthreads()
    active = 1
    while active < ELEMENTS:
        offset //= 2
        if t < active:
            left = offset * (2 * t + 1) - 1
            right = offset * (2 * t + 2) - 1
            kept = s[left]  # fault: race
            s[left] = s[right]  # fault: race
            s[right] += kept  # fault: race
        active *= 2
    cuda.syncthreads()
    if first < a.shape[0]:
        out[first] = s[2 * t]
    if first + 1 < a.shape[0]:
        out[first + 1] = s[2 * t + 1]


# kernel = "scan_of_warps"
# args = "out: int32[n], a: int32[n]"
# grid = "1"
# block = "96"
# sizes = "n=1,32,50,96"
# expect = "out = np.cumsum(a)"
@cuda.jit
def scan_of_warps(out, a):
    """Each warp scans by shuffles; the sums of the warps before are added."""
    sums = cuda.shared.array(32, int32)
    i = cuda.grid(1)
    lane = cuda.threadIdx.x % 32
    warp = cuda.threadIdx.x // 32
    value = a[i] if i < a.shape[0] else 0
    offset = 1
    while offset < 32:
        other = cuda.shfl_up_sync(FULL, value, offset)
        if lane >= offset:
            value += other
        offset *= 2
    if lane == 31:
        sums[warp] = value
    cuda.syncthreads()
    for before in range(warp):
        value += sums[before]
    if i < out.shape[0]:
        out[i] = value


# kernel = "scan_adds_own_value"
# args = "out: int32[n], a: int32[n]"
# grid = "1"
# block = "32"
# sizes = "n=5,32"
# expect = "out = np.cumsum(a)"
@cuda.jit
def scan_adds_own_value(out, a):
    """The lowest lanes have no lane before them: a shuffle gives them their own value, which is added all the same."""
    i = cuda.grid(1)
    value = a[i] if i < a.shape[0] else 0
    offset = 1
    while offset < 32:
        value += cuda.shfl_up_sync(FULL, value, offset)
        offset *= 2
    if i < out.shape[0]:
        out[i] = value  # fault: wrong-result


# kernel = "scan_shifted_store"
# args = "out: int32[n], a: int32[n]"
# grid = "1"
# block = "32"
# sizes = "n=1,20,32"
# expect = "out = np.cumsum(a) - a"
@cuda.jit
def scan_shifted_store(out, a):
    """An inclusive scan is stored one further, as an exclusive one; the last sum has no place."""
    i = cuda.grid(1)
    lane = cuda.threadIdx.x
    value = a[i] if i < a.shape[0] else 0
    offset = 1
    while offset < 32:
        other = cuda.shfl_up_sync(FULL, value, offset)
        if lane >= offset:
            value += other
        offset *= 2
    if i == 0:
        out[0] = 0
    if i < a.shape[0]:
        out[i + 1] = value  # fault: bounds


# kernel = "scan_add_block_sums"
# args = "out: int32[n], sums: int32[(n + 31) // 32]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,33,100"
# expect = "out = out + np.repeat(np.cumsum(sums) - sums, 32)[:out.size]"
@cuda.jit
def scan_add_block_sums(out, sums):
    """The last step of a scan over many blocks: add the sums of all blocks before."""
    before = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        total = 0
        for block in range(cuda.blockIdx.x):
            total += sums[block]
        before[0] = total
    cuda.syncthreads()
    if i < out.shape[0]:
        out[i] += before[0]


# kernel = "scan_add_block_sums_at_once"
# args = "out: int32[n], sums: int32[(n + 31) // 32]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,33,100"
# expect = "out = out + np.repeat(np.cumsum(sums) - sums, 32)[:out.size]"
@cuda.jit
def scan_add_block_sums_at_once(out, sums):
    """The threads read the sum before thread 0 is sure to have stored it."""
    before = cuda.shared.array(1, int32)
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        total = 0
        for block in range(cuda.blockIdx.x):
            total += sums[block]
        before[0] = total  # fault: race
    if i < out.shape[0]:
        out[i] += before[0]  # fault: race
