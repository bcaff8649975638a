/* The lock, the entrance of every function of the API, random numbers and settings. */
#include "card.h"

#include <sys/random.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void enter_card(void) { pthread_mutex_lock(&lock); }

void leave_card(int *unused) {
    (void)unused;
    pthread_mutex_unlock(&lock);
}

void wait_for_change(void) { pthread_cond_wait(&changed, &lock); }

void tell_change(void) { pthread_cond_broadcast(&changed); }

const char *setting(const char *name) {
    char whole[64];
    snprintf(whole, sizeof whole, "DIGITLAB_CARD_%s", name);
    return getenv(whole);
}

uint64_t draw(uint64_t below) {
    static uint64_t state = 0;
    while (!state) {
        const char *seed = setting("SEED");
        if (seed)
            state = strtoull(seed, NULL, 10) * 2 + 1;
        else if (getrandom(&state, sizeof state, 0) < 0)
            state = 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 8) % below;
}

int is_sticky(CUresult code) {
    switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_UNKNOWN:
        return 1;
    default:
        return 0;
    }
}
