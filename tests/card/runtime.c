/* Runs a kernel block by block; the threads of a block are coroutines that are switched at barriers.
 *
 * Between two barriers the threads run one after another in a random order, so that results must not depend on it.
 * Every access is checked: it has to be inside an array that was passed to the kernel (or the block's shared, the
 * thread's local memory) and aligned, and no two threads may access the same shared bytes between two barriers if one
 * of them writes. Shared and local memory are NaN at the start.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 1024
#define STACK (48 << 10)

typedef struct { void *stack_pointer; int ended, barrier; uint32_t place[3]; } Thread;

static Thread threads[MOST_THREADS], *now;
static void *scheduler, **given_arguments;
static uint32_t ntid[3], ctaid[3], nctaid[3];
static const uint64_t *begins, *ends; /* of the arrays that the kernel was given */
static char **stacks; /* of the threads; all kernels of a process share them */
static int arrays, faults;
static char first_fault[300], nowhere[64];

static unsigned char variables[VARIABLES + 1] __attribute__((aligned(256))); /* of the kernel, in global memory */
static unsigned char shared[SHARED + 16] __attribute__((aligned(256)));
/* For each 4 bytes of it: the last writer and reader, and the interval between barriers in which they accessed it. */
static uint64_t interval, written[SHARED / 4 + 1], read_in[SHARED / 4 + 1];
static int writer[SHARED / 4 + 1], reader[SHARED / 4 + 1];
enum { SEVERAL = -1 };

/* Switches coroutines: saves registers and stack pointer in *from and continues at `to`. x86-64, System V ABI. */
void switch_to(void **from, void *to);
__asm__(".text\n.type switch_to, @function\nswitch_to:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

static void fault(const char *what, int line, uint64_t address) {
    if (!faults++)
        snprintf(first_fault, sizeof first_fault, "%s (PTX line %d, address %lx, thread %u %u %u of block %u %u %u)",
                 what, line, (unsigned long)address, now->place[0], now->place[1], now->place[2], ctaid[0], ctaid[1],
                 ctaid[2]);
}

static void barrier(int line) {
    now->barrier = line;
    switch_to(&now->stack_pointer, scheduler);
}

static char *in_global(uint64_t address, int length, int line) {
    if (address % length) fault("misaligned access to global memory", line, address);
    for (int k = 0; k < arrays; k++)
        if (begins[k] <= address && address + length <= ends[k]) return (char *)address;
    uint64_t offset = address - (uint64_t)variables;
    if (offset < VARIABLES && offset + length <= VARIABLES) return (char *)address;
    fault("outside of all arrays", line, address);
    return nowhere;
}

static char *in_shared(uint64_t address, int length, int writes, int line) {
    uint64_t offset = address - (uint64_t)shared;
    int me = now - threads;
    if (offset + length > SHARED) {
        fault("outside of shared memory", line, address);
        return nowhere;
    }
    if (address % length) fault("misaligned access to shared memory", line, offset);
    for (uint64_t k = offset / 4; k < (offset + length + 3) / 4; k++) {
        if (written[k] == interval && writer[k] != me) fault("a race: another thread has written here", line, offset);
        if (writes) {
            if (read_in[k] == interval && reader[k] != me) fault("a race: another thread has read here", line, offset);
            written[k] = interval;
            writer[k] = me;
        } else {
            reader[k] = read_in[k] == interval && reader[k] != me ? SEVERAL : me;
            read_in[k] = interval;
        }
    }
    return (char *)address;
}

static char *in_local(uint64_t address, int length, char *depot, int size, int line) {
    if (address % length) fault("misaligned access to local memory", line, address);
    if (address >= (uint64_t)depot && address + length <= (uint64_t)depot + size) return (char *)address;
    fault("outside of local memory", line, address);
    return nowhere;
}

/* A generic address, which may be of any memory. */
static char *in_any(uint64_t address, int length, int writes, char *depot, int size, int line) {
    if (address - (uint64_t)shared < SHARED) return in_shared(address, length, writes, line);
    if (address - (uint64_t)depot < (uint64_t)size) return in_local(address, length, depot, size, line);
    return in_global(address, length, line);
}

#define LOAD(type, at) ({ type loaded; memcpy(&loaded, at, sizeof loaded); loaded; })
#define STORE(type, at, value) ({ type stored = value; memcpy(at, &stored, sizeof stored); })

static float float_of(uint32_t bits) { float value; memcpy(&value, &bits, 4); return value; }
static double double_of(uint64_t bits) { double value; memcpy(&value, &bits, 8); return value; }
static uint32_t bits32(float value) { uint32_t bits; memcpy(&bits, &value, 4); return bits; }
static uint64_t bits64(double value) { uint64_t bits; memcpy(&bits, &value, 8); return bits; }
static float saturated(float value) { return value > 0 ? value < 1 ? value : 1 : 0; }
static float fma_down(float a, float b, float c) {
    double exact = (double)a * b + c;
    float rounded = exact;
    return rounded > exact ? nextafterf(rounded, -INFINITY) : rounded;
}

/* KERNEL */

static void thread(void) {
    kernel(given_arguments);
    now->ended = 1;
    switch_to(&now->stack_pointer, scheduler);
}

static void prepare(Thread *one, int number) {
    if (!stacks[number]) stacks[number] = malloc(STACK);
    uint64_t *top = (uint64_t *)((uint64_t)(stacks[number] + STACK) & ~15ull);
    *--top = 0;
    *--top = (uint64_t)thread;
    for (int saved = 0; saved < 6; saved++) *--top = 0;
    one->stack_pointer = top;
    one->ended = 0;
    one->place[0] = number % ntid[0];
    one->place[1] = number / ntid[0] % ntid[1];
    one->place[2] = number / ntid[0] / ntid[1];
}

static uint64_t chance = 1;
static uint64_t draw(void) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    return chance ^= chance << 17;
}

static void run_block(int count) {
    int order[MOST_THREADS], alive = count;
    memset(shared, 0xFF, sizeof shared);
    for (int k = 0; k < count; k++) {
        prepare(&threads[k], k);
        order[k] = k;
    }
    while (alive) {
        int waiting = 0, ended = 0, meet = 0;
        interval++;
        for (int k = count - 1; k > 0; k--) {
            int other = draw() % (k + 1), kept = order[k];
            order[k] = order[other];
            order[other] = kept;
        }
        for (int k = 0; k < count; k++) {
            now = &threads[order[k]];
            if (now->ended) continue;
            switch_to(&scheduler, now->stack_pointer);
            if (now->ended) {
                alive--;
                ended++;
            } else if (!waiting++) {
                meet = now->barrier;
            } else if (meet != now->barrier) {
                fault("threads of a block wait at different barriers", meet, now->barrier);
            }
        }
        if (waiting && ended) fault("a thread has ended while others wait at a barrier", meet, ended);
    }
}

/* `given` points to each parameter. Returns the number of faults; `message` (300 bytes) describes the first.
 * `all_stacks`: MOST_THREADS pointers, NULL at first. One kernel runs at a time.
 */
int run(const uint32_t *grid, const uint32_t *block, void **given, const uint64_t *begin, const uint64_t *end,
        int count, uint64_t seed, char *message, char **all_stacks) {
    int size = block[0] * block[1] * block[2];
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2], first;
    memcpy(nctaid, grid, sizeof nctaid);
    memcpy(ntid, block, sizeof ntid);
    given_arguments = given;
    begins = begin;
    ends = end;
    arrays = count;
    stacks = all_stacks;
    chance = seed | 1;
    faults = 0;
    first_fault[0] = 0;
    now = threads;
    if (size > MOST_THREADS) fault("more threads than a block may have", 0, size);
    first = draw() % blocks;
    for (uint64_t k = 0; k < blocks && !faults; k++) {
        uint64_t number = (first + k) % blocks;
        ctaid[0] = number % grid[0];
        ctaid[1] = number / grid[0] % grid[1];
        ctaid[2] = number / grid[0] / grid[1];
        run_block(size);
    }
    memcpy(message, first_fault, sizeof first_fault);
    return faults;
}
