"""Differences, means and convolutions along a line: each element from its neighbors."""

from numba import cuda, float32

THREADS = 32
WITH_HALO = THREADS + 2
RADIUS = 2


# kernel = "heat_in_a_rod"
# args = "out: float32[n], a: float32[n], rate: float32 = 0.25"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,32,33,100"
# reference = '''
# def out(a, rate):
#     found = a.copy()
#     found[1:-1] = a[1:-1] + rate * (a[:-2] - 2 * a[1:-1] + a[2:])
#     return found
# '''
@cuda.jit
def heat_in_a_rod(out, a, rate):
    """The ends keep their heat."""
    i = cuda.grid(1)
    n = a.shape[0]
    if 0 < i < n - 1:
        out[i] = a[i] + rate * (a[i - 1] - 2 * a[i] + a[i + 1])
    elif i < n:
        out[i] = a[i]


# kernel = "heat_in_place"
# args = "a: float32[n], rate: float32 = 0.25"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,32,33,100"
# reference = '''
# def a(a, rate):
#     found = a.copy()
#     found[1:-1] = a[1:-1] + rate * (a[:-2] - 2 * a[1:-1] + a[2:])
#     return found
# '''
@cuda.jit
def heat_in_place(a, rate):
    """A thread changes an element that its neighbors still read."""
    i = cuda.grid(1)
    if 0 < i < a.shape[0] - 1:
        a[i] = a[i] + rate * (a[i - 1] - 2 * a[i] + a[i + 1])  # fault: race # fault: block-race


# kernel = "heat_by_tiles"
# args = "out: float32[n], a: float32[n], rate: float32 = 0.25"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,32,33,100"
# reference = '''
# def out(a, rate):
#     found = a.copy()
#     found[1:-1] = a[1:-1] + rate * (a[:-2] - 2 * a[1:-1] + a[2:])
#     return found
# '''
@cuda.jit
def heat_by_tiles(out, a, rate):
    """Each block loads its elements and one more on both sides."""
    tile = cuda.shared.array(WITH_HALO, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x + 1
    n = a.shape[0]
    if i < n:
        tile[t] = a[i]
        if t == 1 and i > 0:
            tile[0] = a[i - 1]
        if t == THREADS and i + 1 < n:
            tile[t + 1] = a[i + 1]
    cuda.syncthreads()
    if 0 < i < n - 1:
        out[i] = tile[t] + rate * (tile[t - 1] - 2 * tile[t] + tile[t + 1])
    elif i < n:
        out[i] = tile[t]


# kernel = "heat_halo_not_loaded"
# args = "out: float32[n], a: float32[n], rate: float32 = 0.25"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,32,33,100"
# reference = '''
# def out(a, rate):
#     found = a.copy()
#     found[1:-1] = a[1:-1] + rate * (a[:-2] - 2 * a[1:-1] + a[2:])
#     return found
# '''
@cuda.jit
def heat_halo_not_loaded(out, a, rate):
    """The element on the right of each tile is not loaded."""
    tile = cuda.shared.array(WITH_HALO, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x + 1
    n = a.shape[0]
    if i < n:
        tile[t] = a[i]
        if t == 1 and i > 0:
            tile[0] = a[i - 1]
    cuda.syncthreads()
    if 0 < i < n - 1:
        out[i] = tile[t] + rate * (tile[t - 1] - 2 * tile[t] + tile[t + 1])  # fault: uninitialized
    elif i < n:
        out[i] = tile[t]


# kernel = "heat_tiles_without_barrier"
# args = "out: float32[n], a: float32[n], rate: float32 = 0.25"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,32,33,100"
# reference = '''
# def out(a, rate):
#     found = a.copy()
#     found[1:-1] = a[1:-1] + rate * (a[:-2] - 2 * a[1:-1] + a[2:])
#     return found
# '''
@cuda.jit
def heat_tiles_without_barrier(out, a, rate):
    """A block of one warp is no reason to leave the barrier out."""
    tile = cuda.shared.array(WITH_HALO, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x + 1
    n = a.shape[0]
    if i < n:
        tile[t] = a[i]  # fault: race
        if t == 1 and i > 0:
            tile[0] = a[i - 1]
        if t == THREADS and i + 1 < n:
            tile[t + 1] = a[i + 1]
    if 0 < i < n - 1:
        out[i] = tile[t] + rate * (tile[t - 1] - 2 * tile[t] + tile[t + 1])  # fault: race
    elif i < n:
        out[i] = tile[t]


# kernel = "wave_over_the_old_field"
# args = "old: float32[n], now: float32[n], speed: float32 = 0.5"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,32,33,100"
# reference = '''
# def old(old, now, speed):
#     found = old.copy()
#     found[1:-1] = 2 * now[1:-1] - old[1:-1] + speed * (now[:-2] - 2 * now[1:-1] + now[2:])
#     return found
# '''
@cuda.jit
def wave_over_the_old_field(old, now, speed):
    """The new field takes the place of the older one, which no other thread needs."""
    i = cuda.grid(1)
    if i > 0 and i + 1 < now.shape[0]:
        curve = now[i - 1] - 2 * now[i] + now[i + 1]
        old[i] = 2 * now[i] - old[i] + speed * curve


# kernel = "wave_over_the_new_field"
# args = "old: float32[n], now: float32[n], speed: float32 = 0.5"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=3,32,33,100"
# reference = '''
# def now(old, now, speed):
#     found = now.copy()
#     found[1:-1] = 2 * now[1:-1] - old[1:-1] + speed * (now[:-2] - 2 * now[1:-1] + now[2:])
#     return found
# '''
@cuda.jit
def wave_over_the_new_field(old, now, speed):
    """The two fields are mistaken: the one that the neighbors read is overwritten."""
    i = cuda.grid(1)
    if i > 0 and i + 1 < now.shape[0]:
        curve = now[i - 1] - 2 * now[i] + now[i + 1]  # fault: race # fault: block-race
        now[i] = 2 * now[i] - old[i] + speed * curve  # fault: race # fault: block-race


# kernel = "moving_mean"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,4,32,33,100"
# reference = '''
# def out(a):
#     last = a.size - 1
#     return [np.mean([a[min(max(i + k, 0), last)] for k in range(-2, 3)]) for i in range(a.size)]
# '''
@cuda.jit
def moving_mean(out, a):
    """Behind the ends the last element is taken again."""
    i = cuda.grid(1)
    if i >= a.shape[0]:
        return
    total = 0.0
    for k in range(-RADIUS, RADIUS + 1):
        total += a[min(max(i + k, 0), a.shape[0] - 1)]
    out[i] = total / (2 * RADIUS + 1)


# kernel = "moving_mean_one_too_few"
# args = "out: float32[n], a: float32[n]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=4,32,33,100"
# reference = '''
# def out(a):
#     last = a.size - 1
#     return [np.mean([a[min(max(i + k, 0), last)] for k in range(-2, 3)]) for i in range(a.size)]
# '''
@cuda.jit
def moving_mean_one_too_few(out, a):
    """The end of a range is not part of it."""
    i = cuda.grid(1)
    if i >= a.shape[0]:
        return
    total = 0.0
    for k in range(-RADIUS, RADIUS):
        total += a[min(max(i + k, 0), a.shape[0] - 1)]
    out[i] = total / (2 * RADIUS + 1)  # fault: wrong-result


# kernel = "convolve_line"
# args = "out: float32[n], a: float32[n], weights: float32[5]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,5,32,33,100"
# reference = '''
# def out(a, weights):
#     padded = np.concatenate([np.zeros(2), a, np.zeros(2)])
#     return [np.dot(padded[i : i + 5], weights) for i in range(a.size)]
# '''
@cuda.jit
def convolve_line(out, a, weights):
    """Zeros stand behind the ends."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        total = float32(0)
        for k in range(weights.shape[0]):
            place = i + k - RADIUS
            if 0 <= place < a.shape[0]:
                total += a[place] * weights[k]
        out[i] = total


# kernel = "convolve_line_without_padding"
# args = "out: float32[n], a: float32[n], weights: float32[5]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=5,32,33,100"
# reference = '''
# def out(a, weights):
#     padded = np.concatenate([np.zeros(2), a, np.zeros(2)])
#     return [np.dot(padded[i : i + 5], weights) for i in range(a.size)]
# '''
@cuda.jit
def convolve_line_without_padding(out, a, weights):
    """Elements behind the ends are read."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        total = float32(0)
        for k in range(weights.shape[0]):
            total += a[i + k - RADIUS] * weights[k]  # fault: bounds
        out[i] = total
