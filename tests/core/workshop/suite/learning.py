"""Machine learning: rows of probabilities, normalization, clusters, gradients of tables."""

import math

from numba import cuda, float32

THREADS = 32
CLUSTERS = 5
FULL = 0xFFFFFFFF
LOWEST = -1.0e30


# kernel = "softmax_of_rows"
# args = "out: float32[rows, columns], a: float32[rows, columns]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3 columns=1,32,75"
# reference = '''
# def out(a):
#     e = np.exp(a - np.max(a, axis=1, keepdims=True))
#     return e / np.sum(e, axis=1, keepdims=True)
# '''
@cuda.jit
def softmax_of_rows(out, a):
    """The same shared memory serves the largest element and then the sum, with a barrier between them."""
    s = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    columns = a.shape[1]
    largest = float32(LOWEST)
    for j in range(t, columns, THREADS):
        largest = max(largest, a[row, j])
    s[t] = largest
    cuda.syncthreads()
    for other in range(THREADS):
        largest = max(largest, s[other])
    cuda.syncthreads()
    total = float32(0)
    for j in range(t, columns, THREADS):
        total += math.exp(a[row, j] - largest)
    s[t] = total
    cuda.syncthreads()
    total = float32(0)
    for other in range(THREADS):
        total += s[other]
    for j in range(t, columns, THREADS):
        out[row, j] = math.exp(a[row, j] - largest) / total


# kernel = "softmax_reuses_memory"
# args = "out: float32[rows, columns], a: float32[rows, columns]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3 columns=1,32,75"
# reference = '''
# def out(a):
#     e = np.exp(a - np.max(a, axis=1, keepdims=True))
#     return e / np.sum(e, axis=1, keepdims=True)
# '''
@cuda.jit
def softmax_reuses_memory(out, a):
    """A fast thread stores its sum where slower ones still look for the largest element."""
    s = cuda.shared.array(THREADS, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    columns = a.shape[1]
    largest = float32(LOWEST)
    for j in range(t, columns, THREADS):
        largest = max(largest, a[row, j])
    s[t] = largest
    cuda.syncthreads()
    for other in range(THREADS):
        largest = max(largest, s[other])  # fault: race
    total = float32(0)
    for j in range(t, columns, THREADS):
        total += math.exp(a[row, j] - largest)
    s[t] = total  # fault: race
    cuda.syncthreads()
    total = float32(0)
    for other in range(THREADS):
        total += s[other]
    for j in range(t, columns, THREADS):
        out[row, j] = math.exp(a[row, j] - largest) / total


# kernel = "layer_norm"
# args = "out: float32[rows, 32], a: float32[rows, 32], scale: float32[32], shift: float32[32]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3"
# reference = '''
# def out(a, scale, shift):
#     mean = np.mean(a, axis=1, keepdims=True)
#     variance = np.mean((a - mean) ** 2, axis=1, keepdims=True)
#     return (a - mean) / np.sqrt(variance + 1e-5) * scale + shift
# '''
@cuda.jit
def layer_norm(out, a, scale, shift):
    """A warp for each row; shuffles give every lane the sums."""
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    mean = a[row, lane]
    offset = 16
    while offset > 0:
        mean += cuda.shfl_xor_sync(FULL, mean, offset)
        offset //= 2
    mean /= 32
    difference = a[row, lane] - mean
    variance = difference * difference
    offset = 16
    while offset > 0:
        variance += cuda.shfl_xor_sync(FULL, variance, offset)
        offset //= 2
    out[row, lane] = difference / math.sqrt(variance / 32 + 1e-5) * scale[lane] + shift[lane]


# kernel = "layer_norm_sum_in_lane_0"
# args = "out: float32[rows, 32], a: float32[rows, 32]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3"
# expect = "out = a - np.mean(a, axis=1, keepdims=True)"
@cuda.jit
def layer_norm_sum_in_lane_0(out, a):
    """Shuffles downwards leave the whole sum in lane 0 alone."""
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    mean = a[row, lane]
    offset = 16
    while offset > 0:
        mean += cuda.shfl_down_sync(FULL, mean, offset)
        offset //= 2
    out[row, lane] = a[row, lane] - mean / 32  # fault: wrong-result


# kernel = "mean_from_lane_0"
# args = "out: float32[rows, 32], a: float32[rows, 32]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3"
# expect = "out = a - np.mean(a, axis=1, keepdims=True)"
@cuda.jit
def mean_from_lane_0(out, a):
    """Lane 0 has the sum, and a shuffle gives it to all."""
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    mean = a[row, lane]
    offset = 16
    while offset > 0:
        mean += cuda.shfl_down_sync(FULL, mean, offset)
        offset //= 2
    mean = cuda.shfl_sync(FULL, mean, 0) / 32
    out[row, lane] = a[row, lane] - mean


# kernel = "mean_from_lane_0_in_a_branch"
# args = "out: float32[rows, 32], a: float32[rows, 32]"
# grid = "rows"
# block = "32"
# sizes = "rows=1,3"
# expect = "out = a - np.mean(a, axis=1, keepdims=True)"
@cuda.jit
def mean_from_lane_0_in_a_branch(out, a):
    """The lanes that want the sum do not meet lane 0, which has it."""
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    mean = a[row, lane]
    offset = 16
    while offset > 0:
        mean += cuda.shfl_down_sync(FULL, mean, offset)
        offset //= 2
    if lane > 0:
        mean = cuda.shfl_sync(FULL, mean, 0)  # fault: barrier
    out[row, lane] = a[row, lane] - mean / 32


# kernel = "normalize_columns"
# args = "out: float32[rows, columns], a: float32[rows, columns]"
# grid = "columns"
# block = "16"
# sizes = "rows=1,16,40 columns=1,3"
# expect = "out = a - np.mean(a, axis=0)"
@cuda.jit
def normalize_columns(out, a):
    """Threads without an element add nothing, but wait with the others."""
    s = cuda.shared.array(16, float32)
    column = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = 0
    for row in range(t, a.shape[0], 16):
        s[t] += a[row, column]
    half = 8
    while half > 0:
        cuda.syncthreads()
        if t < half:
            s[t] += s[t + half]
        half //= 2
    cuda.syncthreads()
    mean = s[0] / a.shape[0]
    for row in range(t, a.shape[0], 16):
        out[row, column] = a[row, column] - mean


# kernel = "normalize_columns_early_return"
# args = "out: float32[rows, columns], a: float32[rows, columns]"
# grid = "columns"
# block = "16"
# sizes = "rows=9,16,40 columns=1,3"
# expect = "out = a - np.mean(a, axis=0)"
@cuda.jit
def normalize_columns_early_return(out, a):
    """Threads without an element return before the barriers: CUDA's guide forbids it, though new cards let it pass."""
    s = cuda.shared.array(16, float32)
    column = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = 0
    if t >= a.shape[0]:
        return
    for row in range(t, a.shape[0], 16):
        s[t] += a[row, column]
    half = 8
    while half > 0:
        cuda.syncthreads()  # fault: barrier
        if t < half:
            s[t] += s[t + half]
        half //= 2
    cuda.syncthreads()
    mean = s[0] / a.shape[0]
    for row in range(t, a.shape[0], 16):
        out[row, column] = a[row, column] - mean


# kernel = "normalize_columns_last_barrier"
# args = "out: float32[rows, columns], a: float32[rows, columns]"
# grid = "columns"
# block = "16"
# sizes = "rows=1,16,40 columns=1,3"
# expect = "out = a - np.mean(a, axis=0)"
@cuda.jit
def normalize_columns_last_barrier(out, a):
    """No barrier between the last step of the sum and its use by all."""
    s = cuda.shared.array(16, float32)
    column = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = 0
    for row in range(t, a.shape[0], 16):
        s[t] += a[row, column]
    half = 8
    while half > 0:
        cuda.syncthreads()
        if t < half:
            s[t] += s[t + half]  # fault: race
        half //= 2
    mean = s[0] / a.shape[0]  # fault: race
    for row in range(t, a.shape[0], 16):
        out[row, column] = a[row, column] - mean


# kernel = "nearest_clusters"
# args = "labels: int32[n], points: float32[n, 2], centers: float32[5, 2]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,50"
# expect = "labels = np.argmin(np.sum((points[:, None] - centers[None]) ** 2, axis=2), axis=1)"
@cuda.jit
def nearest_clusters(labels, points, centers):
    """The step of k-means that finds the nearest center, with the centers in shared memory."""
    own = cuda.shared.array((CLUSTERS, 2), float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t < CLUSTERS * 2:
        own[t // 2, t % 2] = centers[t // 2, t % 2]
    cuda.syncthreads()
    if i < points.shape[0]:
        nearest = 0
        smallest = float32(1e30)
        for k in range(CLUSTERS):
            dx = points[i, 0] - own[k, 0]
            dy = points[i, 1] - own[k, 1]
            distance = dx * dx + dy * dy
            if distance < smallest:
                smallest = distance
                nearest = k
        labels[i] = nearest


# kernel = "nearest_clusters_half_loaded"
# args = "labels: int32[n], points: float32[n, 2], centers: float32[5, 2]"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=32,50"
# expect = "labels = np.argmin(np.sum((points[:, None] - centers[None]) ** 2, axis=2), axis=1)"
@cuda.jit
def nearest_clusters_half_loaded(labels, points, centers):
    """As many threads load as there are centers, but each loads one coordinate."""
    own = cuda.shared.array((CLUSTERS, 2), float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t < CLUSTERS:
        own[t // 2, t % 2] = centers[t // 2, t % 2]
    cuda.syncthreads()
    if i < points.shape[0]:
        nearest = 0
        smallest = float32(1e30)
        for k in range(CLUSTERS):
            dx = points[i, 0] - own[k, 0]  # fault: uninitialized
            dy = points[i, 1] - own[k, 1]  # fault: uninitialized
            distance = dx * dx + dy * dy
            if distance < smallest:
                smallest = distance
                nearest = k
        labels[i] = nearest


# kernel = "sums_of_clusters"
# args = "sums: float32[5, 2] = 0, counts: int32[5] = 0, points: float32[n, 2], labels: int32[n] < 5"
# grid = "(n + 31) // 32"
# block = "32, 2"
# sizes = "n=1,32,50"
# reference = '''
# def sums(points, labels):
#     found = np.zeros((5, 2))
#     np.add.at(found, labels, points)
#     return found
#
# def counts(labels):
#     return np.bincount(labels, minlength=5)
# '''
@cuda.jit
def sums_of_clusters(sums, counts, points, labels):
    """The other step of k-means: a thread for each coordinate."""
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    axis = cuda.threadIdx.y
    if i < points.shape[0]:
        cuda.atomic.add(sums, (labels[i], axis), points[i, axis])
        if axis == 0:
            cuda.atomic.add(counts, labels[i], 1)


# kernel = "sums_of_clusters_counts_plain"
# args = "sums: float32[5, 2] = 0, counts: int32[5] = 0, points: float32[n, 2], labels: int32[n] < 5"
# grid = "(n + 31) // 32"
# block = "32, 2"
# sizes = "n=32,50"
# expect = "counts = np.bincount(labels, minlength=5)"
@cuda.jit
def sums_of_clusters_counts_plain(sums, counts, points, labels):
    """The sums are atomic, the counts are not."""
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    axis = cuda.threadIdx.y
    if i < points.shape[0]:
        cuda.atomic.add(sums, (labels[i], axis), points[i, axis])
        if axis == 0:
            counts[labels[i]] += 1  # fault: race # fault: block-race


# kernel = "gradient_of_a_table"
# args = "table: float32[7, 4] = 0, gradients: float32[n, 4], words: int32[n] < 7"
# grid = "n"
# block = "4"
# sizes = "n=1,20"
# reference = '''
# def table(gradients, words):
#     found = np.zeros((7, 4))
#     np.add.at(found, words, gradients)
#     return found
# '''
@cuda.jit
def gradient_of_a_table(table, gradients, words):
    """A block for each word, a thread for each column: only blocks meet."""
    word = words[cuda.blockIdx.x]
    cuda.atomic.add(table, (word, cuda.threadIdx.x), gradients[cuda.blockIdx.x, cuda.threadIdx.x])


# kernel = "gradient_of_a_table_plain"
# args = "table: float32[7, 4] = 0, gradients: float32[n, 4], words: int32[n] < 7"
# grid = "n"
# block = "4"
# sizes = "n=20"
# reference = '''
# def table(gradients, words):
#     found = np.zeros((7, 4))
#     np.add.at(found, words, gradients)
#     return found
# '''
@cuda.jit
def gradient_of_a_table_plain(table, gradients, words):
    """The same word in two blocks: one of them is lost."""
    word = words[cuda.blockIdx.x]
    table[word, cuda.threadIdx.x] += gradients[cuda.blockIdx.x, cuda.threadIdx.x]  # fault: block-race


# kernel = "dropout_by_a_hash"
# args = "out: float32[n], a: float32[n], seed: uint32 = 7"
# grid = "(n + 31) // 32"
# block = "32"
# sizes = "n=1,32,50"
# reference = '''
# def out(a, seed):
#     found = np.zeros(a.size)
#     for i in range(a.size):
#         x = (i * 2654435761 + seed) % 4294967296
#         x = (x ^ (x >> 16)) * 73244475 % 4294967296
#         x = x ^ (x >> 16)
#         found[i] = a[i] * 2 if x % 2 == 1 else 0
#     return found
# '''
@cuda.jit
def dropout_by_a_hash(out, a, seed):
    """A random bit from the index; the products stay within 32 bits by masks."""
    i = cuda.grid(1)
    if i < a.shape[0]:
        x = (i * 2654435761 + seed) & 0xFFFFFFFF
        x = ((x ^ (x >> 16)) * 73244475) & 0xFFFFFFFF
        x = x ^ (x >> 16)
        out[i] = a[i] * 2 if x & 1 else 0.0


# kernel = "attention_of_a_row"
# args = "out: float32[n, 4], q: float32[n, 4], k: float32[m, 4], v: float32[m, 4]"
# grid = "n"
# block = "32"
# sizes = "n=1,5 m=1,32,70"
# reference = '''
# def out(q, k, v):
#     scores = np.exp(q @ k.T / 2)
#     return scores @ v / np.sum(scores, axis=1, keepdims=True)
# '''
@cuda.jit
def attention_of_a_row(out, q, k, v):
    """Each thread takes some keys, in registers; five sums meet in shared memory."""
    sums = cuda.shared.array(5, float32)
    own = cuda.local.array(5, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    if t < 5:
        sums[t] = 0
    for c in range(5):
        own[c] = 0
    for j in range(t, k.shape[0], 32):
        score = float32(0)
        for c in range(4):
            score += q[row, c] * k[j, c]
        weight = math.exp(score / 2)
        for c in range(4):
            own[c] += weight * v[j, c]
        own[4] += weight
    cuda.syncthreads()
    for c in range(5):
        cuda.atomic.add(sums, c, own[c])
    cuda.syncthreads()
    if t < 4:
        out[row, t] = sums[t] / sums[4]


# kernel = "attention_sums_not_zeroed"
# args = "out: float32[n, 4], q: float32[n, 4], k: float32[m, 4], v: float32[m, 4]"
# grid = "n"
# block = "32"
# sizes = "n=1,5 m=1,32,70"
# reference = '''
# def out(q, k, v):
#     scores = np.exp(q @ k.T / 2)
#     return scores @ v / np.sum(scores, axis=1, keepdims=True)
# '''
@cuda.jit
def attention_sums_not_zeroed(out, q, k, v):
    """The thread's own sums begin with what the local memory happens to hold."""
    sums = cuda.shared.array(5, float32)
    own = cuda.local.array(5, float32)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    if t < 5:
        sums[t] = 0
    for j in range(t, k.shape[0], 32):
        score = float32(0)
        for c in range(4):
            score += q[row, c] * k[j, c]
        weight = math.exp(score / 2)
        for c in range(4):
            own[c] += weight * v[j, c]  # fault: uninitialized
        own[4] += weight  # fault: uninitialized
    cuda.syncthreads()
    for c in range(5):
        cuda.atomic.add(sums, c, own[c])
    cuda.syncthreads()
    if t < 4:
        out[row, t] = sums[t] / sums[4]
