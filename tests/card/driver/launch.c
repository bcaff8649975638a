/* Kernels: their PTX is translated to C and compiled (tests/card/kernels.py), then loaded and launched from here.
 *
 * What is compiled is kept in the folder `kernels` beside this library, by a digest of the PTX.
 */
#include "card.h"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MESSAGE = 300, REGISTERS = 64 };

static void folder_of_this_library(char path[4096]) {
    Dl_info self;
    dladdr((void *)folder_of_this_library, &self);
    snprintf(path, 4096, "%s", self.dli_fname);
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
}

/* FNV-1a, 64 bits. The file of a digest has the PTX as well, which is compared: two texts never share a kernel. */
static uint64_t digest_of(const char *text) {
    uint64_t digest = 0xcbf29ce484222325ull;
    for (; *text; text++) digest = (digest ^ (unsigned char)*text) * 0x100000001b3ull;
    return digest;
}

static int has_text(const char *path, const char *text) {
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int same = 1;
    for (; same && *text; text++) same = getc(file) == (unsigned char)*text;
    same = same && getc(file) == EOF;
    fclose(file);
    return same;
}

/* Run `compile PTX LIBRARY` of this folder, which tests.card.driver has written. */
static CUresult compile(const char *folder, const char *ptx, const char *library) {
    char program[4200];
    snprintf(program, sizeof program, "%s/compile", folder);
    char *arguments[] = {program, (char *)ptx, (char *)library, NULL};
    pid_t child;
    int status;
    if (posix_spawn(&child, program, NULL, NULL, arguments, environ)) return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
    if (waitpid(child, &status, 0) != child || status) return CUDA_ERROR_INVALID_PTX;
    return CUDA_SUCCESS;
}

static CUresult find_compiled(const char *text, char library[4400]) {
    char folder[4096], kept[4400], ptx[4500];
    folder_of_this_library(folder);
    snprintf(kept, sizeof kept, "%s/kernels/%016lx.ptx", folder, (unsigned long)digest_of(text));
    snprintf(library, 4400, "%s/kernels/%016lx.so", folder, (unsigned long)digest_of(text));
    if (has_text(kept, text) && !access(library, R_OK)) return CUDA_SUCCESS;
    snprintf(ptx, sizeof ptx, "%s.%d", kept, (int)getpid());
    FILE *file = fopen(ptx, "w");
    if (!file) return CUDA_ERROR_OPERATING_SYSTEM;
    fputs(text, file);
    fclose(file);
    TRY(compile(folder, ptx, library));
    return rename(ptx, kept) ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_SUCCESS;
}

static char *name_of_entry(const char *text) {
    const char *entry = strstr(text, ".entry ");
    if (!entry) return NULL;
    entry += strlen(".entry ");
    return strndup(entry, strcspn(entry, "( \n"));
}

static CUresult load(Kernel **loaded, const char *text) {
    char path[4400];
    /* Machine code, which is an ELF file, cannot be run: this comes from NVIDIA's nvJitLink. */
    if (!memcmp(text, "\177ELF", 4)) return CUDA_ERROR_INVALID_IMAGE;
    char *name = name_of_entry(text);
    if (!name) return CUDA_ERROR_INVALID_PTX;
    CUresult result = find_compiled(text, path);
    if (result) {
        free(name);
        return result;
    }
    Kernel *kernel = calloc(1, sizeof *kernel);
    kernel->name = name;
    kernel->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!kernel->library) {
        fprintf(stderr, "software card: %s\n", dlerror());
        return CUDA_ERROR_INVALID_IMAGE;
    }
    kernel->run = dlsym(kernel->library, "run");
    kernel->parameters = *(const int *)dlsym(kernel->library, "parameters");
    kernel->sizes = dlsym(kernel->library, "sizes");
    kernel->most_threads = *(const int *)dlsym(kernel->library, "most_threads");
    kernel->shared_bytes = *(const int *)dlsym(kernel->library, "shared_bytes");
    kernel->most_dynamic = (48 << 10) - kernel->shared_bytes;
    *loaded = kernel;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options, void **values, unsigned count,
                           CUlibraryOption *more, void **more_values, unsigned more_count) {
    CALL(cuLibraryLoadData, AFTER_INIT);
    (void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
    REQUIRE(library && code);
    return load((Kernel **)library, code);
}

/* Into the current context; unlike a library, a module has only the kernels of that context. */
CUresult cuModuleLoadData(CUmodule *module, const void *code) {
    CALL(cuModuleLoadData, IN_CONTEXT);
    REQUIRE(module && code);
    return load((Kernel **)module, code);
}

/* Graphs and queues may still hold the kernel: it stays loaded. */
CUresult cuLibraryUnload(CUlibrary library) {
    CALL(cuLibraryUnload, AFTER_INIT);
    REQUIRE(library);
    return CUDA_SUCCESS;
}

/* A library has one kernel, which is the library, the module and the function as well. */
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    CALL(cuLibraryGetKernel, AFTER_INIT);
    if (strcmp(((Kernel *)library)->name, name)) return CUDA_ERROR_NOT_FOUND;
    *kernel = (CUkernel)library;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    CALL(cuModuleGetFunction, IN_CONTEXT);
    REQUIRE(function && module && name);
    if (strcmp(((Kernel *)module)->name, name)) return CUDA_ERROR_NOT_FOUND;
    *function = (CUfunction)module;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    CALL(cuLibraryGetModule, IN_CONTEXT);
    *module = (CUmodule)library;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    CALL(cuKernelGetFunction, IN_CONTEXT);
    *function = (CUfunction)kernel;
    return CUDA_SUCCESS;
}

/* Kernels have no variables of their own that the host could reach. */
CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
    CALL(cuModuleGetGlobal, IN_CONTEXT);
    (void)address, (void)bytes;
    REQUIRE(module && name);
    return CUDA_ERROR_NOT_FOUND;
}

static CUresult attribute_of(const Kernel *kernel, CUfunction_attribute attribute, int *value) {
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = kernel->most_threads; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = kernel->shared_bytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = REGISTERS; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 90; break;
    default: *value = 0;
    }
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
    CALL(cuKernelGetAttribute, AFTER_INIT);
    (void)device;
    return attribute_of((Kernel *)kernel, attribute, value);
}

/* The limit of dynamic shared memory, and hints for the cache. */
static CUresult set_attribute(Kernel *kernel, CUfunction_attribute attribute, int value) {
    REQUIRE(kernel && attribute >= CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= -1);
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        REQUIRE(value + kernel->shared_bytes <= 227 << 10);
        kernel->most_dynamic = value;
    }
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    CALL(cuFuncSetAttribute, IN_CONTEXT);
    return set_attribute((Kernel *)function, attribute, value);
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    CALL(cuKernelSetAttribute, AFTER_INIT);
    (void)device;
    return set_attribute((Kernel *)kernel, attribute, value);
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    CALL(cuFuncGetAttribute, IN_CONTEXT);
    return attribute_of((Kernel *)function, attribute, value);
}

/* Blocks that a multiprocessor holds. */
static int resident_blocks(const Kernel *kernel, int threads, int dynamic) {
    int blocks = 65536 / (REGISTERS * threads);
    int by_shared_memory = (228 << 10) / (kernel->shared_bytes + dynamic + 1024);
    if (by_shared_memory < blocks) blocks = by_shared_memory;
    return blocks < 32 ? blocks : 32;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared) {
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, IN_CONTEXT);
    REQUIRE(blocks && function && threads > 0);
    *blocks = resident_blocks((Kernel *)function, threads, shared);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize size,
                                          size_t shared, int limit) {
    CALL(cuOccupancyMaxPotentialBlockSize, IN_CONTEXT);
    (void)size;
    *block = ((Kernel *)function)->most_threads;
    if (limit && limit < *block) *block = limit;
    *grid = multiprocessors() * resident_blocks((Kernel *)function, *block, shared);
    return CUDA_SUCCESS;
}

/* -- launches -------------------------------------------------------------------------------------------------------- */

static uint64_t number_of(const uint32_t *size) { return (uint64_t)size[0] * size[1] * size[2]; }

/* Blocks that the card holds. */
static uint64_t blocks_at_once(const Work *work) {
    return (uint64_t)multiprocessors() * resident_blocks(work->kernel, number_of(work->block), work->shared);
}

static int fits(const uint32_t *size, uint32_t x, uint32_t y, uint32_t z) {
    return size[0] && size[1] && size[2] && size[0] <= x && size[1] <= y && size[2] <= z;
}

/* Where parameter `index` lies in a buffer of all parameters; with the number of parameters: the size of the buffer. */
static size_t offset_of(const Kernel *kernel, int index) {
    size_t offset = 0;
    for (int k = 0; k < index; k++) {
        size_t size = kernel->sizes[k];
        offset = (offset + size - 1) / size * size + size;
    }
    if (index == kernel->parameters) return offset;
    size_t size = kernel->sizes[index];
    return (offset + size - 1) / size * size;
}

/* The parameters in a buffer whose size the caller tells: a wrong size is an error. */
static CUresult read_buffer(const Kernel *kernel, void **extra, uint64_t *arguments) {
    const char *buffer = NULL;
    const size_t *size = NULL;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) size = extra[1];
        else return CUDA_ERROR_INVALID_VALUE;
    }
    REQUIRE(buffer && size && *size == offset_of(kernel, kernel->parameters));
    for (int k = 0; k < kernel->parameters; k++) memcpy(&arguments[k], buffer + offset_of(kernel, k), kernel->sizes[k]);
    return CUDA_SUCCESS;
}

static CUresult parameter_of(const Kernel *kernel, size_t index, size_t *offset, size_t *size) {
    REQUIRE(offset && index < (size_t)kernel->parameters);
    *offset = offset_of(kernel, index);
    if (size) *size = kernel->sizes[index];
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
    CALL(cuFuncGetParamInfo, IN_CONTEXT);
    REQUIRE(function);
    return parameter_of((Kernel *)function, index, offset, size);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
    CALL(cuKernelGetParamInfo, IN_CONTEXT);
    REQUIRE(kernel);
    return parameter_of((Kernel *)kernel, index, offset, size);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
    CALL(cuLaunchKernelEx, IN_CONTEXT);
    REQUIRE(config && function && !(parameters && extra));
    Kernel *kernel = (Kernel *)function;
    CUstream stream = config->hStream;
    TRY(find_stream(&stream));
    if (stream->context != current_context()) return CUDA_ERROR_INVALID_HANDLE;
    Work work = {.kind = LAUNCH, .kernel = kernel, .shared = config->sharedMemBytes};
    REQUIRE(config->sharedMemBytes <= (unsigned)kernel->most_dynamic);
    memcpy(work.grid, &config->gridDimX, sizeof work.grid);
    memcpy(work.block, &config->blockDimX, sizeof work.block);
    REQUIRE(fits(work.grid, 2147483647, 65535, 65535));
    REQUIRE(fits(work.block, 1024, 1024, 64));
    REQUIRE(number_of(work.block) <= (uint64_t)kernel->most_threads);
    REQUIRE(parameters || extra || !kernel->parameters);
    work.arguments = calloc(kernel->parameters + 1, sizeof *work.arguments);
    for (int k = 0; parameters && k < kernel->parameters; k++)
        memcpy(&work.arguments[k], parameters[k], kernel->sizes[k]);
    for (unsigned k = 0; k < config->numAttrs; k++) {
        int cooperative = config->attrs[k].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && config->attrs[k].value.cooperative;
        if (cooperative && number_of(work.grid) > blocks_at_once(&work))
            return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
    CUresult result = extra ? read_buffer(kernel, extra, work.arguments) : CUDA_SUCCESS;
    if (!result) result = enqueue(stream, work);
    if (result) free(work.arguments);
    return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **parameters,
                        void **extra) {
    CUlaunchConfig config = {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, NULL, 0};
    return cuLaunchKernelEx(&config, function, parameters, extra);
}

/* The memory that the kernel may access: that of its parameters which are addresses.
 *
 * Numba passes an array as parent, number of elements, bytes of an element, address, shape, strides. Where the two
 * numbers before an address fit into its allocation, they are the array's limits; else the allocation's are.
 */
static int accessible(const Work *work, uint64_t *begins, uint64_t *ends) {
    const uint64_t *values = work->arguments;
    int count = 0;
    for (int k = 0; k < work->kernel->parameters; k++) {
        uint64_t begin, end;
        if (work->kernel->sizes[k] != 8 || !find_allocation(work->context, values[k], 1, &begin, &end)) continue;
        begins[count] = begin;
        ends[count] = end;
        int is_array = k >= 3 && values[k - 1] >= 1 && values[k - 1] <= 16 && values[k - 2] < (1ull << 40);
        if (is_array && values[k] + values[k - 2] * values[k - 1] <= end) {
            begins[count] = values[k];
            ends[count] = values[k] + values[k - 2] * values[k - 1];
        }
        count++;
    }
    return count;
}

static CUresult code_of_fault(const char *message) {
    if (strstr(message, "outside of all arrays")) return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (strstr(message, "misaligned")) return CUDA_ERROR_MISALIGNED_ADDRESS;
    return CUDA_ERROR_LAUNCH_FAILED;
}

/* With the lock, which is released while the kernel runs.
 *
 * Races and missed barriers, which a real card does not notice, fail as a launch does; the text tells what it was.
 */
CUresult run_launch(const Work *work) {
    static char **stacks;
    if (!stacks) stacks = calloc((size_t)multiprocessors() * 32 * MOST_THREADS_PER_BLOCK, sizeof *stacks);
    Kernel *kernel = work->kernel;
    int count = kernel->parameters, unused = 0;
    void **pointers = calloc(count + 1, sizeof *pointers);
    uint64_t *begins = calloc(count + 1, sizeof *begins);
    uint64_t *ends = calloc(count + 1, sizeof *ends);
    for (int k = 0; k < count; k++) pointers[k] = &work->arguments[k];
    int arrays = accessible(work, begins, ends);
    uint64_t seed = draw(1ull << 55);
    char message[MESSAGE] = "";
    leave_card(&unused);
    int resident = blocks_at_once(work);
    int faults = kernel->run(work->grid, work->block, pointers, begins, ends, arrays, seed, message, stacks, resident,
                             work->shared);
    enter_card();
    free(pointers);
    free(begins);
    free(ends);
    if (!faults) return CUDA_SUCCESS;
    fprintf(stderr, "software card: kernel %s, grid %u %u %u, block %u %u %u: %s; %d faults in all\n", kernel->name,
            work->grid[0], work->grid[1], work->grid[2], work->block[0], work->block[1], work->block[2], message,
            faults);
    return code_of_fault(message);
}
