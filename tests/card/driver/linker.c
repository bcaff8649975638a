/* The bridge: NVIDIA's nvJitLink, which gives PTX instead of machine code.
 *
 * numba-cuda hands the linker a kernel in NVIDIA's intermediate form (LTO-IR), and the driver gets machine code. No
 * processor but a card runs that. With the option -ptx the same linker stops one step before, at PTX; NVIDIA's driver
 * accepts PTX where it accepts machine code, and so does ours: nothing else has to know of it. numba-cuda-mlir hands the
 * linker a kernel as PTX, without the option -lto: that is linked as on a machine with a card, so that NVIDIA's assembler
 * accepts it, and then the driver gets the PTX. This library is built as libnvJitLink.so.12 or .13, on which our libcuda.so.1
 * depends; so it is loaded before the bindings look for nvJitLink, and they take the one that is loaded already. REAL is
 * the path of NVIDIA's.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int Result;
enum { INTERNAL_ERROR = 6, INPUT_PTX = 2 };

typedef struct {
    void *real; /* NVIDIA's handle */
    int lto; /* whether intermediate forms are linked */
    char *ptx; /* the kernel, where they are not */
    size_t size;
} Link, *Handle;

/* The function of NVIDIA's library with this name. */
static void *real(const char *name) {
    static void *library;
    if (!library) library = dlopen(REAL, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

#define FORWARD(types, name, ...)                \
    Result (*function) types = real(name);       \
    return function ? function(__VA_ARGS__) : INTERNAL_ERROR

Result nvJitLinkCreate(Handle *handle, uint32_t count, const char **options) {
    Link *link = calloc(1, sizeof *link);
    const char **more = calloc(count + 1, sizeof *more);
    if (count) memcpy(more, options, count * sizeof *more);
    for (uint32_t k = 0; k < count; k++) link->lto |= !strcmp(options[k], "-lto");
    more[count] = "-ptx";
    Result (*create)(void **, uint32_t, const char **) = real("nvJitLinkCreate");
    Result result = create ? create(&link->real, count + link->lto, more) : INTERNAL_ERROR;
    free(more);
    *handle = link;
    return result;
}

Result nvJitLinkDestroy(Handle *handle) {
    Link *link = *handle;
    Result (*destroy)(void **) = real("nvJitLinkDestroy");
    Result result = destroy ? destroy(&link->real) : INTERNAL_ERROR;
    free(link->ptx);
    free(link);
    *handle = NULL;
    return result;
}

Result nvJitLinkAddData(Handle handle, int type, const void *data, size_t size, const char *name) {
    if (!handle->lto && type == INPUT_PTX) {
        if (handle->ptx) return INTERNAL_ERROR; /* two texts cannot be joined to one */
        handle->ptx = calloc(size + 1, 1);
        memcpy(handle->ptx, data, size);
        handle->size = strlen(handle->ptx) + 1;
    }
    FORWARD((void *, int, const void *, size_t, const char *), "nvJitLinkAddData", handle->real, type, data, size,
            name);
}

Result nvJitLinkAddFile(Handle handle, int type, const char *path) {
    FORWARD((void *, int, const char *), "nvJitLinkAddFile", handle->real, type, path);
}

Result nvJitLinkComplete(Handle handle) {
    FORWARD((void *), "nvJitLinkComplete", handle->real);
}

Result nvJitLinkGetLinkedCubinSize(Handle handle, size_t *size) {
    if (handle->ptx) {
        *size = handle->size;
        return 0;
    }
    FORWARD((void *, size_t *), "nvJitLinkGetLinkedPtxSize", handle->real, size);
}

Result nvJitLinkGetLinkedCubin(Handle handle, void *cubin) {
    if (handle->ptx) {
        memcpy(cubin, handle->ptx, handle->size);
        return 0;
    }
    FORWARD((void *, void *), "nvJitLinkGetLinkedPtx", handle->real, cubin);
}

Result nvJitLinkGetErrorLogSize(Handle handle, size_t *size) {
    FORWARD((void *, size_t *), "nvJitLinkGetErrorLogSize", handle->real, size);
}

Result nvJitLinkGetErrorLog(Handle handle, char *log) {
    FORWARD((void *, char *), "nvJitLinkGetErrorLog", handle->real, log);
}

Result nvJitLinkGetInfoLogSize(Handle handle, size_t *size) {
    FORWARD((void *, size_t *), "nvJitLinkGetInfoLogSize", handle->real, size);
}

Result nvJitLinkGetInfoLog(Handle handle, char *log) {
    FORWARD((void *, char *), "nvJitLinkGetInfoLog", handle->real, log);
}

Result nvJitLinkVersion(unsigned *major, unsigned *minor) {
    FORWARD((unsigned *, unsigned *), "nvJitLinkVersion", major, minor);
}
