/* The bridge: NVIDIA's nvJitLink, asked for PTX instead of machine code.
 *
 * numba-cuda hands the linker a kernel in NVIDIA's intermediate form (LTO-IR), and the driver gets machine code. No
 * processor but a card runs that. With the option -ptx the same linker stops one step before, at PTX; NVIDIA's driver
 * accepts PTX where it accepts machine code, and so does ours: nothing else has to know of it. This library is built
 * as libnvJitLink.so.12, on which our libcuda.so.1 depends; so it is loaded before the bindings look for nvJitLink, and
 * they take the one that is loaded already. REAL is the path of NVIDIA's.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int Result;
typedef void *Handle;
enum { INTERNAL_ERROR = 6 };

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
    const char **more = calloc(count + 1, sizeof *more);
    if (count) memcpy(more, options, count * sizeof *more);
    more[count] = "-ptx";
    Result (*create)(Handle *, uint32_t, const char **) = real("nvJitLinkCreate");
    Result result = create ? create(handle, count + 1, more) : INTERNAL_ERROR;
    free(more);
    return result;
}

Result nvJitLinkDestroy(Handle *handle) {
    FORWARD((Handle *), "nvJitLinkDestroy", handle);
}

Result nvJitLinkAddData(Handle handle, int type, const void *data, size_t size, const char *name) {
    FORWARD((Handle, int, const void *, size_t, const char *), "nvJitLinkAddData", handle, type, data, size, name);
}

Result nvJitLinkAddFile(Handle handle, int type, const char *path) {
    FORWARD((Handle, int, const char *), "nvJitLinkAddFile", handle, type, path);
}

Result nvJitLinkComplete(Handle handle) {
    FORWARD((Handle), "nvJitLinkComplete", handle);
}

Result nvJitLinkGetLinkedCubinSize(Handle handle, size_t *size) {
    FORWARD((Handle, size_t *), "nvJitLinkGetLinkedPtxSize", handle, size);
}

Result nvJitLinkGetLinkedCubin(Handle handle, void *cubin) {
    FORWARD((Handle, void *), "nvJitLinkGetLinkedPtx", handle, cubin);
}

Result nvJitLinkGetErrorLogSize(Handle handle, size_t *size) {
    FORWARD((Handle, size_t *), "nvJitLinkGetErrorLogSize", handle, size);
}

Result nvJitLinkGetErrorLog(Handle handle, char *log) {
    FORWARD((Handle, char *), "nvJitLinkGetErrorLog", handle, log);
}

Result nvJitLinkGetInfoLogSize(Handle handle, size_t *size) {
    FORWARD((Handle, size_t *), "nvJitLinkGetInfoLogSize", handle, size);
}

Result nvJitLinkGetInfoLog(Handle handle, char *log) {
    FORWARD((Handle, char *), "nvJitLinkGetInfoLog", handle, log);
}

Result nvJitLinkVersion(unsigned *major, unsigned *minor) {
    FORWARD((unsigned *, unsigned *), "nvJitLinkVersion", major, minor);
}
