/* What the files of the driver share. Every type and prototype of the driver API is NVIDIA's own, from cuda.h.
 *
 * One lock guards all state. A function of the API holds it from its first statement (CALL) to its return; the worker
 * releases it only while it runs a kernel.
 */
#ifndef CARD_H
#define CARD_H

#define _GNU_SOURCE
#include <cuda.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CARDS 8
#define WARP 32
#define MOST_THREADS_PER_BLOCK 1024

typedef struct {
    int major, minor; /* compute capability */
    size_t used; /* bytes that are allocated */
    CUcontext primary; /* NULL until it is retained for the first time */
    unsigned flags; /* of the primary context */
} Card;

struct CUctx_st {
    Card *card;
    int retained;
    CUresult broken; /* the first sticky error: every later call fails with it */
    CUstream legacy; /* the default stream */
    unsigned long long id;
};

/* A set of indices of nodes. */
typedef struct { int count, *nodes; } Indices;

typedef struct {
    void *library; /* a shared object, compiled from the kernel's PTX */
    char *name;
    int parameters;
    const int *sizes; /* bytes of each parameter */
    int most_threads; /* launch bounds, or MOST_THREADS_PER_BLOCK */
    int shared_bytes;
    int most_dynamic; /* bytes of shared memory that a launch may add */
    int (*run)(const uint32_t *grid, const uint32_t *block, void **given, const uint64_t *begins, const uint64_t *ends,
               int arrays, uint64_t seed, char *message, char **stacks, int resident,
               uint32_t shared); /* of tests/card/runtime.c */
} Kernel;

typedef enum { COPY, SET, LAUNCH, RECORD, WAIT, REPLAY } Kind;

/* One piece of work in the queue of a stream, or in a node of a graph. */
typedef struct Work {
    Kind kind;
    struct Work *next;
    unsigned long long number; /* in the order in which the host queued it */
    CUcontext context;
    char *to;
    const char *from;
    size_t bytes;
    int to_card, from_card; /* whether these are addresses of a card */
    unsigned char value;
    Kernel *kernel;
    uint32_t grid[3], block[3], shared;
    uint64_t *arguments;
    CUevent event;
    unsigned long long record; /* the record of the event that is made or waited for */
    CUgraph graph;
} Work;

typedef struct { Work work; Indices after; } Node;

struct CUgraph_st {
    int references;
    int count, room;
    Node *nodes;
};

typedef struct Capture {
    CUstream origin;
    CUstreamCaptureMode mode;
    pthread_t thread;
    unsigned long long id;
    CUgraph graph;
    int invalid;
} Capture;

struct CUstream_st {
    struct CUstream_st *next; /* in the list of all streams */
    CUcontext context;
    unsigned flags;
    int priority;
    Work *first, *last;
    int running;
    Capture *capture;
    Indices ends; /* nodes that its next captured work depends on */
};

struct CUevent_st {
    struct CUevent_st *next; /* in the list of all events */
    CUcontext context;
    unsigned flags;
    unsigned long long recorded, done; /* numbers of its newest record and of the newest that is complete */
    double seconds; /* when it was complete */
    int uses; /* by work in queues */
    int destroyed;
    unsigned long long capture; /* id of the capture in which it was last recorded, or 0 */
    Indices ends;
};

/* -- card.c: the lock, the entrance of every function, settings ------------------------------------------- */

typedef struct Call { const char *name; long count; struct Call *next; } Call;

enum { ANY_TIME, AFTER_INIT, IN_CONTEXT };

CUresult begin_call(Call *call, int needs);
void enter_card(void);
void leave_card(int *unused);
void wait_for_change(void);
void tell_change(void);
uint64_t draw(uint64_t below); /* a random number from 0 to below - 1 */
const char *setting(const char *name); /* DIGITLAB_CARD_<name>, or NULL */
int is_sticky(CUresult code);

/* The first statement of every function: takes the lock, counts the call and makes an injected fault happen. */
#define CALL(function, needs)                                       \
    __attribute__((cleanup(leave_card), unused)) int entered = 1;   \
    enter_card();                                                   \
    static Call call = {#function, 0, NULL};                        \
    CUresult refused = begin_call(&call, needs);                    \
    if (refused) return refused

/* A value that is not there is an error of the caller. */
#define REQUIRE(condition) \
    if (!(condition)) return CUDA_ERROR_INVALID_VALUE

#define TRY(expression)                     \
    do {                                    \
        CUresult failed = (expression);     \
        if (failed) return failed;          \
    } while (0)

/* -- faults.c: injected faults, names of errors, what was called -------------------------------------------- */

CUresult injected_fault(const char *name, long count);
CUresult code_named(const char *name);

/* -- devices.c: cards and contexts -------------------------------------------------------------------------- */

extern Card cards[MOST_CARDS];
CUcontext current_context(void);
int is_initialized(void);
size_t memory_of_a_card(void);
int multiprocessors(void); /* of each card */

/* -- memory.c ----------------------------------------------------------------------------------------------- */

/* The allocation that holds [address, address + bytes), or NULL; its limits in *begin and *end. */
int find_allocation(CUcontext context, uint64_t address, size_t bytes, uint64_t *begin, uint64_t *end);
void free_memory_of(CUcontext context);
CUresult run_copy(const Work *work); /* a copy or a set, with the lock; a graph may be older than its memory */

/* -- streams.c: queues, the worker, events ------------------------------------------------------------------- */

CUresult find_stream(CUstream *stream); /* replaces a handle of the default stream; an error for one that is none */
CUresult enqueue(CUstream stream, Work work); /* into the queue, or into the capture of the stream */
CUresult wait_for_stream(CUstream stream);
CUresult wait_for_context(CUcontext context);
CUstream new_stream(CUcontext context, unsigned flags);
void destroy_streams_of(CUcontext context);
void release_work(Work *work);
extern CUstream all_streams;

/* -- graphs.c: captures and graphs ---------------------------------------------------------------------------- */

/* Whether a call that no capture may contain is made while one is under way, which makes the capture invalid. */
CUresult refuse_in_capture(int even_if_relaxed);
CUresult refuse_legacy_in_capture(CUcontext context);
CUresult capture_work(CUstream stream, Work work);
CUresult capture_record(CUstream stream, CUevent event);
CUresult capture_wait(CUstream stream, CUevent event);
CUresult run_graph(CUgraph graph);
void release_graph(CUgraph graph);
void add_index(Indices *indices, int node);
void copy_indices(Indices *to, const Indices *from);

/* -- launch.c: kernels ------------------------------------------------------------------------------------------ */

CUresult run_launch(const Work *work);

#endif
