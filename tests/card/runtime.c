/* Runs a kernel: each thread is a coroutine.
 *
 * Between two barriers the threads of a block run one after another in a random order, so that results must not depend
 * on it. A kernel whose blocks can meet (it has atomics, fences or volatile loads) is left at these and at barriers, and
 * goes on in a thread of a random block among those that have begun; so blocks find each other unfinished. As many
 * blocks begin as fit onto the card. If all that have begun only wait, the kernel fails: on a card it would hang.
 *
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
/* Backward branches of a thread until others go on: it may wait in a loop that has no volatile load. */
#define PATIENCE (1 << 16)
/* Blocks that are begun at random; more are begun when all of these wait. */
#define LIVELY 6

typedef struct { void *stack_pointer; int ended, barrier; uint32_t number, place[3]; } Thread;

typedef struct {
    uint32_t place[3];
    int slot; /* the number of its stacks */
    int ready, waiting, ended; /* threads that can go on, that wait at a barrier, that have ended since the last */
    int meet; /* the barrier where they wait */
    Thread *order[MOST_THREADS]; /* those that can go on first, then those that wait */
    Thread threads[MOST_THREADS];
    /* For each 4 bytes of shared memory: the last writer and reader, and the interval in which they accessed it. */
    uint64_t interval, *written, *read_in;
    int *writer, *reader;
    unsigned char *shared;
    size_t room; /* bytes of it */
} Block;

static Thread *now;
static Block *here;
static void *scheduler, **given_arguments;
static uint32_t ntid[3], nctaid[3];
static const uint64_t *begins, *ends; /* of the arrays that the kernel was given */
static char **stacks; /* of the threads of each slot; all kernels of a process share them */
static int arrays, faults, patience;
static uint32_t dynamic_bytes; /* of shared memory, beside SHARED */
static char first_fault[300], nowhere[64];
/* Intervals between barriers, counted over all blocks; stores, changing atomics and threads that end. */
static uint64_t intervals, changes;

static unsigned char variables[VARIABLES + 1] __attribute__((aligned(256))); /* of the kernel, in global memory */
enum { SEVERAL = -1 };
enum { ENDED, AT_BARRIER, GAVE_WAY }; /* what a block has come to */

/* Switches coroutines: saves registers and stack pointer in *from and continues at `to`. x86-64, System V ABI. */
void switch_to(void **from, void *to);
__asm__(".text\n.type switch_to, @function\nswitch_to:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

static void fault(const char *what, int line, uint64_t address) {
    if (!faults++)
        snprintf(first_fault, sizeof first_fault, "%s (PTX line %d, address %lx, thread %u %u %u of block %u %u %u)",
                 what, line, (unsigned long)address, now->place[0], now->place[1], now->place[2], here->place[0],
                 here->place[1], here->place[2]);
}

static void barrier(int line) {
    now->barrier = line;
    switch_to(&now->stack_pointer, scheduler);
}

static void give_way(void) {
    patience = PATIENCE;
    now->barrier = 0;
    switch_to(&now->stack_pointer, scheduler);
}

static void fence(void);

static char *in_global(uint64_t address, int length, int writes, int line) {
    changes += writes;
    if (address % length) fault("misaligned access to global memory", line, address);
    for (int k = 0; k < arrays; k++)
        if (begins[k] <= address && address + length <= ends[k]) return (char *)address;
    uint64_t offset = address - (uint64_t)variables;
    if (offset < VARIABLES && offset + length <= VARIABLES) return (char *)address;
    fault("outside of all arrays", line, address);
    return nowhere;
}

static char *in_shared(uint64_t address, int length, int writes, int line) {
    changes += writes;
    uint64_t offset = address - (uint64_t)here->shared, interval = here->interval;
    int me = now->number;
    if (offset + length > SHARED + dynamic_bytes) {
        fault("outside of shared memory", line, address);
        return nowhere;
    }
    if (address % length) fault("misaligned access to shared memory", line, offset);
    for (uint64_t k = offset / 4; k < (offset + length + 3) / 4; k++) {
        if (here->written[k] == interval && here->writer[k] != me)
            fault("a race: another thread has written here", line, offset);
        if (writes) {
            if (here->read_in[k] == interval && here->reader[k] != me)
                fault("a race: another thread has read here", line, offset);
            here->written[k] = interval;
            here->writer[k] = me;
        } else {
            here->reader[k] = here->read_in[k] == interval && here->reader[k] != me ? SEVERAL : me;
            here->read_in[k] = interval;
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
    if (address - (uint64_t)here->shared < SHARED + dynamic_bytes) return in_shared(address, length, writes, line);
    if (address - (uint64_t)depot < (uint64_t)size) return in_local(address, length, depot, size, line);
    return in_global(address, length, writes, line);
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

static uint64_t chance = 1;
static uint64_t draw(void) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    return chance ^= chance << 17;
}

static void fence(void) {
    if (draw() % 4 == 0) give_way();
}

static void prepare(Thread *one, int number, char **stack) {
    if (!*stack) *stack = malloc(STACK);
    uint64_t *top = (uint64_t *)((uint64_t)(*stack + STACK) & ~15ull);
    *--top = 0;
    *--top = (uint64_t)thread;
    for (int saved = 0; saved < 6; saved++) *--top = 0;
    one->stack_pointer = top;
    one->ended = 0;
    one->number = number;
    one->place[0] = number % ntid[0];
    one->place[1] = number / ntid[0] % ntid[1];
    one->place[2] = number / ntid[0] / ntid[1];
}

static void swap(Thread **order, int one, int other) {
    Thread *kept = order[one];
    order[one] = order[other];
    order[other] = kept;
}

/* All threads that wait can go on, in a random order. */
static void pass_barrier(Block *block) {
    block->ready = block->waiting;
    block->waiting = block->ended = 0;
    block->interval = ++intervals;
    for (int k = block->ready - 1; k > 0; k--) swap(block->order, k, draw() % (k + 1));
}

static void begin(Block *block, uint64_t number, int count) {
    block->place[0] = number % nctaid[0];
    block->place[1] = number / nctaid[0] % nctaid[1];
    block->place[2] = number / nctaid[0] / nctaid[1];
    size_t bytes = SHARED + dynamic_bytes;
    if (!block->shared || block->room < bytes) {
        size_t words = bytes / 4 + 1;
        block->room = bytes;
        block->written = calloc(words, sizeof *block->written);
        block->read_in = calloc(words, sizeof *block->read_in);
        block->writer = calloc(words, sizeof *block->writer);
        block->reader = calloc(words, sizeof *block->reader);
        block->shared = aligned_alloc(256, (bytes + 16 + 255) & ~255ull);
    }
    memset(block->shared, 0xFF, bytes);
    for (int k = 0; k < count; k++) {
        prepare(&block->threads[k], k, &stacks[block->slot * MOST_THREADS + k]);
        block->order[k] = &block->threads[k];
    }
    block->waiting = count;
    pass_barrier(block);
}

/* Let threads of the block go on until one gives way, all are at a barrier, or all have ended. */
static int go_on(Block *block) {
    here = block;
    while (block->ready) {
        int last = --block->ready;
        now = block->order[last];
        patience = PATIENCE;
        switch_to(&scheduler, now->stack_pointer);
        if (now->ended) {
            /* The last of those that wait takes its place. */
            block->order[last] = block->order[last + block->waiting];
            block->ended++;
            changes++;
        } else if (now->barrier) {
            if (!block->waiting++)
                block->meet = now->barrier;
            else if (block->meet != now->barrier)
                fault("threads of a block wait at different barriers", block->meet, now->barrier);
        } else {
            swap(block->order, last, draw() % (last + 1));
            block->ready++;
            return GAVE_WAY;
        }
    }
    if (block->waiting && block->ended)
        fault("a thread has ended while others wait at a barrier", block->meet, block->ended);
    pass_barrier(block);
    return block->ready ? AT_BARRIER : ENDED;
}

static Block **begun;
static int number_begun, slots;

static void run_blocks(uint64_t blocks, int threads, int resident) {
    uint64_t first = draw() % blocks, next = 0, seen = changes, quiet = 0;
    number_begun = 0;
    while ((number_begun || next < blocks) && !faults) {
        uint64_t ready = 0;
        int chosen = draw() % (number_begun + 1);
        int only_waiting = 0;
        if (quiet) {
            for (int k = 0; k < number_begun; k++) ready += begun[k]->ready;
            only_waiting = quiet > 4 * ready;
        }
        if (next < blocks && number_begun < resident &&
            (!number_begun || only_waiting || (MEET && chosen == number_begun && number_begun < LIVELY))) {
            chosen = number_begun++;
            if (chosen == slots) {
                begun = realloc(begun, ++slots * sizeof *begun);
                begun[chosen] = calloc(1, sizeof **begun);
                begun[chosen]->slot = chosen;
            }
            begin(begun[chosen], (first + next++) % blocks, threads);
        } else if (quiet > 100 * ready + 100) {
            fault(next < blocks ? "all blocks that fit onto the card wait for others" : "all blocks wait for each other",
                  0, number_begun);
            return;
        }
        if (chosen == number_begun) chosen--;
        Block *block = begun[chosen];
        int come_to;
        do come_to = go_on(block);
        while (come_to == AT_BARRIER && (!MEET || draw() % 4) && !faults);
        if (come_to == ENDED) {
            begun[chosen] = begun[--number_begun];
            begun[number_begun] = block;
        }
        quiet = changes == seen ? quiet + 1 : 0;
        seen = changes;
    }
}

/* `given` points to each parameter; `resident`: blocks that fit onto the card; `shared_bytes`: what the launch adds to
 * SHARED. Returns the number of faults; `message` (300 bytes) describes the first. `all_stacks`: MOST_THREADS pointers
 * for each resident block, NULL at first. One kernel runs at a time.
 */
int run(const uint32_t *grid, const uint32_t *block, void **given, const uint64_t *begin, const uint64_t *end,
        int count, uint64_t seed, char *message, char **all_stacks, int resident, uint32_t shared_bytes) {
    int size = block[0] * block[1] * block[2];
    memcpy(nctaid, grid, sizeof nctaid);
    memcpy(ntid, block, sizeof ntid);
    given_arguments = given;
    begins = begin;
    ends = end;
    arrays = count;
    stacks = all_stacks;
    dynamic_bytes = shared_bytes;
    chance = seed | 1;
    faults = 0;
    first_fault[0] = 0;
    run_blocks((uint64_t)grid[0] * grid[1] * grid[2], size, resident);
    memcpy(message, first_fault, sizeof first_fault);
    return faults;
}
