// A bare HTTP server on libevent's evhttp, one thread: reads the body, answers a fixed number of bytes with the headers a
// JSON answer has. Argument: bytes of the answer. Prints its port, then each line on standard input is answered with
// the nanoseconds of CPU used so far.
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static char *answer;
static size_t answer_length;

static void handle(struct evhttp_request *request, void *unused) {
    (void)unused;
    struct evbuffer *body = evhttp_request_get_input_buffer(request);
    evbuffer_pullup(body, -1);
    struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Content-Type", "application/json");
    evhttp_add_header(headers, "Cache-Control", "private, no-store");
    evbuffer_add(evhttp_request_get_output_buffer(request), answer, answer_length);
    evhttp_send_reply(request, 200, "OK", NULL);
}

static void line_came(evutil_socket_t descriptor, short what, void *base) {
    (void)what;
    char bytes[64];
    if (read(descriptor, bytes, sizeof bytes) <= 0) {
        event_base_loopbreak(base);
        return;
    }
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    printf("%lld\n", time.tv_sec * 1000000000LL + time.tv_nsec);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    answer_length = strtoul(argv[1], NULL, 10);
    answer = malloc(answer_length + 1);
    memset(answer, 'x', answer_length);
    struct event_base *base = event_base_new();
    struct evhttp *server = evhttp_new(base);
    evhttp_set_allowed_methods(server, EVHTTP_REQ_GET | EVHTTP_REQ_POST);
    evhttp_set_gencb(server, handle, NULL);
    struct evhttp_bound_socket *bound = evhttp_bind_socket_with_handle(server, "127.0.0.1", 0);
    if (!bound) return 1;
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &length);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct event *input = event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, line_came, base);
    event_add(input, NULL);
    event_base_dispatch(base);
    return 0;
}
