// What the load generators share: connections to 127.0.0.1 that send prepared requests and read whole answers.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// A file of requests: for each, four bytes of length (little endian), then the bytes as they go over the wire.
struct requests {
    const char **text;
    uint32_t *length;
    size_t count;
};

static struct requests read_requests(const char *path) {
    struct requests requests = {0};
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) { perror(path); exit(1); }
    const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (bytes == MAP_FAILED) { perror(path); exit(1); }
    size_t capacity = 0;
    for (size_t offset = 0; offset + 4 <= (size_t)status.st_size;) {
        uint32_t length;
        memcpy(&length, bytes + offset, 4);
        if (requests.count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            requests.text = realloc(requests.text, capacity * sizeof *requests.text);
            requests.length = realloc(requests.length, capacity * sizeof *requests.length);
        }
        requests.text[requests.count] = bytes + offset + 4;
        requests.length[requests.count++] = length;
        offset += 4 + length;
    }
    return requests;
}

struct connection {
    int socket;
    uint32_t sent, received, capacity;
    const char *request;
    uint32_t request_length;
    char *answer;
};

static long long nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int connect_to(int port) {
    int socket_ = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || connect(socket_, (struct sockaddr *)&address, sizeof address)) { perror("connect"); exit(1); }
    int one = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(socket_, F_SETFL, O_NONBLOCK);
    return socket_;
}

static void watch(int epoll, struct connection *connection, int operation, uint32_t events, uint64_t tag) {
    struct epoll_event event = {.events = events, .data.u64 = tag};
    if (epoll_ctl(epoll, operation, connection->socket, &event)) { perror("epoll_ctl"); exit(1); }
}

// Sends what is left of the request; 1 if all is out.
static int send_rest(struct connection *connection) {
    while (connection->sent < connection->request_length) {
        ssize_t count = send(connection->socket, connection->request + connection->sent,
                             connection->request_length - connection->sent, MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EAGAIN) return 0;
            perror("send");
            exit(1);
        }
        connection->sent += (uint32_t)count;
    }
    return 1;
}

// Reads what is there. The status once the answer is complete, 0 while it is not, -1 if the server closed.
static int receive(struct connection *connection) {
    for (;;) {
        if (connection->capacity - connection->received < 2048) {
            connection->capacity = connection->capacity ? connection->capacity * 2 : 4096;
            if (connection->capacity > 64 << 20) exit(1);
            connection->answer = realloc(connection->answer, connection->capacity);
        }
        ssize_t count = recv(connection->socket, connection->answer + connection->received,
                             connection->capacity - connection->received - 1, 0);
        if (count == 0) return -1;
        if (count < 0) {
            if (errno != EAGAIN) return -1;
            break;
        }
        connection->received += (uint32_t)count;
    }
    if (!connection->received) return 0;
    connection->answer[connection->received] = 0;
    char *end = strstr(connection->answer, "\r\n\r\n");
    if (!end) return 0;
    char *length = strcasestr(connection->answer, "\r\nContent-Length:");
    size_t body = length && length < end ? strtoul(length + 17, NULL, 10) : 0;
    return connection->received >= (size_t)(end + 4 - connection->answer) + body ? atoi(connection->answer + 9) : 0;
}

static void begin(struct connection *connection, const char *request, uint32_t length) {
    connection->request = request;
    connection->request_length = length;
    connection->sent = connection->received = 0;
}
