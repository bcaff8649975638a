/* Faults that the environment asks for, the names of errors, and the list of the functions that were called.
 *
 * DIGITLAB_CARD_FAULTS holds faults with commas between them, each `FUNCTION=CODE` (every call fails),
 * `FUNCTION:3=CODE` (the third call) or `FUNCTION:3-=CODE` (the third and all later ones); CODE as cuda.h names it,
 * without CUDA_ERROR_. DIGITLAB_CARD_CALLS names a file: at its end the process appends a line for each function.
 */
#include "card.h"

#include <dlfcn.h>

static const struct { CUresult code; const char *name; } codes[] = {
#define CODE(name) {CUDA_ERROR_##name, "CUDA_ERROR_" #name}
    {CUDA_SUCCESS, "CUDA_SUCCESS"},
    CODE(INVALID_VALUE), CODE(OUT_OF_MEMORY), CODE(NOT_INITIALIZED), CODE(DEINITIALIZED), CODE(DEVICE_UNAVAILABLE),
    CODE(NO_DEVICE), CODE(INVALID_DEVICE), CODE(DEVICE_NOT_LICENSED), CODE(INVALID_IMAGE), CODE(INVALID_CONTEXT),
    CODE(NO_BINARY_FOR_GPU), CODE(ECC_UNCORRECTABLE), CODE(INVALID_PTX), CODE(JIT_COMPILER_NOT_FOUND),
    CODE(UNSUPPORTED_PTX_VERSION), CODE(OPERATING_SYSTEM), CODE(INVALID_HANDLE), CODE(ILLEGAL_STATE), CODE(NOT_FOUND),
    CODE(NOT_READY), CODE(ILLEGAL_ADDRESS), CODE(LAUNCH_OUT_OF_RESOURCES), CODE(LAUNCH_TIMEOUT),
    CODE(PRIMARY_CONTEXT_ACTIVE), CODE(CONTEXT_IS_DESTROYED), CODE(ASSERT), CODE(HARDWARE_STACK_ERROR),
    CODE(ILLEGAL_INSTRUCTION), CODE(MISALIGNED_ADDRESS), CODE(INVALID_ADDRESS_SPACE), CODE(INVALID_PC),
    CODE(LAUNCH_FAILED), CODE(NOT_PERMITTED), CODE(NOT_SUPPORTED), CODE(SYSTEM_NOT_READY),
    CODE(SYSTEM_DRIVER_MISMATCH), CODE(COMPAT_NOT_SUPPORTED_ON_DEVICE), CODE(STREAM_CAPTURE_UNSUPPORTED),
    CODE(STREAM_CAPTURE_INVALIDATED), CODE(STREAM_CAPTURE_MERGE), CODE(STREAM_CAPTURE_UNMATCHED),
    CODE(STREAM_CAPTURE_UNJOINED), CODE(STREAM_CAPTURE_ISOLATION), CODE(STREAM_CAPTURE_IMPLICIT),
    CODE(CAPTURED_EVENT), CODE(STREAM_CAPTURE_WRONG_THREAD), CODE(UNKNOWN),
#undef CODE
};
enum { CODES = sizeof codes / sizeof codes[0], PREFIX = sizeof "CUDA_ERROR_" - 1 };

static Call *called;

typedef struct Missing { char name[64]; struct Missing *next; } Missing;
static Missing *missing;

CUresult code_named(const char *name) {
    for (int k = 1; k < CODES; k++)
        if (!strcmp(codes[k].name + PREFIX, name)) return codes[k].code;
    fprintf(stderr, "software card: no error is named %s\n", name);
    return CUDA_ERROR_UNKNOWN;
}

/* Whether the fault's text is of this function and this call; `code` receives the name of the error. */
static int asks_for(const char *fault, const char *name, long count, char code[64]) {
    char function[64], range[32] = "";
    if (sscanf(fault, "%63[^:=]:%31[^=]=%63s", function, range, code) != 3 &&
        sscanf(fault, "%63[^:=]=%63s", function, code) != 2)
        return 0;
    if (strcmp(function, name)) return 0;
    if (!range[0]) return 1;
    long first = strtol(range, NULL, 10);
    int open = strchr(range, '-') != NULL;
    return open ? count >= first : count == first;
}

CUresult injected_fault(const char *name, long count) {
    const char *faults = setting("FAULTS");
    if (!faults) return CUDA_SUCCESS;
    char *copy = strdup(faults), *rest = copy, *fault, code[64];
    CUresult result = CUDA_SUCCESS;
    while (!result && (fault = strsep(&rest, ",")))
        if (asks_for(fault, name, count, code)) result = code_named(code);
    free(copy);
    return result;
}

CUresult begin_call(Call *call, int needs) {
    if (!call->count++) {
        call->next = called;
        called = call;
    }
    CUresult fault = injected_fault(call->name, call->count);
    CUcontext context = current_context();
    if (fault && is_sticky(fault) && context) context->broken = fault;
    if (fault) return fault;
    if (needs >= AFTER_INIT && !is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
    if (needs < IN_CONTEXT) return CUDA_SUCCESS;
    return context ? context->broken : CUDA_ERROR_INVALID_CONTEXT;
}

__attribute__((destructor)) static void write_calls(void) {
    const char *path = setting("CALLS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    for (Call *call = called; call; call = call->next) fprintf(file, "called %s %ld\n", call->name, call->count);
    for (Missing *one = missing; one; one = one->next) fprintf(file, "missing %s 1\n", one->name);
    fclose(file);
}

CUresult cuGetErrorName(CUresult error, const char **name) {
    CALL(cuGetErrorName, ANY_TIME);
    for (int k = 0; k < CODES; k++)
        if (codes[k].code == error) {
            *name = codes[k].name;
            return CUDA_SUCCESS;
        }
    *name = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    /* The texts of NVIDIA's driver are not imitated: the name says as much. */
    return cuGetErrorName(error, text);
}

/* The address of a function of this library; versions of a function that it lacks are not found. */
CUresult cuGetProcAddress(const char *symbol, void **address, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult *status) {
    CALL(cuGetProcAddress, ANY_TIME);
    static const char *const endings[] = {"_v2", "_v3", "WithFlags", ""};
    (void)version;
    (void)flags;
    Dl_info self;
    dladdr((void *)cuGetProcAddress, &self);
    void *library = dlopen(self.dli_fname, RTLD_NOLOAD | RTLD_NOW);
    *address = NULL;
    for (int k = 0; k < 4 && !*address; k++) {
        char name[128];
        snprintf(name, sizeof name, "%s%s", symbol, endings[k]);
        *address = dlsym(library, name);
        Dl_info found;
        if (*address && (!dladdr(*address, &found) || found.dli_fbase != self.dli_fbase)) *address = NULL;
    }
    dlclose(library);
    if (status) *status = *address ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    if (*address) return CUDA_SUCCESS;
    Missing *one = calloc(1, sizeof *one);
    snprintf(one->name, sizeof one->name, "%s", symbol);
    one->next = missing;
    missing = one;
    return CUDA_ERROR_NOT_FOUND;
}

#undef cuGetProcAddress
CUresult cuGetProcAddress(const char *symbol, void **address, int version, cuuint64_t flags) {
    return cuGetProcAddress_v2(symbol, address, version, flags, NULL);
}
