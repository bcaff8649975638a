"""After faults that users of HeCBench found in its programs in June 2026, with the sanitizer or by reading.

Each kernel is written anew from the description of the fault: the name of the program is in its own.
"""

import math

from numba import cuda, float32, int32

TILE = 16
THREADS = 64
FIELDS = 3
SECTIONS = 8
FAR = 1_000_000


# kernel = "surfel_tiles"
# args = "out: float32[n], x: float32[n], surfels: float32[m, 3]"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=5,16,40 m=3,16,50"
# reference = '''
# def out(x, surfels):
#     near = np.abs(x[:, None] - surfels[None, :, 0]) < 0.5
#     return np.sum(np.where(near, surfels[None, :, 1] * surfels[None, :, 2], 0), axis=1)
# '''
@cuda.jit
def surfel_tiles(out, x, surfels):
    """The next tile is loaded while slower threads still use the one before."""
    tile = cuda.shared.array((TILE, FIELDS), float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    m = surfels.shape[0]
    own = x[i] if i < x.shape[0] else 0.0
    total = 0.0
    for first in range(0, m, TILE):
        if first + t < m:
            for field in range(FIELDS):
                tile[t, field] = surfels[first + t, field]  # fault: race
        cuda.syncthreads()
        for k in range(min(TILE, m - first)):
            if abs(own - tile[k, 0]) < 0.5:  # fault: race
                total += tile[k, 1] * tile[k, 2]  # fault: race
    if i < x.shape[0]:
        out[i] = total


# kernel = "surfel_tiles_mended"
# args = "out: float32[n], x: float32[n], surfels: float32[m, 3]"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=5,16,40 m=3,16,50"
# reference = '''
# def out(x, surfels):
#     near = np.abs(x[:, None] - surfels[None, :, 0]) < 0.5
#     return np.sum(np.where(near, surfels[None, :, 1] * surfels[None, :, 2], 0), axis=1)
# '''
@cuda.jit
def surfel_tiles_mended(out, x, surfels):
    """A barrier before each tile is loaded, and one behind."""
    tile = cuda.shared.array((TILE, FIELDS), float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    m = surfels.shape[0]
    own = x[i] if i < x.shape[0] else 0.0
    total = 0.0
    for first in range(0, m, TILE):
        cuda.syncthreads()
        if first + t < m:
            for field in range(FIELDS):
                tile[t, field] = surfels[first + t, field]
        cuda.syncthreads()
        for k in range(min(TILE, m - first)):
            if abs(own - tile[k, 0]) < 0.5:
                total += tile[k, 1] * tile[k, 2]
    if i < x.shape[0]:
        out[i] = total


# kernel = "marching_cubes_totals"
# args = "places: int32[n], counts: int32[n] < 6, start: int32[1] = 0"
# grid = "1"
# block = "64"
# sizes = "n=1,40,64"
# expect = "places = np.cumsum(counts) - counts; start = np.sum(counts)"
@cuda.jit
def marching_cubes_totals(places, counts, start):
    """One thread takes the block's place in the output, and all read it without a barrier in between."""
    sums = cuda.shared.array(THREADS, int32)
    first = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    own = counts[t] if t < counts.shape[0] else 0
    sums[t] = own
    cuda.syncthreads()
    before = 0
    for k in range(t):
        before += sums[k]
    if t == THREADS - 1:
        first[0] = cuda.atomic.add(start, 0, before + own)  # fault: race
    if t < counts.shape[0]:
        places[t] = first[0] + before  # fault: race


# kernel = "marching_cubes_totals_mended"
# args = "places: int32[n], counts: int32[n] < 6, start: int32[1] = 0"
# grid = "1"
# block = "64"
# sizes = "n=1,40,64"
# expect = "places = np.cumsum(counts) - counts; start = np.sum(counts)"
@cuda.jit
def marching_cubes_totals_mended(places, counts, start):
    """All wait until the block's place is known."""
    sums = cuda.shared.array(THREADS, int32)
    first = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    own = counts[t] if t < counts.shape[0] else 0
    sums[t] = own
    cuda.syncthreads()
    before = 0
    for k in range(t):
        before += sums[k]
    if t == THREADS - 1:
        first[0] = cuda.atomic.add(start, 0, before + own)
    cuda.syncthreads()
    if t < counts.shape[0]:
        places[t] = first[0] + before


# kernel = "morphology_scan"
# args = "out: int32[n], a: int32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=64,128"
# expect = "out = np.array([[np.min(part[: k + 1]) for k in range(64)] for part in a.reshape(-1, 64)]).reshape(-1)"
@cuda.jit
def morphology_scan(out, a):
    """In each step all threads read and write the same array, and wait only afterwards."""
    s = cuda.shared.array(THREADS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i]
    cuda.syncthreads()
    offset = 1
    while offset < THREADS:
        if t >= offset:
            s[t] = min(s[t], s[t - offset])  # fault: race
        cuda.syncthreads()
        offset *= 2
    out[i] = s[t]


# kernel = "morphology_scan_mended"
# args = "out: int32[n], a: int32[n]"
# grid = "(n + 63) // 64"
# block = "64"
# sizes = "n=64,128"
# expect = "out = np.array([[np.min(part[: k + 1]) for k in range(64)] for part in a.reshape(-1, 64)]).reshape(-1)"
@cuda.jit
def morphology_scan_mended(out, a):
    """All have read before the first one writes."""
    s = cuda.shared.array(THREADS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t] = a[i]
    cuda.syncthreads()
    offset = 1
    while offset < THREADS:
        found = s[t]
        if t >= offset:
            found = min(found, s[t - offset])
        cuda.syncthreads()
        s[t] = found
        cuda.syncthreads()
        offset *= 2
    out[i] = s[t]


# kernel = "sosfil_cascade"
# args = "out: float32[n], signal: float32[n], factors: float32[8]"
# grid = "1"
# block = "8"
# sizes = "n=1,8,30"
# expect = "out = signal * np.prod(factors)"
@cuda.jit
def sosfil_cascade(out, signal, factors):
    """A pipeline of sections: each reads its neighbor's last output, which the neighbor overwrites meanwhile."""
    outputs = cuda.shared.array(SECTIONS, float32)
    t = cuda.threadIdx.x
    outputs[t] = 0
    cuda.syncthreads()
    n = signal.shape[0]
    for step in range(n + SECTIONS - 1):
        value = float32(0)
        if t > 0:
            value = outputs[t - 1]  # fault: race
        elif step < n:
            value = signal[step]
        outputs[t] = value * factors[t]  # fault: race
        cuda.syncthreads()
        if t == SECTIONS - 1 and step >= SECTIONS - 1:
            out[step - SECTIONS + 1] = outputs[t]


# kernel = "sosfil_cascade_mended"
# args = "out: float32[n], signal: float32[n], factors: float32[8]"
# grid = "1"
# block = "8"
# sizes = "n=1,8,30"
# expect = "out = signal * np.prod(factors)"
@cuda.jit
def sosfil_cascade_mended(out, signal, factors):
    """A barrier between reading and writing, and one before the next step."""
    outputs = cuda.shared.array(SECTIONS, float32)
    t = cuda.threadIdx.x
    outputs[t] = 0
    cuda.syncthreads()
    n = signal.shape[0]
    for step in range(n + SECTIONS - 1):
        value = float32(0)
        if t > 0:
            value = outputs[t - 1]
        elif step < n:
            value = signal[step]
        cuda.syncthreads()
        outputs[t] = value * factors[t]
        cuda.syncthreads()
        if t == SECTIONS - 1 and step >= SECTIONS - 1:
            out[step - SECTIONS + 1] = outputs[t]


# kernel = "floyd_warshall_remainder"
# args = "new: int32[16, 16], row: int32[16, 16] < 99, column: int32[16, 16] < 99, old: int32[16, 16] < 99"
# grid = "1"
# block = "16, 16"
# reference = '''
# def new(row, column, old):
#     through = np.min(column[:, :, None] + row[None, :, :], axis=1)
#     return np.minimum(old, through).T
# '''
@cuda.jit
def floyd_warshall_remainder(new, row, column, old):
    """The results go through the shared tile that slower threads still read, to be stored transposed."""
    tile = cuda.shared.array((TILE, TILE), int32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    tile[y, x] = row[y, x]
    shortest = old[y, x]
    cuda.syncthreads()
    for k in range(TILE):
        shortest = min(shortest, column[y, k] + tile[k, x])  # fault: race
    tile[y, x] = shortest  # fault: race
    cuda.syncthreads()
    new[y, x] = tile[x, y]


# kernel = "hungarian_smallest"
# args = "smallest: int32[rows], costs: int32[rows, columns]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3 columns=1,32,70"
# expect = "smallest = np.min(costs, axis=1)"
@cuda.jit
def hungarian_smallest(smallest, costs):
    """The lanes of a warp are taken to run in step, as before Volta."""
    s = cuda.shared.array(32, int32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = FAR
    for column in range(t, costs.shape[1], 32):
        s[t] = min(s[t], costs[row, column])
    cuda.syncthreads()
    half = 16
    while half > 0:
        if t < half:
            s[t] = min(s[t], s[t + half])  # fault: race
        half //= 2
    if t == 0:
        smallest[row] = s[0]


# kernel = "hungarian_smallest_mended"
# args = "smallest: int32[rows], costs: int32[rows, columns]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3 columns=1,32,70"
# expect = "smallest = np.min(costs, axis=1)"
@cuda.jit
def hungarian_smallest_mended(smallest, costs):
    """The lanes of the warp wait for each other after each step."""
    s = cuda.shared.array(32, int32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = FAR
    for column in range(t, costs.shape[1], 32):
        s[t] = min(s[t], costs[row, column])
    cuda.syncwarp()
    half = 16
    while half > 0:
        if t < half:
            s[t] = min(s[t], s[t + half])
        cuda.syncwarp()
        half //= 2
    if t == 0:
        smallest[row] = s[0]


# kernel = "sssp_queue"
# args = "roots: float32[n], tasks: float32[n] < 9, head: int32[1] = 0"
# grid = "2"
# block = "16"
# sizes = "n=1,32,100"
# expect = "roots = np.sqrt(tasks)"
@cuda.jit
def sssp_queue(roots, tasks, head):
    """Blocks take tasks from a queue; thread 0 takes the next ones while others read where the last ones begin."""
    base = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        base[0] = cuda.atomic.add(head, 0, TILE)
    cuda.syncthreads()
    first = base[0]  # fault: race
    while first < tasks.shape[0]:
        if first + t < tasks.shape[0]:
            roots[first + t] = math.sqrt(tasks[first + t])
        if t == 0:
            base[0] = cuda.atomic.add(head, 0, TILE)  # fault: race
        cuda.syncthreads()
        first = base[0]  # fault: race


# kernel = "sssp_queue_mended"
# args = "roots: float32[n], tasks: float32[n] < 9, head: int32[1] = 0"
# grid = "2"
# block = "16"
# sizes = "n=1,32,100"
# expect = "roots = np.sqrt(tasks)"
@cuda.jit
def sssp_queue_mended(roots, tasks, head):
    """All have read the place before thread 0 writes the next one."""
    base = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    if t == 0:
        base[0] = cuda.atomic.add(head, 0, TILE)
    cuda.syncthreads()
    first = base[0]
    while first < tasks.shape[0]:
        if first + t < tasks.shape[0]:
            roots[first + t] = math.sqrt(tasks[first + t])
        cuda.syncthreads()
        if t == 0:
            base[0] = cuda.atomic.add(head, 0, TILE)
        cuda.syncthreads()
        first = base[0]
