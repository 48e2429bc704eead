// Holds polls, and measures how soon they are answered when something is pushed to their accounts.
// Arguments: port, file of GETs (one an account), file of pushes (push i is for account i modulo the accounts). Account i is
// held by connection i; pushes go over a few more. Each line on standard input is a command, each is answered with one line:
//   cursors            asks for every snapshot over a few connections and keeps the cursors
//   hold               opens the connections and sends a poll on each; answers how many seconds that took
//   wake N RATE FILE   sends the next N pushes at a rate; each is for an account that is held, whose poll is answered then
//                      and sent again with the new cursor. Writes for each push the times in microseconds since 1970 at which
//                      it was sent, was answered, and its poll was answered. Answers: polls answered, others, seconds.
#define _GNU_SOURCE
#include "http_client.h"

enum { PUSHERS = 32, CURSOR = 160 };

struct slot {
    struct connection connection;
    int is_pusher, busy;
    size_t account, push;
};

struct times {
    long long sent, answered, woken;
};

static struct requests gets, pushes;
static struct slot *holders, pushers[PUSHERS];
static char (*cursors)[CURSOR];
static size_t next_push;
static struct times *times;
static size_t *push_of_account;
static int epoll, port;
static size_t count;

static void keep_cursor(const struct connection *connection, size_t account) {
    const char *header = strcasestr(connection->answer, "\r\nEntitlement-Cursor: ");
    if (!header) {
        fprintf(stderr, "an answer has no cursor: %.300s\n", connection->answer);
        exit(1);
    }
    header += 22;
    size_t length = strcspn(header, "\r");
    if (length >= CURSOR) exit(1);
    memcpy(cursors[account], header, length);
    cursors[account][length] = 0;
}

// The poll of an account: its GET with the cursor put behind the query.
static void poll(struct slot *slot) {
    static char request[4096];
    size_t account = slot->account;
    const char *get = gets.text[account];
    const char *end = memmem(get, gets.length[account], " HTTP/1.1", 9);
    int length = snprintf(request, sizeof request, "%.*s&wait=240&cursor=%s%.*s", (int)(end - get), get,
                          cursors[account], (int)(gets.length[account] - (size_t)(end - get)), end);
    begin(&slot->connection, request, (uint32_t)length);
    // A poll is small enough for an empty socket to take it whole.
    if (!send_rest(&slot->connection)) exit(1);
    slot->busy = 1;
}

static void ask_cursors(void) {
    size_t next = 0, done = 0;
    for (int i = 0; i < PUSHERS && next < count; i++, next++) {
        begin(&pushers[i].connection, gets.text[next], gets.length[next]);
        if (!send_rest(&pushers[i].connection)) exit(1);
        pushers[i].account = next;
    }
    while (done < count) {
        struct epoll_event events[PUSHERS];
        int ready = epoll_wait(epoll, events, PUSHERS, 30000);
        if (ready <= 0) exit(3);
        for (int i = 0; i < ready; i++) {
            struct slot *slot = events[i].data.ptr;
            int status = receive(&slot->connection);
            if (!status) continue;
            if (status != 200) {
                fprintf(stderr, "answer: %.300s\n", slot->connection.answer);
                exit(1);
            }
            keep_cursor(&slot->connection, slot->account);
            done++;
            if (next == count) continue;
            slot->account = next++;
            begin(&slot->connection, gets.text[slot->account], gets.length[slot->account]);
            if (!send_rest(&slot->connection)) exit(1);
        }
    }
    printf("%zu\n", done);
}

static void hold_all(void) {
    long long begun = nanoseconds(CLOCK_MONOTONIC);
    for (size_t i = 0; i < count; i++) {
        holders[i].account = i;
        holders[i].connection.socket = connect_to(port);
        watch(epoll, &holders[i].connection, EPOLL_CTL_ADD, EPOLLIN, (uint64_t)(uintptr_t)&holders[i]);
        poll(&holders[i]);
        // 2,500 a second: nobody says when a poll is parked, and a server may refuse more than it has time for.
        while (nanoseconds(CLOCK_MONOTONIC) < begun + (long long)i * 400000) usleep(200);
    }
    printf("%.6f\n", (nanoseconds(CLOCK_MONOTONIC) - begun) / 1e9);
}

static void wake(size_t wanted, double rate, const char *path) {
    size_t first = next_push, sent = 0, answered = 0, woken = 0, others = 0;
    long long begun = nanoseconds(CLOCK_MONOTONIC);
    while (answered < wanted || woken < wanted) {
        long long now = nanoseconds(CLOCK_MONOTONIC);
        if (now - begun > (long long)((wanted / rate + 30) * 1e9)) break;
        for (int i = 0; i < PUSHERS && sent < wanted && now >= begun + (long long)(sent / rate * 1e9); i++) {
            if (pushers[i].busy) continue;
            size_t push = next_push++;
            pushers[i].push = push;
            pushers[i].busy = 1;
            push_of_account[push % count] = push;
            times[push].sent = nanoseconds(CLOCK_REALTIME) / 1000;
            begin(&pushers[i].connection, pushes.text[push], pushes.length[push]);
            if (!send_rest(&pushers[i].connection)) exit(1);
            sent++;
        }
        long long wait = 100000000;
        if (sent < wanted) wait = begun + (long long)(sent / rate * 1e9) - nanoseconds(CLOCK_MONOTONIC);
        struct timespec until = {.tv_nsec = wait < 0 ? 0 : wait > 100000000 ? 100000000 : wait};
        struct epoll_event events[256];
        int ready = epoll_pwait2(epoll, events, 256, &until, NULL);
        for (int i = 0; i < ready; i++) {
            struct slot *slot = events[i].data.ptr;
            long long at = nanoseconds(CLOCK_REALTIME) / 1000;
            int status = receive(&slot->connection);
            if (!status) continue;
            if (status < 0 && slot->is_pusher && !slot->busy) {
                // It rested for too long: a server may close it then.
                close(slot->connection.socket);
                slot->connection.socket = connect_to(port);
                watch(epoll, &slot->connection, EPOLL_CTL_ADD, EPOLLIN, (uint64_t)(uintptr_t)slot);
                continue;
            }
            if (status < 0) {
                fprintf(stderr, "the server closed the connection of a %s after %.1f s\n",
                        slot->is_pusher ? "push" : "poll", (nanoseconds(CLOCK_MONOTONIC) - begun) / 1e9);
                exit(1);
            }
            slot->busy = 0;
            if (slot->is_pusher) {
                times[slot->push].answered = at;
                answered++;
                if (status != 200) others++;
                continue;
            }
            if (status == 200) {
                times[push_of_account[slot->account]].woken = at;
                woken++;
            } else {
                others++;
            }
            keep_cursor(&slot->connection, slot->account);
            poll(slot);
        }
    }
    double seconds = (nanoseconds(CLOCK_MONOTONIC) - begun) / 1e9;
    FILE *file = fopen(path, "w");
    for (size_t i = first; i < next_push; i++)
        fprintf(file, "%zu %lld %lld %lld\n", i, times[i].sent, times[i].answered, times[i].woken);
    fclose(file);
    printf("%zu %zu %.6f\n", woken, others, seconds);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    port = atoi(argv[1]);
    gets = read_requests(argv[2]);
    pushes = read_requests(argv[3]);
    count = gets.count;
    epoll = epoll_create1(0);
    holders = calloc(count, sizeof *holders);
    cursors = calloc(count, sizeof *cursors);
    push_of_account = calloc(count, sizeof *push_of_account);
    times = calloc(pushes.count, sizeof *times);
    for (int i = 0; i < PUSHERS; i++) {
        pushers[i].is_pusher = 1;
        pushers[i].connection.socket = connect_to(port);
        watch(epoll, &pushers[i].connection, EPOLL_CTL_ADD, EPOLLIN, (uint64_t)(uintptr_t)&pushers[i]);
    }
    char line[512], path[400];
    while (fgets(line, sizeof line, stdin)) {
        size_t wanted;
        double rate;
        if (!strncmp(line, "cursors", 7)) {
            ask_cursors();
        } else if (!strncmp(line, "hold", 4)) {
            hold_all();
        } else if (sscanf(line, "wake %zu %lf %399s", &wanted, &rate, path) == 3) {
            if (next_push + wanted > pushes.count) return 2;
            wake(wanted, rate, path);
        } else {
            return 2;
        }
        fflush(stdout);
    }
    return 0;
}
