"""Bodies, particles, fractals and random numbers."""

import math

from numba import cuda, float32, float64, int32

TILE = 16
CELLS = 8
STEPS = 50
WIDTH = 24


# kernel = "forces_by_tiles"
# args = "forces: float32[n], x: float32[n], masses: float32[n] < 1"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=1,16,40"
# reference = '''
# def forces(x, masses):
#     d = x[None, :] - x[:, None]
#     return np.sum(masses[None, :] * d / (d * d + 0.01) ** 1.5, axis=1)
# '''
@cuda.jit
def forces_by_tiles(forces, x, masses):
    """Bodies behind the last one have no mass."""
    places = cuda.shared.array(TILE, float32)
    weights = cuda.shared.array(TILE, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    n = x.shape[0]
    own = x[i] if i < n else 0.0
    force = 0.0
    for first in range(0, n, TILE):
        places[t] = x[first + t] if first + t < n else 0.0
        weights[t] = masses[first + t] if first + t < n else 0.0
        cuda.syncthreads()
        for k in range(TILE):
            d = places[k] - own
            square = d * d + 0.01
            force += weights[k] * d / (square * math.sqrt(square))
        cuda.syncthreads()
    if i < n:
        forces[i] = force


# kernel = "forces_one_barrier"
# args = "forces: float32[n], x: float32[n], masses: float32[n] < 1"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=1,16,40"
# reference = '''
# def forces(x, masses):
#     d = x[None, :] - x[:, None]
#     return np.sum(masses[None, :] * d / (d * d + 0.01) ** 1.5, axis=1)
# '''
@cuda.jit
def forces_one_barrier(forces, x, masses):
    """The barrier behind the load is there, the one before the next load is not."""
    places = cuda.shared.array(TILE, float32)
    weights = cuda.shared.array(TILE, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    n = x.shape[0]
    own = x[i] if i < n else 0.0
    force = 0.0
    for first in range(0, n, TILE):
        places[t] = x[first + t] if first + t < n else 0.0  # fault: race
        weights[t] = masses[first + t] if first + t < n else 0.0  # fault: race
        cuda.syncthreads()
        for k in range(TILE):
            d = places[k] - own  # fault: race
            square = d * d + 0.01
            force += weights[k] * d / (square * math.sqrt(square))  # fault: race
    if i < n:
        forces[i] = force


# kernel = "forces_tile_of_the_end"
# args = "forces: float32[n], x: float32[n], masses: float32[n] < 1"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=7,16,40"
# reference = '''
# def forces(x, masses):
#     d = x[None, :] - x[:, None]
#     return np.sum(masses[None, :] * d / (d * d + 0.01) ** 1.5, axis=1)
# '''
@cuda.jit
def forces_tile_of_the_end(forces, x, masses):
    """In the last tile, masses of the tile before are used again for bodies that do not exist."""
    places = cuda.shared.array(TILE, float32)
    weights = cuda.shared.array(TILE, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    n = x.shape[0]
    own = x[i] if i < n else 0.0
    force = 0.0
    for first in range(0, n, TILE):
        if first + t < n:
            places[t] = x[first + t]
            weights[t] = masses[first + t]
        cuda.syncthreads()
        for k in range(TILE):
            d = places[k] - own  # fault: uninitialized
            square = d * d + 0.01
            force += weights[k] * d / (square * math.sqrt(square))  # fault: uninitialized
        cuda.syncthreads()
    if i < n:
        forces[i] = force


# kernel = "move_while_others_look"
# args = "x: float64[n]"
# grid = "(n + 15) // 16"
# block = "16"
# sizes = "n=16,40"
# expect = "x = x + 0.1 * np.sum(x[None, :] - x[:, None], axis=1)"
@cuda.jit
def move_while_others_look(x):
    """Force and motion in one kernel: the barrier holds back the own block only."""
    i = cuda.grid(1)
    force = 0.0
    if i < x.shape[0]:
        for j in range(x.shape[0]):
            force += x[j] - x[i]  # fault: block-race
    cuda.syncthreads()
    if i < x.shape[0]:
        x[i] += 0.1 * force  # fault: block-race


# kernel = "move_within_one_block"
# args = "x: float64[n]"
# grid = "1"
# block = "64"
# sizes = "n=1,16,64"
# expect = "x = x + 0.1 * np.sum(x[None, :] - x[:, None], axis=1)"
@cuda.jit
def move_within_one_block(x):
    """With one block the barrier is enough."""
    i = cuda.threadIdx.x
    force = 0.0
    if i < x.shape[0]:
        for j in range(x.shape[0]):
            force += x[j] - x[i]
    cuda.syncthreads()
    if i < x.shape[0]:
        x[i] += 0.1 * force


# kernel = "charge_in_cells"
# args = "cells: float32[9] = 0, x: float32[n] < 8"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,100"
# reference = '''
# def cells(x):
#     found = np.zeros(9)
#     left = np.minimum(x.astype(np.int64), 7)
#     np.add.at(found, left, 1 - (x - left))
#     np.add.at(found, left + 1, x - left)
#     return found
# '''
@cuda.jit
def charge_in_cells(cells, x):
    """A particle gives its charge to the two points beside it."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        left = min(int(x[i]), CELLS - 1)
        part = x[i] - left
        cuda.atomic.add(cells, left, 1 - part)
        cuda.atomic.add(cells, left + 1, part)


# kernel = "charge_in_cells_half_atomic"
# args = "cells: float32[9] = 0, x: float32[n] < 8"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,100"
# reference = '''
# def cells(x):
#     found = np.zeros(9)
#     left = np.minimum(x.astype(np.int64), 7)
#     np.add.at(found, left, 1 - (x - left))
#     np.add.at(found, left + 1, x - left)
#     return found
# '''
@cuda.jit
def charge_in_cells_half_atomic(cells, x):
    """An atomic addition does not protect from a plain one."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        left = min(int(x[i]), CELLS - 1)
        part = x[i] - left
        cuda.atomic.add(cells, left, 1 - part)  # fault: race # fault: block-race
        cells[left + 1] += part  # fault: race # fault: block-race


@cuda.jit(device=True)
def square(re, im):
    """Of a complex number."""
    return re * re - im * im, 2 * re * im


# kernel = "mandelbrot"
# args = "counts: int32[rows, columns], limit: int32 = 20"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,21"
# reference = '''
# def counts(counts, limit):
#     found = np.zeros(counts.shape, np.int64)
#     for y in range(counts.shape[0]):
#         for x in range(counts.shape[1]):
#             c_re, c_im = -2 + x * 0.15, -1 + y * 0.15
#             re, im, k = 0.0, 0.0, 0
#             for step in range(limit):
#                 if re * re + im * im > 4:
#                     break
#                 re, im = re * re - im * im + c_re, 2 * re * im + c_im
#                 k += 1
#             found[y, x] = k
#     return found
# '''
@cuda.jit
def mandelbrot(counts, limit):
    """Loops of different length, with a device function that returns two numbers."""
    x, y = cuda.grid(2)
    if y >= counts.shape[0] or x >= counts.shape[1]:
        return
    c_re = -2 + x * 0.15
    c_im = -1 + y * 0.15
    re = 0.0
    im = 0.0
    k = 0
    while k < limit and re * re + im * im <= 4:
        re, im = square(re, im)
        re += c_re
        im += c_im
        k += 1
    counts[y, x] = k


# kernel = "mandelbrot_sides_swapped"
# args = "counts: int32[rows, columns], limit: int32 = 20"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=8,13 columns=5,21"
# expect = "counts = np.full(counts.shape, limit)"
@cuda.jit
def mandelbrot_sides_swapped(counts, limit):
    """Width and height are taken from each other's side of the shape."""
    x, y = cuda.grid(2)
    width, height = counts.shape
    if x < width and y < height:
        counts[y, x] = limit  # fault: bounds


# kernel = "pi_by_chance"
# args = "hits: int32[1] = 0, states: uint32[n] < 1000000"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,40"
# reference = '''
# def hits(states):
#     found = 0
#     for state in states:
#         for step in range(5):
#             state = (state * 1664525 + 1013904223) % 4294967296
#             x = state / 4294967296
#             state = (state * 1664525 + 1013904223) % 4294967296
#             y = state / 4294967296
#             found += int(x * x + y * y < 1)
#     return found
# '''
@cuda.jit
def pi_by_chance(hits, states):
    """Each thread has a random number generator of its own, and adds once."""
    i = cuda.grid(1)
    if i < states.shape[0]:
        state = int(states[i])
        found = 0
        for _ in range(5):
            state = (state * 1664525 + 1013904223) % 4294967296
            x = state / 4294967296
            state = (state * 1664525 + 1013904223) % 4294967296
            y = state / 4294967296
            if x * x + y * y < 1:
                found += 1
        cuda.atomic.add(hits, 0, found)


# kernel = "automaton_in_shared_memory"
# args = "cells: int32[24] < 2, steps: int32 = 9"
# grid = "1"
# block = "24"
# reference = '''
# def cells(cells, steps):
#     for step in range(steps):
#         cells = (np.roll(cells, 1) + np.roll(cells, -1)) % 2
#     return cells
# '''
@cuda.jit
def automaton_in_shared_memory(cells, steps):
    """Rule 90 on a ring: the buffer to be read and the one to be written change places."""
    buffers = cuda.shared.array((2, WIDTH), int32)
    t = cuda.threadIdx.x
    buffers[0, t] = cells[t]
    for step in range(steps):
        cuda.syncthreads()
        now = step % 2
        left = buffers[now, (t - 1) % WIDTH]
        right = buffers[now, (t + 1) % WIDTH]
        buffers[1 - now, t] = left ^ right
    cells[t] = buffers[steps % 2, t]


# kernel = "automaton_in_one_buffer"
# args = "cells: int32[24] < 2, steps: int32 = 9"
# grid = "1"
# block = "24"
# reference = '''
# def cells(cells, steps):
#     for step in range(steps):
#         cells = (np.roll(cells, 1) + np.roll(cells, -1)) % 2
#     return cells
# '''
@cuda.jit
def automaton_in_one_buffer(cells, steps):
    """One barrier a step is not enough where a step reads what it writes."""
    now = cuda.shared.array(WIDTH, int32)
    t = cuda.threadIdx.x
    now[t] = cells[t]
    for _ in range(steps):
        cuda.syncthreads()
        new = now[(t - 1) % WIDTH] ^ now[(t + 1) % WIDTH]  # fault: race
        now[t] = new  # fault: race
    cells[t] = now[t]


# kernel = "integrate_by_blocks"
# args = "parts: float64[blocks], n: int32 = 500"
# grid = "blocks"
# block = "32"
# sizes = "blocks=1,3"
# reference = '''
# def parts(parts, n):
#     found = np.zeros(parts.size)
#     for i in range(n):
#         x = (i + 0.5) / n
#         found[i // 32 % parts.size] += 4 / (1 + x * x) / n
#     return found
# '''
@cuda.jit
def integrate_by_blocks(parts, n):
    """Blocks take stripes of 32 in turn."""
    s = cuda.shared.array(32, float64)
    t = cuda.threadIdx.x
    total = 0.0
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        x = (i + 0.5) / n
        total += 4 / (1 + x * x)
    s[t] = total / n
    cuda.syncthreads()
    if t == 0:
        total = 0.0
        for k in range(32):
            total += s[k]
        parts[cuda.blockIdx.x] = total


# kernel = "integrate_blocks_overlap"
# args = "total: float64[1] = 0, n: int32 = 500"
# grid = "blocks"
# block = "32"
# sizes = "blocks=3"
# expect = "total = np.sum(4 / (1 + ((np.arange(n) + 0.5) / n) ** 2)) / n"
@cuda.jit
def integrate_blocks_overlap(total, n):
    """The stride is that of one block, so blocks take the same stripes."""
    part = 0.0
    for i in range(cuda.grid(1), n, cuda.blockDim.x):
        x = (i + 0.5) / n
        part += 4 / (1 + x * x)
    cuda.atomic.add(total, 0, part / n)  # fault: wrong-result
