/* Stream capture and graphs, by the rules of the chapter "CUDA Graphs" of NVIDIA's programming guide.
 *
 * A captured launch becomes a node that depends on the ends of its stream. A replay runs the nodes in a random order
 * that the dependencies allow, so a missing dependency changes results.
 */
#include "card.h"

enum { FIRST_ROOM = 16 };

void add_index(Indices *indices, int node) {
    for (int k = 0; k < indices->count; k++)
        if (indices->nodes[k] == node) return;
    indices->nodes = realloc(indices->nodes, (indices->count + 1) * sizeof *indices->nodes);
    indices->nodes[indices->count++] = node;
}

void copy_indices(Indices *to, const Indices *from) {
    to->count = 0;
    for (int k = 0; k < from->count; k++) add_index(to, from->nodes[k]);
}

static void empty_indices(Indices *indices) {
    free(indices->nodes);
    *indices = (Indices){0, NULL};
}

/* -- capture ---------------------------------------------------------------------------------------------------- */

/* In "global" mode a capture forbids such calls to every thread, in "thread local" mode to its own. */
CUresult refuse_in_capture(int even_if_relaxed) {
    for (CUstream stream = all_streams; stream; stream = stream->next) {
        Capture *capture = stream->capture;
        if (!capture || stream->context != current_context()) continue;
        int mine = pthread_equal(capture->thread, pthread_self());
        int forbidden = capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL ||
                        (capture->mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL && mine);
        if (!forbidden && !even_if_relaxed) continue;
        capture->invalid = 1;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return CUDA_SUCCESS;
}

/* The default stream would have to wait for the streams that are captured, which have nothing to wait for. */
CUresult refuse_legacy_in_capture(CUcontext context) {
    for (CUstream stream = all_streams; stream; stream = stream->next) {
        if (!stream->capture || stream->context != context || stream->flags & CU_STREAM_NON_BLOCKING) continue;
        stream->capture->invalid = 1;
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    return CUDA_SUCCESS;
}

CUresult capture_work(CUstream stream, Work work) {
    Capture *capture = stream->capture;
    if (capture->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    CUgraph graph = capture->graph;
    if (work.kind == REPLAY) return CUDA_ERROR_NOT_SUPPORTED;
    if (graph->count == graph->room) {
        graph->room = graph->room ? 2 * graph->room : FIRST_ROOM;
        graph->nodes = realloc(graph->nodes, graph->room * sizeof *graph->nodes);
    }
    Node *node = &graph->nodes[graph->count];
    *node = (Node){.work = work};
    node->work.context = stream->context;
    copy_indices(&node->after, &stream->ends);
    stream->ends.count = 0;
    add_index(&stream->ends, graph->count++);
    return CUDA_SUCCESS;
}

CUresult capture_record(CUstream stream, CUevent event) {
    if (stream->capture->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    event->capture = stream->capture->id;
    copy_indices(&event->ends, &stream->ends);
    return CUDA_SUCCESS;
}

static Capture *capture_with(unsigned long long id) {
    for (CUstream stream = all_streams; stream; stream = stream->next)
        if (stream->capture && stream->capture->id == id) return stream->capture;
    return NULL;
}

/* A stream that waits for an event of a capture takes part in the capture from then on. */
CUresult capture_wait(CUstream stream, CUevent event) {
    Capture *other = event->capture ? capture_with(event->capture) : NULL;
    if (!stream->capture) {
        if (!other) return CUDA_ERROR_CAPTURED_EVENT; /* of a capture that has ended */
        if (other->origin->context != stream->context) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
        if (stream == stream->context->legacy) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
        stream->capture = other;
    }
    Capture *capture = stream->capture;
    if (capture->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (other != capture) {
        capture->invalid = 1;
        if (other) other->invalid = 1;
        return other ? CUDA_ERROR_STREAM_CAPTURE_MERGE : CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    for (int k = 0; k < event->ends.count; k++) add_index(&stream->ends, event->ends.nodes[k]);
    return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    CALL(cuStreamBeginCapture, IN_CONTEXT);
    static unsigned long long ids;
    TRY(find_stream(&stream));
    if (stream == stream->context->legacy) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture) return CUDA_ERROR_ILLEGAL_STATE;
    Capture *capture = calloc(1, sizeof *capture);
    *capture = (Capture){.origin = stream, .mode = mode, .thread = pthread_self(), .id = ++ids};
    capture->graph = calloc(1, sizeof *capture->graph);
    capture->graph->references = 1;
    stream->capture = capture;
    stream->ends.count = 0;
    return CUDA_SUCCESS;
}

static void mark_before(CUgraph graph, const Indices *indices, char *seen) {
    for (int k = 0; k < indices->count; k++) {
        int node = indices->nodes[k];
        if (seen[node]) continue;
        seen[node] = 1;
        mark_before(graph, &graph->nodes[node].after, seen);
    }
}

/* Whether every captured node is before the end of the stream where the capture began. */
static int is_joined(Capture *capture) {
    char *seen = calloc(1, capture->graph->count + 1);
    mark_before(capture->graph, &capture->origin->ends, seen);
    int joined = !memchr(seen, 0, capture->graph->count);
    free(seen);
    return joined;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    CALL(cuStreamEndCapture, IN_CONTEXT);
    TRY(find_stream(&stream));
    Capture *capture = stream->capture;
    *graph = NULL;
    if (!capture) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    CUresult result = CUDA_SUCCESS;
    if (capture->invalid)
        result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    else if (!is_joined(capture))
        result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    for (CUstream one = all_streams; one; one = one->next) {
        if (one->capture != capture) continue;
        one->capture = NULL;
        empty_indices(&one->ends);
    }
    if (result)
        release_graph(capture->graph);
    else
        *graph = capture->graph;
    free(capture);
    return result;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    CALL(cuStreamIsCapturing, IN_CONTEXT);
    TRY(find_stream(&stream));
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (stream->capture)
        *status = stream->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

/* -- graphs: an executable graph is the graph itself, with one reference more -------------------------------------- */

void release_graph(CUgraph graph) {
    if (--graph->references) return;
    for (int k = 0; k < graph->count; k++) {
        release_work(&graph->nodes[k].work);
        free(graph->nodes[k].after.nodes);
    }
    free(graph->nodes);
    free(graph);
}

CUresult cuGraphInstantiate(CUgraphExec *executable, CUgraph graph, unsigned long long flags) {
    CALL(cuGraphInstantiate, IN_CONTEXT);
    REQUIRE(executable && graph && !flags);
    graph->references++;
    *executable = (CUgraphExec)graph;
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
    CALL(cuGraphDestroy, IN_CONTEXT);
    REQUIRE(graph);
    release_graph(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
    CALL(cuGraphExecDestroy, IN_CONTEXT);
    REQUIRE(executable);
    release_graph((CUgraph)executable);
    return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
    CALL(cuGraphLaunch, IN_CONTEXT);
    TRY(find_stream(&stream));
    REQUIRE(executable);
    CUgraph graph = (CUgraph)executable;
    if (stream->capture) return CUDA_ERROR_NOT_SUPPORTED;
    graph->references++;
    return enqueue(stream, (Work){.kind = REPLAY, .graph = graph});
}

static int is_ready(const Node *node, const char *done) {
    for (int k = 0; k < node->after.count; k++)
        if (!done[node->after.nodes[k]]) return 0;
    return 1;
}

CUresult run_graph(CUgraph graph) {
    char *done = calloc(1, graph->count + 1);
    CUresult result = CUDA_SUCCESS;
    for (int left = graph->count; left && !result; left--) {
        int found = 0, chosen = 0;
        for (int k = 0; k < graph->count; k++)
            if (!done[k] && is_ready(&graph->nodes[k], done) && !draw(++found)) chosen = k;
        const Work *work = &graph->nodes[chosen].work;
        result = work->kind == LAUNCH ? run_launch(work) : run_copy(work);
        done[chosen] = 1;
    }
    free(done);
    return result;
}
