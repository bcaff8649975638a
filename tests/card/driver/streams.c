/* Streams, events, and the worker that does what is queued.
 *
 * One thread, the worker, does all work of all cards. It takes the first work of a stream that may run now; of several
 * such streams a random one (DIGITLAB_CARD_SEED repeats the choices). So work that nothing orders is done in an order
 * of its own at each run. With DIGITLAB_CARD_LAZY=1 the worker begins only when the host waits for something: what the
 * host reads without waiting is then never there.
 */
#include "card.h"

#include <time.h>

CUstream all_streams;
static CUevent all_events;
static unsigned long long queued; /* numbers the work */
static int waiting; /* threads of the host that wait */
static int worker_busy, stopping;

CUstream new_stream(CUcontext context, unsigned flags) {
    CUstream stream = calloc(1, sizeof *stream);
    stream->context = context;
    stream->flags = flags;
    stream->next = all_streams;
    all_streams = stream;
    return stream;
}

CUresult find_stream(CUstream *stream) {
    CUcontext context = current_context();
    if (!*stream || *stream == CU_STREAM_LEGACY || *stream == CU_STREAM_PER_THREAD) {
        *stream = context->legacy;
        return CUDA_SUCCESS;
    }
    for (CUstream one = all_streams; one; one = one->next)
        if (one == *stream) return CUDA_SUCCESS;
    return CUDA_ERROR_INVALID_HANDLE;
}

static int is_event(CUevent event) {
    for (CUevent one = all_events; one; one = one->next)
        if (one == event) return !one->destroyed;
    return 0;
}

static void unlink_event(CUevent event) {
    CUevent *place = &all_events;
    while (*place != event) place = &(*place)->next;
    *place = event->next;
    free(event->ends.nodes);
    free(event);
}

static void end_use(CUevent event) {
    event->uses--;
    if (event->destroyed && !event->uses) unlink_event(event);
}

void release_work(Work *work) {
    free(work->arguments);
    if (work->event) end_use(work->event);
    if (work->graph) release_graph(work->graph);
}

/* -- the worker ------------------------------------------------------------------------------------------------ */

static int is_legacy(CUstream stream) { return stream == stream->context->legacy; }

/* Whether the two streams order each other: the default stream and every stream that is not "non-blocking". */
static int order_each_other(CUstream one, CUstream other) {
    if (one->context != other->context || is_legacy(one) == is_legacy(other)) return 0;
    return !((one->flags | other->flags) & CU_STREAM_NON_BLOCKING);
}

static int may_run(CUstream stream) {
    Work *work = stream->first;
    if (!work || stream->running) return 0;
    if (work->kind == WAIT && work->event->done < work->record && !stream->context->broken) return 0;
    for (CUstream other = all_streams; other; other = other->next)
        if (order_each_other(stream, other) && other->first && other->first->number < work->number) return 0;
    return 1;
}

static CUstream choose_stream(void) {
    int found = 0;
    CUstream chosen = NULL;
    if (setting("LAZY") && !waiting) return NULL;
    for (CUstream stream = all_streams; stream; stream = stream->next)
        if (may_run(stream) && !draw(++found)) chosen = stream;
    return chosen;
}

static double now_in_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

/* With the lock, which a kernel releases while it runs. */
static CUresult run(Work *work) {
    switch (work->kind) {
    case COPY:
    case SET: return run_copy(work);
    case LAUNCH: return run_launch(work);
    case REPLAY: return run_graph(work->graph);
    default: return CUDA_SUCCESS;
    }
}

static void do_first_work(CUstream stream) {
    Work *work = stream->first;
    CUcontext context = stream->context;
    stream->running = 1;
    worker_busy = 1;
    if (!context->broken) {
        CUresult result = run(work);
        if (result && !context->broken) context->broken = result;
    }
    worker_busy = 0;
    if (work->kind == RECORD) {
        work->event->done = work->record;
        work->event->seconds = now_in_seconds();
    }
    stream->running = 0;
    stream->first = work->next;
    if (!stream->first) stream->last = NULL;
    release_work(work);
    free(work);
    tell_change();
}

static void *do_all_work(void *unused) {
    enter_card();
    for (;;) {
        CUstream stream = stopping ? NULL : choose_stream();
        if (stream)
            do_first_work(stream);
        else
            wait_for_change();
    }
    return unused;
}

/* The library may be unloaded only when no kernel runs. */
__attribute__((destructor)) static void stop_worker(void) {
    int unused = 0;
    enter_card();
    stopping = 1;
    while (worker_busy) wait_for_change();
    leave_card(&unused);
}

CUresult enqueue(CUstream stream, Work work) {
    static int started;
    if (stream->capture) return capture_work(stream, work);
    if (is_legacy(stream)) TRY(refuse_legacy_in_capture(stream->context));
    if (!started) {
        pthread_t thread;
        started = 1;
        pthread_create(&thread, NULL, do_all_work, NULL);
        pthread_detach(thread);
    }
    Work *kept = malloc(sizeof *kept);
    *kept = work;
    kept->number = ++queued;
    kept->context = stream->context;
    kept->next = NULL;
    if (work.event) work.event->uses++;
    if (stream->last)
        stream->last->next = kept;
    else
        stream->first = kept;
    stream->last = kept;
    tell_change();
    return CUDA_SUCCESS;
}

CUresult wait_for_stream(CUstream stream) {
    waiting++;
    tell_change();
    /* The work that is queued now; another thread may go on to queue more. */
    unsigned long long newest = queued;
    while (stream->first && stream->first->number <= newest) wait_for_change();
    waiting--;
    return stream->context->broken;
}

static int has_work(CUcontext context, unsigned long long newest) {
    for (CUstream stream = all_streams; stream; stream = stream->next)
        if (stream->context == context && stream->first && stream->first->number <= newest) return 1;
    return 0;
}

CUresult wait_for_context(CUcontext context) {
    waiting++;
    tell_change();
    unsigned long long newest = queued;
    while (has_work(context, newest)) wait_for_change();
    waiting--;
    return context->broken;
}

static void unlink_stream(CUstream stream) {
    CUstream *place = &all_streams;
    while (*place != stream) place = &(*place)->next;
    *place = stream->next;
    free(stream->ends.nodes);
    free(stream);
}

void destroy_streams_of(CUcontext context) {
    CUstream stream = all_streams;
    while (stream) {
        CUstream next = stream->next;
        if (stream->context == context) unlink_stream(stream);
        stream = next;
    }
}

/* -- functions of the API -------------------------------------------------------------------------------------- */

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    CALL(cuStreamCreateWithPriority, IN_CONTEXT);
    REQUIRE(stream && flags <= CU_STREAM_NON_BLOCKING);
    *stream = new_stream(current_context(), flags);
    (*stream)->priority = priority;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    CALL(cuStreamCreate, IN_CONTEXT);
    REQUIRE(stream && flags <= CU_STREAM_NON_BLOCKING);
    *stream = new_stream(current_context(), flags);
    return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream) {
    CALL(cuStreamDestroy, IN_CONTEXT);
    TRY(find_stream(&stream));
    if (is_legacy(stream)) return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = wait_for_stream(stream);
    unlink_stream(stream);
    return result;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
    CALL(cuStreamGetCtx, IN_CONTEXT);
    TRY(find_stream(&stream));
    *context = stream->context;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
    CALL(cuStreamGetFlags, IN_CONTEXT);
    TRY(find_stream(&stream));
    *flags = stream->flags;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority) {
    CALL(cuStreamGetPriority, IN_CONTEXT);
    TRY(find_stream(&stream));
    *priority = stream->priority;
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream) {
    CALL(cuStreamSynchronize, IN_CONTEXT);
    TRY(find_stream(&stream));
    if (stream->capture) {
        stream->capture->invalid = 1;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (is_legacy(stream)) TRY(refuse_legacy_in_capture(stream->context));
    return wait_for_stream(stream);
}

CUresult cuStreamQuery(CUstream stream) {
    CALL(cuStreamQuery, IN_CONTEXT);
    TRY(find_stream(&stream));
    if (stream->capture) {
        stream->capture->invalid = 1;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return stream->first ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    CALL(cuStreamWaitEvent, IN_CONTEXT);
    (void)flags;
    TRY(find_stream(&stream));
    if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture || event->capture) return capture_wait(stream, event);
    return enqueue(stream, (Work){.kind = WAIT, .event = event, .record = event->recorded});
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    CALL(cuEventCreate, IN_CONTEXT);
    CUevent made = calloc(1, sizeof *made);
    made->context = current_context();
    made->flags = flags;
    made->next = all_events;
    all_events = made;
    *event = made;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event) {
    CALL(cuEventDestroy, IN_CONTEXT);
    if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
    event->destroyed = 1;
    if (!event->uses) unlink_event(event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    CALL(cuEventRecord, IN_CONTEXT);
    TRY(find_stream(&stream));
    if (!is_event(event) || event->context != stream->context) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) return capture_record(stream, event);
    event->capture = 0;
    return enqueue(stream, (Work){.kind = RECORD, .event = event, .record = ++event->recorded});
}

CUresult cuEventSynchronize(CUevent event) {
    CALL(cuEventSynchronize, IN_CONTEXT);
    if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
    if (event->capture) return CUDA_ERROR_CAPTURED_EVENT;
    unsigned long long record = event->recorded;
    waiting++;
    tell_change();
    while (event->done < record && !event->context->broken) wait_for_change();
    waiting--;
    return event->context->broken;
}

CUresult cuEventQuery(CUevent event) {
    CALL(cuEventQuery, IN_CONTEXT);
    if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
    if (event->capture) return CUDA_ERROR_CAPTURED_EVENT;
    return event->done < event->recorded ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end) {
    CALL(cuEventElapsedTime, IN_CONTEXT);
    if (!is_event(begin) || !is_event(end)) return CUDA_ERROR_INVALID_HANDLE;
    if (begin->capture || end->capture) return CUDA_ERROR_CAPTURED_EVENT;
    if ((begin->flags | end->flags) & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
    if (!begin->recorded || !end->recorded) return CUDA_ERROR_INVALID_HANDLE;
    if (begin->done < begin->recorded || end->done < end->recorded) return CUDA_ERROR_NOT_READY;
    *milliseconds = (end->seconds - begin->seconds) * 1000;
    return CUDA_SUCCESS;
}
