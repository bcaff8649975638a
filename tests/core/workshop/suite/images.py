"""Filters of images and cellular automata: each element from its neighbors in two dimensions."""

from numba import cuda, float32, int32

SIDE = 8
HALO_SIDE = 10


# kernel = "convolve_image"
# args = "out: float32[rows - 2, columns - 2], image: float32[rows, columns], weights: float32[3, 3]"
# grid = "(columns + 5) // 8, (rows + 5) // 8"
# block = "8, 8"
# sizes = "rows=3,10,12 columns=4,10,19"
# reference = '''
# def out(image, weights):
#     rows, columns = image.shape
#     parts = [
#         weights[y, x] * image[y : rows - 2 + y, x : columns - 2 + x] for y in range(3) for x in range(3)
#     ]
#     return np.sum(np.array(parts), axis=0)
# '''
@cuda.jit
def convolve_image(out, image, weights):
    """Only where the whole window is in the image."""
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        total = float32(0)
        for dy in range(3):
            for dx in range(3):
                total += image[y + dy, x + dx] * weights[dy, dx]
        out[y, x] = total


# kernel = "convolve_image_transposed_weights"
# args = "out: float32[rows - 2, columns - 2], image: float32[rows, columns], weights: float32[3, 3]"
# grid = "(columns + 5) // 8, (rows + 5) // 8"
# block = "8, 8"
# sizes = "rows=3,10,12 columns=4,10,19"
# reference = '''
# def out(image, weights):
#     rows, columns = image.shape
#     parts = [
#         weights[y, x] * image[y : rows - 2 + y, x : columns - 2 + x] for y in range(3) for x in range(3)
#     ]
#     return np.sum(np.array(parts), axis=0)
# '''
@cuda.jit
def convolve_image_transposed_weights(out, image, weights):
    """The indices of the weights are in the wrong order."""
    x, y = cuda.grid(2)
    if y < out.shape[0] and x < out.shape[1]:
        total = float32(0)
        for dy in range(3):
            for dx in range(3):
                total += image[y + dy, x + dx] * weights[dx, dy]
        out[y, x] = total  # fault: wrong-result


# kernel = "box_filter_by_tiles"
# args = "out: float32[rows, columns], a: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,16,21"
# reference = '''
# def out(a):
#     rows, columns = a.shape
#     padded = np.pad(a, 1)
#     parts = [padded[y : rows + y, x : columns + x] for y in range(3) for x in range(3)]
#     return np.sum(np.array(parts), axis=0) / 9
# '''
@cuda.jit
def box_filter_by_tiles(out, a):
    """The 64 threads of a block load its 10 x 10 elements, corners too; zeros stand behind the edges."""
    tile = cuda.shared.array((HALO_SIDE, HALO_SIDE), float32)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    top = cuda.blockIdx.y * SIDE - 1
    left = cuda.blockIdx.x * SIDE - 1
    for place in range(ty * SIDE + tx, HALO_SIDE * HALO_SIDE, SIDE * SIDE):
        row = place // HALO_SIDE
        column = place % HALO_SIDE
        y = top + row
        x = left + column
        if 0 <= y < a.shape[0] and 0 <= x < a.shape[1]:
            tile[row, column] = a[y, x]
        else:
            tile[row, column] = 0
    cuda.syncthreads()
    y = top + 1 + ty
    x = left + 1 + tx
    if y < a.shape[0] and x < a.shape[1]:
        total = float32(0)
        for dy in range(3):
            for dx in range(3):
                total += tile[ty + dy, tx + dx]
        out[y, x] = total / 9


# kernel = "box_filter_without_corners"
# args = "out: float32[rows, columns], a: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,16,21"
# reference = '''
# def out(a):
#     rows, columns = a.shape
#     padded = np.pad(a, 1)
#     parts = [padded[y : rows + y, x : columns + x] for y in range(3) for x in range(3)]
#     return np.sum(np.array(parts), axis=0) / 9
# '''
@cuda.jit
def box_filter_without_corners(out, a):
    """Threads at the edge of the block load the four sides of the tile's halo, but not its corners."""
    tile = cuda.shared.array((HALO_SIDE, HALO_SIDE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x + 1
    ty = cuda.threadIdx.y + 1
    rows = a.shape[0]
    columns = a.shape[1]
    tile[ty, tx] = a[y, x] if y < rows and x < columns else 0.0
    if tx == 1:
        tile[ty, 0] = a[y, x - 1] if y < rows and 0 < x <= columns else 0.0
    if tx == SIDE:
        tile[ty, SIDE + 1] = a[y, x + 1] if y < rows and x + 1 < columns else 0.0
    if ty == 1:
        tile[0, tx] = a[y - 1, x] if 0 < y <= rows and x < columns else 0.0
    if ty == SIDE:
        tile[SIDE + 1, tx] = a[y + 1, x] if y + 1 < rows and x < columns else 0.0
    cuda.syncthreads()
    if y < rows and x < columns:
        total = float32(0)
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                total += tile[ty + dy, tx + dx]  # fault: uninitialized
        out[y, x] = total / 9


# kernel = "life"
# args = "new: int32[rows, columns], cells: int32[rows, columns] < 2"
# grid = "(columns + 7) // 8, (rows + 3) // 4"
# block = "8, 4"
# sizes = "rows=3,8,9 columns=3,8,17"
# reference = '''
# def new(cells):
#     shifts = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
#     around = np.sum(np.array([np.roll(cells, shift, (0, 1)) for shift in shifts]), axis=0)
#     return (around == 3) | ((around == 2) & (cells == 1))
# '''
@cuda.jit
def life(new, cells):
    """Conway's game on a torus: % gives no negative index in Python."""
    x, y = cuda.grid(2)
    rows = cells.shape[0]
    columns = cells.shape[1]
    if y < rows and x < columns:
        around = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dy != 0 or dx != 0:
                    around += cells[(y + dy) % rows, (x + dx) % columns]
        if around == 3 or (around == 2 and cells[y, x] == 1):
            new[y, x] = 1
        else:
            new[y, x] = 0


# kernel = "life_negative_index"
# args = "new: int32[rows, columns], cells: int32[rows, columns] < 2"
# grid = "(columns + 7) // 8, (rows + 3) // 4"
# block = "8, 4"
# sizes = "rows=3,8,9 columns=3,8,17"
# reference = '''
# def new(cells):
#     shifts = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
#     around = np.sum(np.array([np.roll(cells, shift, (0, 1)) for shift in shifts]), axis=0)
#     return (around == 3) | ((around == 2) & (cells == 1))
# '''
@cuda.jit
def life_negative_index(new, cells):
    """Index -1 is the last element in Numba, on a card too; only the other edge needs a remainder."""
    x, y = cuda.grid(2)
    rows = cells.shape[0]
    columns = cells.shape[1]
    if y < rows and x < columns:
        below = (y + 1) % rows
        right = (x + 1) % columns
        around = cells[y - 1, x - 1] + cells[y - 1, x] + cells[y - 1, right]
        around += cells[y, x - 1] + cells[y, right]
        around += cells[below, x - 1] + cells[below, x] + cells[below, right]
        new[y, x] = 1 if around == 3 or (around == 2 and cells[y, x] == 1) else 0


# kernel = "life_in_place"
# args = "cells: int32[rows, columns] < 2"
# grid = "(columns + 7) // 8, (rows + 3) // 4"
# block = "8, 4"
# sizes = "rows=3,8,9 columns=3,8,17"
# reference = '''
# def cells(cells):
#     shifts = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
#     around = np.sum(np.array([np.roll(cells, shift, (0, 1)) for shift in shifts]), axis=0)
#     return (around == 3) | ((around == 2) & (cells == 1))
# '''
@cuda.jit
def life_in_place(cells):
    """A cell changes while its neighbors still count it; the barrier waits for the threads of a block only."""
    x, y = cuda.grid(2)
    rows = cells.shape[0]
    columns = cells.shape[1]
    around = 0
    if y < rows and x < columns:
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dy != 0 or dx != 0:
                    around += cells[(y + dy) % rows, (x + dx) % columns]  # fault: block-race
    cuda.syncthreads()
    if y < rows and x < columns:
        if around == 3:
            cells[y, x] = 1  # fault: block-race
        elif around != 2:
            cells[y, x] = 0  # fault: block-race


# kernel = "red_cells"
# args = "u: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=3,8,13 columns=3,16,21"
# reference = '''
# def u(u):
#     found = u.copy()
#     for y in range(1, u.shape[0] - 1):
#         for x in range(1, u.shape[1] - 1):
#             if (x + y) % 2 == 0:
#                 found[y, x] = (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]) / 4
#     return found
# '''
@cuda.jit
def red_cells(u):
    """In place, but each red cell reads black ones only."""
    x, y = cuda.grid(2)
    if 0 < y < u.shape[0] - 1 and 0 < x < u.shape[1] - 1 and (x + y) % 2 == 0:
        u[y, x] = (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]) / 4


# kernel = "red_columns"
# args = "u: float32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=3,8,13 columns=3,16,21"
# reference = '''
# def u(u):
#     found = u.copy()
#     for y in range(1, u.shape[0] - 1):
#         for x in range(1, u.shape[1] - 1):
#             if x % 2 == 0:
#                 found[y, x] = (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]) / 4
#     return found
# '''
@cuda.jit
def red_columns(u):
    """The color depends on the column alone, so cells above and below have the same one."""
    x, y = cuda.grid(2)
    if 0 < y < u.shape[0] - 1 and 0 < x < u.shape[1] - 1 and x % 2 == 0:
        around = u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1]  # fault: race # fault: block-race
        u[y, x] = around / 4  # fault: race # fault: block-race


# kernel = "median_of_nine"
# args = "out: int32[rows, columns], image: int32[rows, columns]"
# grid = "(columns + 7) // 8, (rows + 7) // 8"
# block = "8, 8"
# sizes = "rows=1,8,13 columns=5,16"
# reference = '''
# def out(image):
#     rows, columns = image.shape
#     found = np.zeros((rows, columns), np.int64)
#     for y in range(rows):
#         for x in range(columns):
#             ys = [min(max(y + d, 0), rows - 1) for d in (-1, 0, 1)]
#             xs = [min(max(x + d, 0), columns - 1) for d in (-1, 0, 1)]
#             found[y, x] = np.sort(np.array([image[j, i] for j in ys for i in xs]))[4]
#     return found
# '''
@cuda.jit
def median_of_nine(out, image):
    """Each thread sorts its nine neighbors in local memory."""
    window = cuda.local.array(9, int32)
    x, y = cuda.grid(2)
    rows, columns = image.shape
    if y >= rows or x >= columns:
        return
    count = 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            value = image[min(max(y + dy, 0), rows - 1), min(max(x + dx, 0), columns - 1)]
            place = count
            while place > 0 and window[place - 1] > value:
                window[place] = window[place - 1]
                place -= 1
            window[place] = value
            count += 1
    out[y, x] = window[4]
