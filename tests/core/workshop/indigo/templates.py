"""The 21 CUDA templates of the Indigo suite, ported by hand to Numba CUDA, and the 590 variants that they stand for.

After IndigoSuite by Yiqian Liu, Noushin Azami, Corbin Walters, Avery Vanausdal and Martin Burtscher (ISPASS 2022), with
the choice of variants that HiRace (SC 2024) measured. License: BSD 3-Clause, in LICENSE-Indigo beside this file.

A line has the form of Indigo's templates: `default #@tag@ other #@tag2@ other2`. Where a tag of the line is switched
on, its text replaces the default; where that text is empty the line is left out, and if it was the head of a block, the
block's lines move out by one step. Names are those of the original files.
"""

import itertools
import re

HEAD = "from numba import cuda, int32\n\n\n"
RACES = ("atomicBug", "guardBug", "syncBug", "raceBug")

_THREAD = """
@cuda.jit
def test_kernel(nindex, nlist, data1, data2, numv):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x #@persistent@ idx = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i < numv: #@persistent@ for i in range(idx, numv, cuda.gridDim.x * cuda.blockDim.x):
"""
_THREAD_ALL = """
@cuda.jit
def test_kernel(nindex, nlist, data1, data2, numv):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x #@persistent@ idx = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i < numv: #@persistent@ for i in range(idx, numv, cuda.gridDim.x * cuda.blockDim.x): #@boundsBug@
        beg = nindex[i]
        end = nindex[i + 1]
        for j in range(beg, end): #@reverse@ for j in range(end - 1, beg - 1, -1):
            nei = nlist[j]
"""
_WARP = """
@cuda.jit
def test_kernel(nindex, nlist, data1, data2, numv):
    lane = cuda.threadIdx.x % 32
    i = (cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x) // 32 #@persistent@ idx = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i < numv: #@persistent@ for i in range(idx // 32, numv, (cuda.gridDim.x * cuda.blockDim.x) // 32):
        beg = nindex[i]
        end = nindex[i + 1]
"""
_WARP_LOOP = """
        for j in range(beg + lane, end, 32): #@reverse@ for j in range(end - 1 - lane, beg - 1, -32):
            nei = nlist[j]
"""
_BLOCK = """
@cuda.jit
def test_kernel(nindex, nlist, data1, data2, numv):
    i = cuda.blockIdx.x #@persistent@
    if i < numv: #@persistent@ for i in range(cuda.blockIdx.x, numv, cuda.gridDim.x):
        beg = nindex[i]
        end = nindex[i + 1]
"""
_BLOCK_LOOP = """
        for j in range(beg + cuda.threadIdx.x, end, cuda.blockDim.x): #@reverse@ for j in range(end - 1 - cuda.threadIdx.x, beg - 1, -cuda.blockDim.x):
            nei = nlist[j]
"""
_BLOCK_SHARED = """
@cuda.jit
def test_kernel(nindex, nlist, data1, data2, numv):
    s_carry = cuda.shared.array(1024, int32) #@shfl@ s_carry = cuda.shared.array(32, int32)
    tid = cuda.threadIdx.x #@shfl@ lane = cuda.threadIdx.x % 32
    #@shfl@ warp = cuda.threadIdx.x // 32
    s_carry[tid] = 0 #@shfl@
    #@shfl@ if warp == 0:
        #@shfl@ s_carry[lane] = 0
    i = cuda.blockIdx.x #@persistent@
    if i < numv: #@persistent@ for i in range(cuda.blockIdx.x, numv, cuda.gridDim.x):
        cuda.syncthreads()
        beg = nindex[i]
        end = nindex[i + 1]
        val = 0
        for j in range(beg + cuda.threadIdx.x, end, cuda.blockDim.x): #@reverse@ for j in range(end - 1 - cuda.threadIdx.x, beg - 1, -cuda.blockDim.x):
            nei = nlist[j]
"""
_XOR = "".join(
    f"\n{{0}}val = max(val, cuda.shfl_xor_sync(0xffffffff, val, {distance}))"
    for distance in (1, 2, 4, 8, 16)
)

TEMPLATES: dict[str, tuple[list[tuple[str, ...]], str]] = {}
"""By name: groups of tags, in the order of the original's file names, of each at most one is on; and the text."""


def template(name: str, groups: str, text: str) -> None:
    TEMPLATES[name] = ([tuple(group.split("|")) for group in groups.split()], text)


template(
    "conditional_edge_neighbor",
    "persistent boundsBug last cond guardBug atomicBug",
    _THREAD
    + """
        beg = nindex[i]
        end = nindex[i + 1]
        if beg < end: #@boundsBug@
            nei = nlist[beg] #@last@ nei = nlist[end - 1]
            #@cond@ if i < nei:
                #@guardBug@ if data1[0] < data2[nei]:
                    cuda.atomic.max(data1, 0, data2[nei]) #@atomicBug@ data1[0] = max(data1[0], data2[nei])
""",
)
template(
    "conditional_edge_neighbors",
    "persistent|boundsBug reverse cond guardBug atomicBug break",
    _THREAD_ALL
    + """
            #@cond@ if i < nei:
                #@guardBug@ if data1[0] < data2[nei]:
                    cuda.atomic.max(data1, 0, data2[nei]) #@atomicBug@ data1[0] = max(data1[0], data2[nei])
                #@break@ break
""",
)
template(
    "conditional_edge_neighbors_block",
    "shfl persistent reverse cond syncBug guardBug atomicBug",
    _BLOCK_SHARED
    + """
            #@cond@ if i < nei:
                val = max(val, data2[nei])"""
    + _XOR.format("        #@shfl@ ")
    + """
        #@shfl@ if lane == 0:
            #@shfl@ s_carry[warp] = val
        s_carry[tid] = val #@shfl@
        cuda.syncthreads() #@syncBug@
        stride = cuda.blockDim.x // 2 #@shfl@
        while stride > 0: #@shfl@
            if tid < stride: #@shfl@
                s_carry[tid] = max(s_carry[tid], s_carry[tid + stride]) #@shfl@
            cuda.syncthreads() #@shfl@
            stride >>= 1 #@shfl@
        #@shfl@ if warp == 0:
            #@shfl@ val = s_carry[lane]"""
    + _XOR.format("            #@shfl@ ")
    + """
            if tid == 0: #@shfl@ if lane == 0:
                #@guardBug@ if data1[0] < val:
                    val = s_carry[0] #@shfl@
                    cuda.atomic.max(data1, 0, val) #@atomicBug@ data1[0] = max(data1[0], val)
""",
)
template(
    "conditional_edge_neighbors_warp",
    "persistent reverse cond guardBug atomicBug",
    _WARP
    + """
        val = 0"""
    + _WARP_LOOP
    + """
            #@cond@ if i < nei:
                val = max(val, data2[nei])"""
    + _XOR.format("        ")
    + """
        if lane == 0:
            #@guardBug@ if data1[0] < val:
                cuda.atomic.max(data1, 0, val) #@atomicBug@ data1[0] = max(data1[0], val)
""",
)
template(
    "conditional_vertex_neighbor",
    "persistent boundsBug last atomicBug",
    _THREAD
    + """
        beg = nindex[i]
        end = nindex[i + 1]
        if beg < end: #@boundsBug@
            nei = nlist[beg] #@last@ nei = nlist[end - 1]
            if i < nei:
                cuda.atomic.add(data1, 0, 1) #@atomicBug@ data1[0] += 1
""",
)
template(
    "conditional_vertex_neighbors",
    "persistent|boundsBug reverse atomicBug break",
    _THREAD_ALL
    + """
            if i < nei:
                cuda.atomic.add(data1, 0, 1) #@atomicBug@ data1[0] += 1
                #@break@ break
""",
)
template(
    "conditional_vertex_neighbors_block",
    "persistent reverse atomicBug",
    _BLOCK
    + """
        sum = 0
        j = beg + cuda.threadIdx.x #@reverse@ j = end - 1 - cuda.threadIdx.x
        while cuda.syncthreads_or(int(j < end)): #@reverse@ while cuda.syncthreads_or(int(j >= beg)):
            nei = nlist[j] if j < end else i #@reverse@ nei = nlist[j] if j >= beg else i
            sum += cuda.syncthreads_count(int(i < nei))
            j += cuda.blockDim.x #@reverse@ j -= cuda.blockDim.x
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(data1, 0, sum) #@atomicBug@ data1[0] += sum
""",
)
template(
    "conditional_vertex_neighbors_warp",
    "persistent reverse atomicBug",
    _WARP
    + """
        sum = 0
        j = beg + lane #@reverse@ j = end - 1 - lane
        while cuda.any_sync(0xffffffff, j < end): #@reverse@ while cuda.any_sync(0xffffffff, j >= beg):
            nei = nlist[j] if j < end else i #@reverse@ nei = nlist[j] if j >= beg else i
            bitpat = cuda.ballot_sync(0xffffffff, i < nei)
            sum += cuda.popc(bitpat)
            j += 32 #@reverse@ j -= 32
        if lane == 0:
            cuda.atomic.add(data1, 0, sum) #@atomicBug@ data1[0] += sum
""",
)
template(
    "path_compression",
    "raceBug|traverse persistent",
    """
#@raceBug@ #@traverse@
@cuda.jit(device=True) #@raceBug@ #@traverse@
def atomic_read(array, index): #@raceBug@ #@traverse@
    return cuda.atomic.or_(array, index, 0) #@raceBug@ #@traverse@
@cuda.jit(device=True) #@raceBug@ #@traverse@
def atomic_write(array, index, value): #@raceBug@ #@traverse@
    cuda.atomic.exch(array, index, value) #@raceBug@ #@traverse@
"""
    + _THREAD
    + """
        v = i
        while v > atomic_read(data1, v): #@raceBug@ while v > data1[v]: #@traverse@ while v > data1[v]:
            v = atomic_read(data1, v) #@raceBug@ v = data1[v] #@traverse@ v = data1[v]
        atomic_write(data1, i, v) #@raceBug@ data1[i] = v #@traverse@ data2[i] = v
""",
)
_APPEND = """
            if i < nei:
                pos = cuda.atomic.add(data2, 0, 1) #@atomicBug@ pos = data2[0]
                #@atomicBug@ data2[0] = pos + 1
                data1[pos] = j
"""
template(
    "populate_worklist_neighbor",
    "persistent boundsBug last atomicBug",
    _THREAD
    + """
        beg = nindex[i]
        end = nindex[i + 1]
        if beg < end: #@boundsBug@
            j = beg #@last@ j = end - 1
            nei = nlist[j]
"""
    + _APPEND,
)
template(
    "populate_worklist_neighbors",
    "persistent|boundsBug reverse atomicBug break",
    _THREAD_ALL + _APPEND + "                #@break@ break\n",
)
template(
    "populate_worklist_neighbors_block",
    "persistent reverse atomicBug",
    _BLOCK + _BLOCK_LOOP + _APPEND,
)
template(
    "populate_worklist_neighbors_warp", "persistent reverse atomicBug", _WARP + _WARP_LOOP + _APPEND
)
template(
    "pull_node_neighbor",
    "persistent boundsBug last cond",
    _THREAD
    + """
        beg = nindex[i]
        end = nindex[i + 1]
        if beg < end: #@boundsBug@
            nei = nlist[beg] #@last@ nei = nlist[end - 1]
            #@cond@ if i < nei:
                data1[i] += data2[nei]
""",
)
template(
    "pull_node_neighbors",
    "persistent|boundsBug reverse cond break",
    _THREAD_ALL
    + """
            #@cond@ if i < nei:
                data1[i] += data2[nei]
                #@break@ break
""",
)
_UP = """
{0}d = 1
{0}while d < 32:
{0}    val += cuda.shfl_up_sync(0xffffffff, val, d)
{0}    d *= 2"""
template(
    "pull_node_neighbors_block",
    "shfl persistent reverse cond syncBug",
    _BLOCK_SHARED
    + """
            #@cond@ if i < nei:
                val += data2[nei]
        #@shfl@ d = 1
        #@shfl@ while d < 32:
            #@shfl@ val += cuda.shfl_up_sync(0xffffffff, val, d)
            #@shfl@ d *= 2
        #@shfl@ if lane == 31:
            #@shfl@ s_carry[warp] = val
        s_carry[tid] = val #@shfl@
        cuda.syncthreads() #@syncBug@
        stride = cuda.blockDim.x // 2 #@shfl@
        while stride > 0: #@shfl@
            if tid < stride: #@shfl@
                s_carry[tid] += s_carry[tid + stride] #@shfl@
            cuda.syncthreads() #@shfl@
            stride >>= 1 #@shfl@
        if tid == 0: #@shfl@
            data1[i] += s_carry[0] #@shfl@
        #@shfl@ if warp == 0:
            #@shfl@ val = s_carry[lane]
            #@shfl@ d = 1
            #@shfl@ while d < 32:
                #@shfl@ val += cuda.shfl_up_sync(0xffffffff, val, d)
                #@shfl@ d *= 2
            #@shfl@ if lane == 31:
                #@shfl@ data1[i] += val
""",
)
template(
    "pull_node_neighbors_warp",
    "persistent reverse cond",
    _WARP
    + """
        val = 0"""
    + _WARP_LOOP
    + """
            #@cond@ if i < nei:
                val += data2[nei]"""
    + _UP.format("        ")
    + """
        if lane == 31:
            data1[i] += val
""",
)
_PUSH = """
            #@cond@ if i < nei:
                cuda.atomic.min(data1, nei, data2[i]) #@atomicBug@ data1[nei] = min(data1[nei], data2[i])
"""
template(
    "push_node_neighbor",
    "persistent boundsBug last cond atomicBug",
    _THREAD
    + """
        beg = nindex[i]
        end = nindex[i + 1]
        if beg < end: #@boundsBug@
            nei = nlist[beg] #@last@ nei = nlist[end - 1]
"""
    + _PUSH,
)
template(
    "push_node_neighbors",
    "persistent|boundsBug reverse cond atomicBug break",
    _THREAD_ALL + _PUSH + "                #@break@ break\n",
)
template(
    "push_node_neighbors_block", "persistent reverse cond atomicBug", _BLOCK + _BLOCK_LOOP + _PUSH
)
template(
    "push_node_neighbors_warp", "persistent reverse cond atomicBug", _WARP + _WARP_LOOP + _PUSH
)


def variants() -> list[tuple[str, str, tuple[str, ...]]]:
    """All variants: name, template, tags that are on."""
    found = []
    for name, (groups, _) in TEMPLATES.items():
        for choice in itertools.product(*(("", *group) for group in groups)):
            tags = tuple(tag for tag in choice if tag)
            if not {"syncBug", "shfl"} <= {*tags}:  # Indigo leaves out this pair
                found.append(("_".join([name, *tags]), name, tags))
    return found


def source(name: str, tags: tuple[str, ...]) -> str:
    """The text of a variant as a Python file."""
    lines: list[str] = []
    shifts: list[int] = []  # the depths of blocks whose head was left out
    for line in TEMPLATES[name][1].splitlines():
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        shifts = [each for each in shifts if each < depth]
        default, *rest = re.split(r"#@(\w+)@", line)
        chosen = default.strip()
        is_head = line.rstrip().endswith(":") or ": #@" in line
        for tag, text in zip(rest[::2], rest[1::2], strict=True):
            if tag in tags:
                chosen = text.strip()
        if chosen:
            if chosen.startswith("@cuda"):
                lines += [""] * (2 * bool(lines))
            lines.append(" " * (depth - 4 * len(shifts)) + chosen)
        elif is_head:
            shifts.append(depth)
    return HEAD + "\n".join(lines) + "\n"


def label(tags: tuple[str, ...]) -> str:
    if any(tag in RACES for tag in tags):
        return "racy"
    return "bounds" if "boundsBug" in tags else "clean"


def mode(name: str) -> str:
    """What works on a vertex."""
    last = name.rpartition("_")[2]
    return last if last in ("block", "warp") else "thread"


def reference(name: str, tags: tuple[str, ...]) -> str:
    """Indigo's serial code, as the text of a reference.py."""
    given = "nindex, nlist, data1, data2, numv"
    if name == "path_compression":
        out = "data2" if "traverse" in tags else "data1"
        return (
            f"def {out}({given}):\n    for i in range(numv):\n        v = i\n        for k in range(numv):\n"
            f"            if v > data1[v]:\n                v = data1[v]\n        {out}[i] = v\n    return {out}\n"
        )
    out = "data2" if name.startswith("populate") else "data1"
    change = {
        "conditional_edge": "data1[0] = max(data1[0], data2[nei])", "conditional_vertex": "data1[0] += 1",
        "populate": "data2[0] += 1", "pull": "data1[i] += data2[nei]", "push": "data1[nei] = min(data1[nei], data2[i])",
    }[next(key for key in ("conditional_edge", "conditional_vertex", "populate", "pull", "push") if name.startswith(key))]  # fmt: skip
    if name.endswith("_neighbor"):
        edges = "range(end - 1, end)" if "last" in tags else "range(beg, beg + 1)"
    else:
        edges = "range(end - 1, beg - 1, -1)" if "reverse" in tags else "range(beg, end)"
    is_conditional = "cond" in tags or name.startswith(("conditional_vertex", "populate"))
    lines = [f"def {out}({given}):", "    for i in range(numv):", "        beg = nindex[i]", "        end = nindex[i + 1]",
             "        if beg < end:", f"            for j in {edges}:", "                nei = nlist[j]",
             f"                if {'i < nei' if is_conditional else 'True'}:", f"                    {change}"]  # fmt: skip
    lines += ["                    break"] * ("break" in tags) + [f"    return {out}"]
    return "\n".join(lines) + "\n"
