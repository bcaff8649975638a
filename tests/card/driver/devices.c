/* Cards, their attributes, and contexts.
 *
 * DIGITLAB_CARD_CAPABILITIES lists the compute capability of each card ("9.0" without it, "" for no card),
 * DIGITLAB_CARD_MEMORY the bytes of each, DIGITLAB_CARD_MULTIPROCESSORS their number on each (132),
 * DIGITLAB_CARD_DRIVER the version of CUDA that the driver supports.
 */
#include "card.h"

enum { DEFAULT_DRIVER = CUDA_VERSION, DEEPEST = 64 };

Card cards[MOST_CARDS];
static int number_of_cards;
static int initialized;

/* The stack of contexts of each thread. */
static __thread CUcontext stack[DEEPEST];
static __thread int depth;

int is_initialized(void) { return initialized; }

CUcontext current_context(void) { return depth ? stack[depth - 1] : NULL; }

size_t memory_of_a_card(void) {
    const char *bytes = setting("MEMORY");
    return bytes ? strtoull(bytes, NULL, 10) : (size_t)8 << 30;
}

int multiprocessors(void) {
    const char *text = setting("MULTIPROCESSORS");
    return text ? atoi(text) : 132;
}

CUresult cuInit(unsigned flags) {
    CALL(cuInit, ANY_TIME);
    REQUIRE(!flags);
    const char *text = setting("CAPABILITIES");
    if (!text) text = "9.0";
    number_of_cards = 0;
    int length;
    Card *card = cards;
    while (number_of_cards < MOST_CARDS && sscanf(text, "%d.%d%n", &card->major, &card->minor, &length) == 2) {
        text += length;
        text += *text == ',';
        card++;
        number_of_cards++;
    }
    if (!number_of_cards) return CUDA_ERROR_NO_DEVICE;
    initialized = 1;
    return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
    CALL(cuDriverGetVersion, ANY_TIME);
    const char *text = setting("DRIVER");
    *version = text ? atoi(text) : DEFAULT_DRIVER;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    CALL(cuDeviceGetCount, AFTER_INIT);
    *count = number_of_cards;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int index) {
    CALL(cuDeviceGet, AFTER_INIT);
    if (index < 0 || index >= number_of_cards) return CUDA_ERROR_INVALID_DEVICE;
    *device = index;
    return CUDA_SUCCESS;
}

#define REQUIRE_DEVICE(device) \
    if (device < 0 || device >= number_of_cards) return CUDA_ERROR_INVALID_DEVICE

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    CALL(cuDeviceGetName, AFTER_INIT);
    REQUIRE_DEVICE(device);
    snprintf(name, length, "Software card");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    CALL(cuDeviceGetUuid, AFTER_INIT);
    REQUIRE_DEVICE(device);
    memset(uuid, 1 + device, sizeof *uuid);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    CALL(cuDeviceTotalMem, AFTER_INIT);
    REQUIRE_DEVICE(device);
    *bytes = memory_of_a_card();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    CALL(cuDeviceGetAttribute, AFTER_INIT);
    REQUIRE_DEVICE(device);
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = cards[device].major; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = cards[device].minor; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = multiprocessors(); break;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = WARP; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = MOST_THREADS_PER_BLOCK; break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = 2048; break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X: *value = 1024; break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y: *value = 1024; break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z: *value = 64; break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X: *value = 2147483647; break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y: *value = 65535; break;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z: *value = 65535; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = 48 << 10; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN: *value = 227 << 10; break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = 228 << 10; break;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY: *value = 64 << 10; break;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK: *value = 65536; break;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = 65536; break;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR: *value = 32; break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = 1000000; break;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE: *value = 1000000; break;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH: *value = 64; break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = 1 << 20; break;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT: *value = 512; break;
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: *value = 1 + device; break;
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING: *value = 1; break;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY: *value = 1; break;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT: *value = 1; break;
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS: *value = 1; break;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH: *value = 1; break;
    default: *value = 0;
    }
    return CUDA_SUCCESS;
}

static CUcontext new_context(Card *card) {
    static unsigned long long ids;
    CUcontext context = calloc(1, sizeof *context);
    context->card = card;
    context->id = ++ids;
    context->legacy = new_stream(context, CU_STREAM_DEFAULT);
    return context;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    CALL(cuDevicePrimaryCtxRetain, AFTER_INIT);
    REQUIRE_DEVICE(device);
    Card *card = &cards[device];
    if (!card->primary) card->primary = new_context(card);
    card->primary->retained++;
    *context = card->primary;
    return CUDA_SUCCESS;
}

/* The context stays an object, so that a handle that is used too late is answered and not followed. */
static void empty_context(CUcontext context) {
    wait_for_context(context);
    destroy_streams_of(context);
    free_memory_of(context);
    context->broken = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    context->card->primary = NULL;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    CALL(cuDevicePrimaryCtxRelease, AFTER_INIT);
    REQUIRE_DEVICE(device);
    CUcontext context = cards[device].primary;
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    if (!--context->retained) empty_context(context);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    CALL(cuDevicePrimaryCtxReset, AFTER_INIT);
    REQUIRE_DEVICE(device);
    if (cards[device].primary) empty_context(cards[device].primary);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    CALL(cuDevicePrimaryCtxSetFlags, AFTER_INIT);
    REQUIRE_DEVICE(device);
    cards[device].flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    CALL(cuDevicePrimaryCtxGetState, AFTER_INIT);
    REQUIRE_DEVICE(device);
    *flags = cards[device].flags;
    *active = cards[device].primary != NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    CALL(cuCtxGetCurrent, AFTER_INIT);
    *context = current_context();
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    CALL(cuCtxSetCurrent, AFTER_INIT);
    if (!context) {
        depth -= depth > 0;
        return CUDA_SUCCESS;
    }
    if (context->broken == CUDA_ERROR_CONTEXT_IS_DESTROYED) return context->broken;
    depth += !depth;
    stack[depth - 1] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    CALL(cuCtxPushCurrent, AFTER_INIT);
    REQUIRE(context);
    if (depth == DEEPEST) return CUDA_ERROR_INVALID_CONTEXT;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
    CALL(cuCtxPopCurrent, AFTER_INIT);
    if (!depth) return CUDA_ERROR_INVALID_CONTEXT;
    depth--;
    if (context) *context = stack[depth];
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    CALL(cuCtxGetDevice, IN_CONTEXT);
    *device = current_context()->card - cards;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
    CALL(cuCtxGetId, AFTER_INIT);
    if (!context) context = current_context();
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    *id = context->id;
    return CUDA_SUCCESS;
}

/* The default, and one priority above it. */
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    CALL(cuCtxGetStreamPriorityRange, IN_CONTEXT);
    if (least) *least = 0;
    if (greatest) *greatest = -1;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
    CALL(cuCtxSynchronize, IN_CONTEXT);
    TRY(refuse_in_capture(1));
    return wait_for_context(current_context());
}
