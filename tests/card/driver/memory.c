/* Memory of the cards, pinned memory, copies.
 *
 * Every allocation gets addresses of its own, which are never given out again: whoever uses freed memory is found.
 * New memory is filled with 0xFF, which is NaN, so that elements that were never written are noticed.
 */
#include "card.h"

#include <sys/mman.h>

#define FIRST_ADDRESS 0x100000000000ull
#define PAGE ((size_t)4096)

typedef struct Allocation {
    struct Allocation *next;
    CUcontext context;
    uint64_t begin;
    size_t bytes;
    int pinned; /* memory of the host */
} Allocation;

static Allocation *allocations;

static size_t pages(size_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

int find_allocation(CUcontext context, uint64_t address, size_t bytes, uint64_t *begin, uint64_t *end) {
    for (Allocation *one = allocations; one; one = one->next) {
        uint64_t last = one->begin + one->bytes;
        if (one->context != context || address < one->begin || address + bytes > last) continue;
        *begin = one->begin;
        *end = last;
        return 1;
    }
    return 0;
}

static int is_on_a_card(uint64_t address, size_t bytes) {
    for (Allocation *one = allocations; one; one = one->next)
        if (!one->pinned && one->begin <= address && address + bytes <= one->begin + one->bytes) return 1;
    return 0;
}

static CUresult allocate(uint64_t *address, size_t bytes, int pinned) {
    static uint64_t next = FIRST_ADDRESS;
    REQUIRE(address && bytes);
    TRY(refuse_in_capture(0));
    CUcontext context = current_context();
    if (!pinned && context->card->used + pages(bytes) > memory_of_a_card()) return CUDA_ERROR_OUT_OF_MEMORY;
    void *memory = mmap((void *)next, pages(bytes), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
    next += pages(bytes) + PAGE;
    memset(memory, 0xFF, bytes);
    Allocation *one = calloc(1, sizeof *one);
    *one = (Allocation){allocations, context, (uint64_t)memory, bytes, pinned};
    allocations = one;
    if (!pinned) context->card->used += pages(bytes);
    *address = one->begin;
    return CUDA_SUCCESS;
}

static void release(Allocation **place) {
    Allocation *one = *place;
    *place = one->next;
    munmap((void *)one->begin, pages(one->bytes));
    if (!one->pinned) one->context->card->used -= pages(one->bytes);
    free(one);
}

static CUresult free_allocation(uint64_t address, int pinned) {
    TRY(refuse_in_capture(0));
    for (Allocation **place = &allocations; *place; place = &(*place)->next) {
        if ((*place)->begin != address || (*place)->pinned != pinned) continue;
        /* Freeing waits for the work that may use the memory, as NVIDIA's driver does. */
        CUcontext context = (*place)->context;
        CUresult result = wait_for_context(context);
        place = &allocations;
        while (*place && (*place)->begin != address) place = &(*place)->next;
        if (*place) release(place);
        return result;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

void free_memory_of(CUcontext context) {
    Allocation **place = &allocations;
    while (*place) {
        if ((*place)->context == context)
            release(place);
        else
            place = &(*place)->next;
    }
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t bytes) {
    CALL(cuMemAlloc, IN_CONTEXT);
    uint64_t found;
    TRY(allocate(&found, bytes, 0));
    *address = found;
    return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr address) {
    CALL(cuMemFree, IN_CONTEXT);
    return address ? free_allocation(address, 0) : CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    CALL(cuMemHostAlloc, IN_CONTEXT);
    (void)flags;
    uint64_t found;
    TRY(allocate(&found, bytes, 1));
    *memory = (void *)found;
    return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *memory) {
    CALL(cuMemFreeHost, IN_CONTEXT);
    return free_allocation((uint64_t)memory, 1);
}

CUresult cuMemGetInfo(size_t *unused, size_t *total) {
    CALL(cuMemGetInfo, IN_CONTEXT);
    *total = memory_of_a_card();
    *unused = *total - current_context()->card->used;
    return CUDA_SUCCESS;
}

/* One attribute of an address; of one that belongs to no allocation the value that NVIDIA's manual calls NULL. */
static CUresult pointer_attribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
    const Allocation *one = allocations;
    while (one && (address < one->begin || address >= one->begin + one->bytes)) one = one->next;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)value = one ? one->context : NULL; break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = one ? one->pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE : 0;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: *(CUdeviceptr *)value = one ? address : 0; break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: *(void **)value = one && one->pinned ? (void *)address : NULL; break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)value = 0; break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)value = one ? (int)(one->context->card - cards) : -2; break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
    }
    return one ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr address) {
    CALL(cuPointerGetAttribute, IN_CONTEXT);
    REQUIRE(value);
    return pointer_attribute(value, attribute, address);
}

/* Several at once; an address that belongs to no allocation is no error here. */
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr address) {
    CALL(cuPointerGetAttributes, IN_CONTEXT);
    REQUIRE(count && attributes && values);
    for (unsigned k = 0; k < count; k++)
        if (pointer_attribute(values[k], attributes[k], address) == CUDA_ERROR_NOT_SUPPORTED)
            return CUDA_ERROR_NOT_SUPPORTED;
    return CUDA_SUCCESS;
}

CUresult run_copy(const Work *work) {
    if (work->to_card && !is_on_a_card((uint64_t)work->to, work->bytes)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (work->from_card && !is_on_a_card((uint64_t)work->from, work->bytes)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (work->kind == COPY)
        memmove(work->to, work->from, work->bytes);
    else
        memset(work->to, work->value, work->bytes);
    return CUDA_SUCCESS;
}

/* Queue a copy. Copies to and from the host read and write its memory when their turn comes, also where the memory is
 * not pinned: NVIDIA's driver may do so at any time up to then. */
static CUresult copy(CUstream stream, uint64_t to, int to_card, uint64_t from, int from_card, size_t bytes, int wait) {
    if (!bytes) return CUDA_SUCCESS;
    REQUIRE(to && from);
    REQUIRE(!to_card || is_on_a_card(to, bytes));
    REQUIRE(!from_card || is_on_a_card(from, bytes));
    TRY(find_stream(&stream));
    if (wait) TRY(refuse_in_capture(0));
    Work work = {.kind = COPY, .to = (char *)to, .from = (const char *)from, .bytes = bytes, .to_card = to_card,
                 .from_card = from_card};
    TRY(enqueue(stream, work));
    return wait ? wait_for_stream(stream) : CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
    CALL(cuMemcpyHtoD, IN_CONTEXT);
    return copy(NULL, to, 1, (uint64_t)from, 0, bytes, 1);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    CALL(cuMemcpyDtoH, IN_CONTEXT);
    return copy(NULL, (uint64_t)to, 0, from, 1, bytes, 1);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    CALL(cuMemcpyDtoD, IN_CONTEXT);
    return copy(NULL, to, 1, from, 1, bytes, 0);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    CALL(cuMemcpyHtoDAsync, IN_CONTEXT);
    return copy(stream, to, 1, (uint64_t)from, 0, bytes, 0);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CALL(cuMemcpyDtoHAsync, IN_CONTEXT);
    return copy(stream, (uint64_t)to, 0, from, 1, bytes, 0);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CALL(cuMemcpyDtoDAsync, IN_CONTEXT);
    return copy(stream, to, 1, from, 1, bytes, 0);
}

static CUresult set(CUstream stream, CUdeviceptr to, unsigned char value, size_t bytes) {
    if (!bytes) return CUDA_SUCCESS;
    REQUIRE(is_on_a_card(to, bytes));
    TRY(find_stream(&stream));
    return enqueue(stream, (Work){.kind = SET, .to = (char *)to, .value = value, .bytes = bytes, .to_card = 1});
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes) {
    CALL(cuMemsetD8, IN_CONTEXT);
    return set(NULL, to, value, bytes);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
    CALL(cuMemsetD8Async, IN_CONTEXT);
    return set(stream, to, value, bytes);
}
