// The yardstick for our HTTP server: evhttp alone, in C, with the same answer and no check of what arrives.
//
// cc -O2 -o evhttp_hello evhttp_hello.c -levent && ./evhttp_hello 8080
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY_LENGTH 300

static char body[BODY_LENGTH];

static void answer(struct evhttp_request *request, void *context) {
    (void)context;
    struct evkeyvalq *headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Content-Type", "application/json");
    evhttp_add_header(headers, "Cache-Control", "private, no-store");
    evbuffer_add(evhttp_request_get_output_buffer(request), body, BODY_LENGTH);
    evhttp_send_reply(request, HTTP_OK, NULL, NULL);
}

int main(int count, char **arguments) {
    int port = count > 1 ? atoi(arguments[1]) : 8080;
    signal(SIGPIPE, SIG_IGN);
    memset(body, 'x', BODY_LENGTH);

    struct event_base *base = event_base_new();
    struct evhttp *server = evhttp_new(base);
    evhttp_set_gencb(server, answer, NULL);
    if (evhttp_bind_socket(server, "127.0.0.1", port) != 0) {
        fprintf(stderr, "cannot listen on port %d\n", port);
        return 1;
    }
    event_base_dispatch(base);
    evhttp_free(server);
    event_base_free(base);
    return 0;
}
