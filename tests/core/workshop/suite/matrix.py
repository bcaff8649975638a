"""Matrices: products, transposes, elimination, shortest paths."""

from numba import cuda, float32, float64

TILE = 8
PADDED = TILE + 1


# kernel = "product_by_tiles"
# args = "c: float32[n, m], a: float32[n, k], b: float32[k, m]"
# grid = "(m + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=1,8,13 m=5,16 k=3,8,20"
# expect = "c = a @ b"
@cuda.jit
def product_by_tiles(c, a, b):
    """Zeros stand where a tile is larger than the matrix."""
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], TILE):
        a_tile[ty, tx] = a[y, first + tx] if y < a.shape[0] and first + tx < a.shape[1] else 0.0
        b_tile[ty, tx] = b[first + ty, x] if first + ty < b.shape[0] and x < b.shape[1] else 0.0
        cuda.syncthreads()
        for k in range(TILE):
            total += a_tile[ty, k] * b_tile[k, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


# kernel = "product_with_one_barrier"
# args = "c: float32[n, m], a: float32[n, k], b: float32[k, m]"
# grid = "(m + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=1,8,13 m=5,16 k=3,8,20"
# expect = "c = a @ b"
@cuda.jit
def product_with_one_barrier(c, a, b):
    """The next tiles are loaded while other threads still multiply."""
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], TILE):
        in_a = y < a.shape[0] and first + tx < a.shape[1]
        in_b = first + ty < b.shape[0] and x < b.shape[1]
        a_tile[ty, tx] = a[y, first + tx] if in_a else 0.0  # fault: race
        b_tile[ty, tx] = b[first + ty, x] if in_b else 0.0  # fault: race
        cuda.syncthreads()
        for k in range(TILE):
            total += a_tile[ty, k] * b_tile[k, tx]  # fault: race
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


# kernel = "product_unguarded_tiles"
# args = "c: float32[n, m], a: float32[n, k], b: float32[k, m]"
# grid = "(m + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=8,13 m=16,21 k=8,20"
# expect = "c = a @ b"
@cuda.jit
def product_unguarded_tiles(c, a, b):
    """Whole tiles are loaded, though matrices need not consist of whole tiles."""
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], TILE):
        a_tile[ty, tx] = a[y, first + tx]  # fault: bounds
        b_tile[ty, tx] = b[first + ty, x]  # fault: bounds
        cuda.syncthreads()
        for k in range(TILE):
            total += a_tile[ty, k] * b_tile[k, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


# kernel = "product_double_buffer"
# args = "c: float32[n, m], a: float32[n, k], b: float32[k, m]"
# grid = "(m + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=8,13 m=5,16 k=3,8,30"
# expect = "c = a @ b"
@cuda.jit
def product_double_buffer(c, a, b):
    """Two pairs of tiles: while one is used the other is loaded, so one barrier for each tile is enough."""
    a_tile = cuda.shared.array((2, TILE, TILE), float32)
    b_tile = cuda.shared.array((2, TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    buffer = 0
    for first in range(0, a.shape[1], TILE):
        in_a = y < a.shape[0] and first + tx < a.shape[1]
        in_b = first + ty < b.shape[0] and x < b.shape[1]
        a_tile[buffer, ty, tx] = a[y, first + tx] if in_a else 0.0
        b_tile[buffer, ty, tx] = b[first + ty, x] if in_b else 0.0
        cuda.syncthreads()
        for k in range(TILE):
            total += a_tile[buffer, ty, k] * b_tile[buffer, k, tx]
        buffer = 1 - buffer
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


# kernel = "batch_of_products"
# args = "c: float64[b, n, m], a: float64[b, n, k], w: float64[k, m]"
# grid = "(m + 3) // 4, (n + 3) // 4, b"
# block = "4, 4"
# sizes = "b=1,3 n=1,6 m=4,5 k=2,7"
# expect = "c = a @ w"
@cuda.jit
def batch_of_products(c, a, w):
    """The third dimension of the grid is the batch."""
    x = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    y = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if x < w.shape[1] and y < a.shape[1]:
        total = float64(0)
        for k in range(w.shape[0]):
            total += a[cuda.blockIdx.z, y, k] * w[k, x]
        c[cuda.blockIdx.z, y, x] = total


# kernel = "vector_by_warps"
# args = "y: float32[rows], a: float32[rows, columns], x: float32[columns]"
# grid = "(rows + 1) // 2"
# block = "32, 2"
# sizes = "rows=1,2,7 columns=1,32,75"
# expect = "y = a @ x"
@cuda.jit
def vector_by_warps(y, a, x):
    """A warp for each row; a warp without a row leaves as a whole."""
    row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    lane = cuda.threadIdx.x
    if row >= a.shape[0]:
        return
    total = float32(0)
    for column in range(lane, a.shape[1], 32):
        total += a[row, column] * x[column]
    offset = 16
    while offset > 0:
        total += cuda.shfl_xor_sync(0xFFFFFFFF, total, offset)
        offset //= 2
    if lane == 0:
        y[row] = total


# kernel = "vector_indices_swapped"
# args = "y: float32[rows], a: float32[rows, columns], x: float32[columns]"
# grid = "(rows + 31) // 32"
# block = "32"
# sizes = "rows=1,33 columns=5,40"
# expect = "y = a @ x"
@cuda.jit
def vector_indices_swapped(y, a, x):
    """Columns are taken for rows: with a square matrix only the result is wrong."""
    row = cuda.grid(1)
    if row < y.shape[0]:
        total = float32(0)
        for column in range(x.shape[0]):
            total += a[column, row] * x[column]  # fault: bounds
        y[row] = total


# kernel = "transpose_padded"
# args = "out: float32[columns, rows], a: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,16,21"
# expect = "out = a.T"
@cuda.jit
def transpose_padded(out, a):
    """Through a tile, so that both sides are read and written by rows."""
    tile = cuda.shared.array((TILE, PADDED), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y = cuda.blockIdx.y * TILE + ty
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + tx
    y = cuda.blockIdx.x * TILE + ty
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = tile[tx, ty]


# kernel = "transpose_without_barrier"
# args = "out: float32[columns, rows], a: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,16,21"
# expect = "out = a.T"
@cuda.jit
def transpose_without_barrier(out, a):
    """Elements of other threads are read at once."""
    tile = cuda.shared.array((TILE, PADDED), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * TILE + tx
    y = cuda.blockIdx.y * TILE + ty
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]  # fault: race
    x = cuda.blockIdx.y * TILE + tx
    y = cuda.blockIdx.x * TILE + ty
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = tile[tx, ty]  # fault: race


# kernel = "transpose_blocks_kept"
# args = "out: float32[n, n], a: float32[n, n]"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=8,16"
# expect = "out = a.T"
@cuda.jit
def transpose_blocks_kept(out, a):
    """The tiles are transposed, but stored where they came from."""
    tile = cuda.shared.array((TILE, PADDED), float32)
    x, y = cuda.grid(2)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    out[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]  # fault: wrong-result


# kernel = "transpose_in_place"
# args = "a: float32[n, n]"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=1,8,13"
# expect = "a = a.T"
@cuda.jit
def transpose_in_place(a):
    """A thread above the diagonal swaps two elements that no other thread uses."""
    x, y = cuda.grid(2)
    if y < x < a.shape[0]:
        a[y, x], a[x, y] = a[x, y], a[y, x]


# kernel = "transpose_in_place_by_all"
# args = "a: float32[n, n]"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=1,8,13"
# expect = "a = a.T"
@cuda.jit
def transpose_in_place_by_all(a):
    """Each pair of elements is swapped by two threads."""
    x, y = cuda.grid(2)
    if x < a.shape[0] and y < a.shape[0]:
        kept = a[y, x]  # fault: race # fault: block-race
        a[y, x] = a[x, y]  # fault: race # fault: block-race
        a[x, y] = kept  # fault: race # fault: block-race


# kernel = "image_by_flat_index"
# args = "out: int32[rows * columns], columns"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=3,8,9 columns=5,8,12"
# expect = "out = np.arange(out.size) // columns * 100 + np.arange(out.size) % columns"
@cuda.jit
def image_by_flat_index(out, columns):
    """Guarded by the flat index alone: a thread on the right of the image writes to the row below."""
    x, y = cuda.grid(2)
    place = y * columns + x
    if place < out.size:
        out[place] = y * 100 + x  # fault: race  # fault: block-race


# kernel = "elimination_step"
# args = "a: float64[n, n], factors: float64[n], k: int32 = 1"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=2,8,13"
# reference = '''
# def a(a, factors, k):
#     found = a.copy()
#     found[k + 1 :, k + 1 :] -= factors[k + 1 :, None] * a[k, None, k + 1 :]
#     return found
# '''
@cuda.jit
def elimination_step(a, factors, k):
    """Row k is only read, and the rows below only by their own threads."""
    j, i = cuda.grid(2)
    if k < i < a.shape[0] and k < j < a.shape[0]:
        a[i, j] -= factors[i] * a[k, j]


# kernel = "elimination_step_with_column"
# args = "a: float64[n, n] < 2, k: int32 = 1"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=8,13"
# reference = '''
# def a(a, k):
#     found = a.copy()
#     found[k + 1 :, k:] -= a[k + 1 :, k, None] / a[k, k] * a[k, None, k:]
#     return found
# '''
@cuda.jit
def elimination_step_with_column(a, k):
    """Column k becomes zero while the other threads of the row still need it."""
    j, i = cuda.grid(2)
    if k < i < a.shape[0] and k <= j < a.shape[0]:
        factor = a[i, k] / a[k, k]  # fault: race # fault: block-race
        a[i, j] -= factor * a[k, j]  # fault: race # fault: block-race


# kernel = "shortest_paths_step"
# args = "distance: int32[n, n] < 50, k: int32 = 0"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=1,8,13"
# expect = "distance = np.minimum(distance, distance[:, k, None] + distance[k])"
@cuda.jit
def shortest_paths_step(distance, k):
    """In place: no path through k makes one from or to k shorter, so row and column k are not written."""
    j, i = cuda.grid(2)
    if i < distance.shape[0] and j < distance.shape[0]:
        through = distance[i, k] + distance[k, j]
        if through < distance[i, j]:
            distance[i, j] = through


# kernel = "shortest_paths_all_steps"
# args = "distance: int32[n, n] < 50"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=1,8,13"
# reference = '''
# def distance(distance):
#     for k in range(distance.shape[0]):
#         distance = np.minimum(distance, distance[:, k, None] + distance[k])
#     return distance
# '''
@cuda.jit
def shortest_paths_all_steps(distance):
    """All steps in one launch: the barrier does not wait for other blocks."""
    j, i = cuda.grid(2)
    n = distance.shape[0]
    for k in range(n):
        if i < n and j < n:
            through = distance[i, k] + distance[k, j]  # fault: block-race
            if through < distance[i, j]:  # fault: block-race
                distance[i, j] = through  # fault: block-race
        cuda.syncthreads()


# kernel = "triangular_solve"
# args = "x: float64[n], lower: float64[n, n] < 1, b: float64[n]"
# grid = "1"
# block = "16"
# sizes = "n=1,9,16"
# reference = '''
# def x(lower, b):
#     found = np.zeros(b.size)
#     for k in range(b.size):
#         found[k] = (b[k] - np.dot(lower[k, :k], found[:k])) / (1 + lower[k, k])
#     return found
# '''
@cuda.jit
def triangular_solve(x, lower, b):
    """Each step solves for one unknown, and all threads below take it off their side."""
    rest = cuda.shared.array(16, float64)
    found = cuda.shared.array(16, float64)
    t = cuda.threadIdx.x
    n = b.shape[0]
    if t < n:
        rest[t] = b[t]
    for k in range(n):
        if t == k:
            found[k] = rest[k] / (1 + lower[k, k])
            x[k] = found[k]
        cuda.syncthreads()
        if k < t < n:
            rest[t] -= lower[t, k] * found[k]


# kernel = "triangular_solve_one_place"
# args = "x: float64[n], lower: float64[n, n] < 1, b: float64[n]"
# grid = "1"
# block = "16"
# sizes = "n=1,9,16"
# reference = '''
# def x(lower, b):
#     found = np.zeros(b.size)
#     for k in range(b.size):
#         found[k] = (b[k] - np.dot(lower[k, :k], found[:k])) / (1 + lower[k, k])
#     return found
# '''
@cuda.jit
def triangular_solve_one_place(x, lower, b):
    """All unknowns go through one element, which the next thread overwrites while others still read it."""
    rest = cuda.shared.array(16, float64)
    found = cuda.shared.array(1, float64)
    t = cuda.threadIdx.x
    n = b.shape[0]
    if t < n:
        rest[t] = b[t]
    for k in range(n):
        if t == k:
            found[0] = rest[k] / (1 + lower[k, k])  # fault: race
            x[k] = found[0]
        cuda.syncthreads()
        if k < t < n:
            rest[t] -= lower[t, k] * found[0]  # fault: race
