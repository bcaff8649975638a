"""Sparse matrices and graphs, by rows of neighbors."""

from numba import cuda

FULL = 0xFFFFFFFF


# kernel = "sparse_product"
# args = "y: float64[n], rows: int32[n + 1], columns: int32[e], values: float64[e], x: float64[n]"
# inputs = "rows"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,50 e=60"
# reference = '''
# def y(rows, columns, values, x):
#     products = values * x[columns]
#     return [np.sum(products[rows[i] : rows[i + 1]]) for i in range(rows.size - 1)]
# '''
@cuda.jit
def sparse_product(y, rows, columns, values, x):
    """A thread for each row."""
    i = cuda.grid(1)
    if i < y.shape[0]:
        total = 0.0
        for k in range(rows[i], rows[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total


# kernel = "sparse_product_one_row_more"
# args = "y: float64[n], rows: int32[n + 1], columns: int32[e], values: float64[e], x: float64[n]"
# inputs = "rows"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,31,50 e=60"
# reference = '''
# def y(rows, columns, values, x):
#     products = values * x[columns]
#     return [np.sum(products[rows[i] : rows[i + 1]]) for i in range(rows.size - 1)]
# '''
@cuda.jit
def sparse_product_one_row_more(y, rows, columns, values, x):
    """The guard counts the row pointers, which are one more than the rows."""
    i = cuda.grid(1)
    if i < rows.shape[0]:
        total = 0.0
        for k in range(rows[i], rows[i + 1]):  # fault: bounds
            total += values[k] * x[columns[k]]
        y[i] = total  # fault: bounds


# kernel = "sparse_product_by_warps"
# args = "y: float64[n], rows: int32[n + 1], columns: int32[e], values: float64[e], x: float64[n]"
# inputs = "rows"
# grid = "(n + 1) // 2"
# block = "64"
# sizes = "n=1,7,20 e=300"
# reference = '''
# def y(rows, columns, values, x):
#     products = values * x[columns]
#     return [np.sum(products[rows[i] : rows[i + 1]]) for i in range(rows.size - 1)]
# '''
@cuda.jit
def sparse_product_by_warps(y, rows, columns, values, x):
    """A warp for each row: its lanes have loops of different length, and meet in the shuffles."""
    row = cuda.grid(1) // 32
    lane = cuda.threadIdx.x % 32
    if row < y.shape[0]:
        total = 0.0
        for k in range(rows[row] + lane, rows[row + 1], 32):
            total += values[k] * x[columns[k]]
        offset = 16
        while offset > 0:
            total += cuda.shfl_down_sync(FULL, total, offset)
            offset //= 2
        if lane == 0:
            y[row] = total


# kernel = "sparse_product_shuffles_in_the_loop"
# args = "y: float64[n], rows: int32[n + 1], columns: int32[e], values: float64[e], x: float64[n]"
# inputs = "rows"
# grid = "(n + 1) // 2"
# block = "64"
# sizes = "n=1,7,20 e=300"
# reference = '''
# def y(rows, columns, values, x):
#     products = values * x[columns]
#     return [np.sum(products[rows[i] : rows[i + 1]]) for i in range(rows.size - 1)]
# '''
@cuda.jit
def sparse_product_shuffles_in_the_loop(y, rows, columns, values, x):
    """Lanes whose loop has ended do not take part in the sum of the last elements."""
    row = cuda.grid(1) // 32
    lane = cuda.threadIdx.x % 32
    if row < y.shape[0]:
        total = 0.0
        for k in range(rows[row] + lane, rows[row + 1], 32):
            product = values[k] * x[columns[k]]
            offset = 16
            while offset > 0:
                product += cuda.shfl_xor_sync(FULL, product, offset)  # fault: barrier
                offset //= 2
            total += product
        if lane == 0:
            y[row] = total


# kernel = "transposed_product"
# args = "y: float64[n] = 0, rows: int32[n + 1], columns: int32[e], values: float64[e], x: float64[n]"
# inputs = "rows"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,50 e=200"
# reference = '''
# def y(rows, columns, values, x):
#     found = np.zeros(x.size)
#     for i in range(x.size):
#         for k in range(rows[i], rows[i + 1]):
#             found[columns[k]] += values[k] * x[i]
#     return found
# '''
@cuda.jit
def transposed_product(y, rows, columns, values, x):
    """Each row adds to the elements of its columns."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        for k in range(rows[i], rows[i + 1]):
            cuda.atomic.add(y, columns[k], values[k] * x[i])


# kernel = "transposed_product_plain"
# args = "y: float64[n] = 0, rows: int32[n + 1], columns: int32[e], values: float64[e], x: float64[n]"
# inputs = "rows"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,50 e=200"
# reference = '''
# def y(rows, columns, values, x):
#     found = np.zeros(x.size)
#     for i in range(x.size):
#         for k in range(rows[i], rows[i + 1]):
#             found[columns[k]] += values[k] * x[i]
#     return found
# '''
@cuda.jit
def transposed_product_plain(y, rows, columns, values, x):
    """Rows with a common column lose what the others add."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        for k in range(rows[i], rows[i + 1]):
            y[columns[k]] += values[k] * x[i]  # fault: race # fault: block-race


# kernel = "search_step_with_flags"
# args = "next: int32[n] = 0, level: int32[n] < 2, rows: int32[n + 1], columns: int32[e]"
# inputs = "rows"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=50,70 e=300"
# warns = "same-value"
# reference = '''
# def next(level, rows, columns):
#     found = np.zeros(level.size, np.int64)
#     for i in range(level.size):
#         for k in range(rows[i], rows[i + 1]):
#             if level[i] == 1 and level[columns[k]] == 0:
#                 found[columns[k]] = 1
#     return found
# '''
@cuda.jit
def search_step_with_flags(next, level, rows, columns):
    """A step of breadth-first search: several threads may set the same flag, to the same value."""
    i = cuda.grid(1)
    if i < level.shape[0] and level[i] == 1:
        for k in range(rows[i], rows[i + 1]):
            if level[columns[k]] == 0:
                next[columns[k]] = 1


# kernel = "search_step_with_queue"
# args = "level: int32[n] < 2, queue: int32[n], count: int32[1] = 0, rows: int32[n + 1], columns: int32[e]"
# inputs = "rows"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=50,70 e=300"
# reference = '''
# def stepped(level, rows, columns):
#     found = level.copy()
#     for i in range(level.size):
#         for k in range(rows[i], rows[i + 1]):
#             if level[i] == 1 and level[columns[k]] == 0:
#                 found[columns[k]] = 2
#     return found
#
# def level(level, rows, columns):
#     return stepped(level, rows, columns)
#
# def count(level, rows, columns):
#     return np.sum(stepped(level, rows, columns) == 2)
# '''
@cuda.jit
def search_step_with_queue(level, queue, count, rows, columns):
    """The thread that changes a level from 0 appends the vertex; a vertex of level 1 is changed by nobody."""
    i = cuda.grid(1)
    if i < level.shape[0] and cuda.atomic.add(level, i, 0) == 1:
        for k in range(rows[i], rows[i + 1]):
            vertex = columns[k]
            if cuda.atomic.cas(level, vertex, 0, 2) == 0:
                place = cuda.atomic.add(count, 0, 1)
                queue[place] = vertex


# kernel = "search_step_check_then_set"
# args = "level: int32[n] < 2, queue: int32[e], count: int32[1] = 0, rows: int32[n + 1], columns: int32[e]"
# inputs = "rows"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=50,70 e=300"
# reference = '''
# def stepped(level, rows, columns):
#     found = level.copy()
#     for i in range(level.size):
#         for k in range(rows[i], rows[i + 1]):
#             if level[i] == 1 and level[columns[k]] == 0:
#                 found[columns[k]] = 2
#     return found
#
# def level(level, rows, columns):
#     return stepped(level, rows, columns)
#
# def count(level, rows, columns):
#     return np.sum(stepped(level, rows, columns) == 2)
# '''
@cuda.jit
def search_step_check_then_set(level, queue, count, rows, columns):
    """Two threads may both see level 0, and append the vertex twice."""
    i = cuda.grid(1)
    if i < level.shape[0] and level[i] == 1:
        for k in range(rows[i], rows[i + 1]):
            vertex = columns[k]
            if level[vertex] == 0:  # fault: race # fault: block-race
                level[vertex] = 2  # fault: race # fault: block-race
                place = cuda.atomic.add(count, 0, 1)
                queue[place] = vertex


# kernel = "relax_edges"
# args = "new: int32[n], old: int32[n], rows: int32[n + 1], columns: int32[e], lengths: int32[e] < 9"
# inputs = "distances"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,50,70 e=300"
# reference = '''
# def new(new, old, rows, columns, lengths):
#     for i in range(old.size):
#         for k in range(rows[i], rows[i + 1]):
#             new[columns[k]] = min(new[columns[k]], old[i] + lengths[k])
#     return new
# '''
@cuda.jit
def relax_edges(new, old, rows, columns, lengths):
    """Shortest paths: distances of the last step are read, those of the next one get smaller."""
    i = cuda.grid(1)
    if i < old.shape[0]:
        for k in range(rows[i], rows[i + 1]):
            cuda.atomic.min(new, columns[k], old[i] + lengths[k])


# kernel = "relax_edges_in_place"
# args = "new: int32[n], old: int32[n], rows: int32[n + 1], columns: int32[e], lengths: int32[e] < 9"
# inputs = "distances"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=50,70 e=300"
# reference = '''
# def new(new, old, rows, columns, lengths):
#     for i in range(old.size):
#         for k in range(rows[i], rows[i + 1]):
#             new[columns[k]] = min(new[columns[k]], old[i] + lengths[k])
#     return new
# '''
@cuda.jit
def relax_edges_in_place(new, old, rows, columns, lengths):
    """A distance is read that other threads make smaller at the same time: how many edges a step goes is chance."""
    i = cuda.grid(1)
    if i < old.shape[0]:
        for k in range(rows[i], rows[i + 1]):
            cuda.atomic.min(new, columns[k], new[i] + lengths[k])  # fault: race # fault: block-race


# kernel = "jump_pointers"
# args = "new: int32[n], parents: int32[n] < n"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,70"
# expect = "new = parents[parents]"
@cuda.jit
def jump_pointers(new, parents):
    """Each vertex points to its grandparent."""
    i = cuda.grid(1)
    if i < parents.shape[0]:
        new[i] = parents[parents[i]]


# kernel = "jump_pointers_in_place"
# args = "parents: int32[n] < n"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,70"
# expect = "parents = parents[parents]"
@cuda.jit
def jump_pointers_in_place(parents):
    """A parent may have jumped already."""
    i = cuda.grid(1)
    if i < parents.shape[0]:
        parents[i] = parents[parents[i]]  # fault: race # fault: block-race


# kernel = "scatter_by_permutation"
# args = "out: float64[n], a: float64[n], places: int32[n]"
# inputs = "permutation"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,70"
# expect = "out = a[np.argsort(places)]"
@cuda.jit
def scatter_by_permutation(out, a, places):
    """No two threads have the same place."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        out[places[i]] = a[i]


# kernel = "scatter_by_any_places"
# args = "out: float64[n] = 0, a: float64[n], places: int32[n] < n"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,70"
# reference = '''
# def out(a, places):
#     found = np.zeros(a.size)
#     found[places] = a
#     return found
# '''
@cuda.jit
def scatter_by_any_places(out, a, places):
    """Places are random, so some are equal."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        out[places[i]] = a[i]  # fault: race # fault: block-race


# kernel = "degrees"
# args = "counts: int32[n] = 0, ends: int32[e, 2] < n"
# grid = "(e + 31) // 32"
# block = "32, 2"
# sizes = "n=3,50 e=1,40,64"
# expect = "counts = np.bincount(ends.reshape(-1), minlength=counts.size)"
@cuda.jit
def degrees(counts, ends):
    """A thread for each end of each edge."""
    edge = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if edge < len(ends):
        cuda.atomic.add(counts, ends[edge, cuda.threadIdx.y], 1)


# kernel = "triangles"
# args = "total: int32[1] = 0, linked: bool[n, n]"
# grid = "(n + 7) // 8, (n + 7) // 8"
# block = "8, 8"
# sizes = "n=1,8,13"
# reference = '''
# def total(linked):
#     a = np.triu(linked, 1).astype(np.int64)
#     return np.sum((a @ a) * a)
# '''
@cuda.jit
def triangles(total, linked):
    """Each thread counts the vertices between its two."""
    j, i = cuda.grid(2)
    if i < j < linked.shape[0] and linked[i, j]:
        found = 0
        for k in range(i + 1, j):
            if linked[i, k] and linked[k, j]:
                found += 1
        if found:
            cuda.atomic.add(total, 0, found)
