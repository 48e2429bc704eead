// A load generator: prepared requests over keep-alive connections, one request at a time on each.
// Arguments: port, connections, file of requests. Each line on standard input is `seconds rate limit mode`: rate 0 sends as
// fast as the answers come, else so many a second at even distances, and latency counts from when a request was due. It ends
// after that time or that many requests. Mode `once` sends each request once and goes on where the last line ended, `again`
// begins anew at the end of the file. The answer is one line: requests answered with 2xx, others, seconds, CPU seconds,
// median, 99th percentile and maximum of the latency in microseconds, bytes of the last answer's body.
#define _GNU_SOURCE
#include "http_client.h"

static struct requests requests;
static size_t next_request;
static int epoll;

struct slot {
    struct connection connection;
    long long due;
    int busy, waits_to_write;
};

static void start(struct slot *slot, size_t index, long long due) {
    begin(&slot->connection, requests.text[index], requests.length[index]);
    slot->due = due;
    slot->busy = 1;
    if (!send_rest(&slot->connection)) {
        slot->waits_to_write = 1;
        watch(epoll, &slot->connection, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT, (uint64_t)(uintptr_t)slot);
    }
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static size_t body_length(const struct connection *connection) {
    const char *end = strstr(connection->answer, "\r\n\r\n");
    return end ? connection->received - (size_t)(end + 4 - connection->answer) : 0;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int port = atoi(argv[1]), count = atoi(argv[2]);
    requests = read_requests(argv[3]);
    epoll = epoll_create1(0);
    struct slot *slots = calloc((size_t)count, sizeof *slots);
    for (int i = 0; i < count; i++) {
        slots[i].connection.socket = connect_to(port);
        watch(epoll, &slots[i].connection, EPOLL_CTL_ADD, EPOLLIN, (uint64_t)(uintptr_t)&slots[i]);
    }
    char line[128], mode[16];
    while (fgets(line, sizeof line, stdin)) {
        double seconds, rate;
        size_t limit;
        if (sscanf(line, "%lf %lf %zu %15s", &seconds, &rate, &limit, mode) != 4) return 2;
        int repeats = !strcmp(mode, "again");
        size_t capacity = 1 << 16, done = 0, sent = 0, good = 0, bad = 0, in_flight = 0, bytes = 0;
        uint32_t *latencies = malloc(capacity * sizeof *latencies);
        double cpu = cpu_seconds();
        long long begun = nanoseconds(CLOCK_MONOTONIC), end = begun + (long long)(seconds * 1e9), last = begun;
        for (;;) {
            long long now = nanoseconds(CLOCK_MONOTONIC);
            int more = now < end && sent < limit && (repeats || next_request < requests.count);
            for (int i = 0; more && i < count; i++) {
                if (slots[i].busy) continue;
                long long due = rate > 0 ? begun + (long long)(sent / rate * 1e9) : now;
                if (due > now) break;
                start(&slots[i], next_request++ % requests.count, due);
                sent++, in_flight++;
                more = sent < limit && (repeats || next_request < requests.count);
            }
            if (!more && !in_flight) break;
            if (now > end + 30000000000LL) return 3;
            struct epoll_event events[64];
            // With a rate, wake up in time for the next request.
            long long wait = 100000000;
            if (rate > 0 && more) wait = begun + (long long)(sent / rate * 1e9) - nanoseconds(CLOCK_MONOTONIC);
            struct timespec until = {.tv_nsec = wait < 0 ? 0 : wait > 100000000 ? 100000000 : wait};
            int ready = epoll_pwait2(epoll, events, 64, &until, NULL);
            for (int i = 0; i < ready; i++) {
                struct slot *slot = (struct slot *)(uintptr_t)events[i].data.u64;
                if (slot->waits_to_write && send_rest(&slot->connection)) {
                    slot->waits_to_write = 0;
                    watch(epoll, &slot->connection, EPOLL_CTL_MOD, EPOLLIN, (uint64_t)(uintptr_t)slot);
                }
                int status = receive(&slot->connection);
                if (status < 0) {
                    fprintf(stderr, "the server closed a connection\n");
                    return 1;
                }
                if (!status) continue;
                last = nanoseconds(CLOCK_MONOTONIC);
                if (done == capacity) latencies = realloc(latencies, (capacity *= 2) * sizeof *latencies);
                latencies[done++] = (uint32_t)((last - slot->due) / 1000);
                if (status >= 200 && status < 300) good++; else {
                    if (!bad) fprintf(stderr, "answer: %.400s\n", slot->connection.answer);
                    bad++;
                }
                bytes = body_length(&slot->connection);
                slot->busy = 0;
                in_flight--;
                // Answers at once, before other sockets are looked at, when nothing else says when to send.
                if (rate == 0 && last < end && sent < limit && (repeats || next_request < requests.count)) {
                    start(slot, next_request++ % requests.count, last);
                    sent++, in_flight++;
                }
            }
        }
        qsort(latencies, done, sizeof *latencies, compare);
        printf("%zu %zu %.6f %.6f %u %u %u %zu\n", good, bad, (last - begun) / 1e9, cpu_seconds() - cpu,
               done ? latencies[done / 2] : 0, done ? latencies[done * 99 / 100] : 0, done ? latencies[done - 1] : 0,
               bytes);
        fflush(stdout);
        free(latencies);
    }
    return 0;
}
