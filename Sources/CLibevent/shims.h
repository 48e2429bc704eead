// libevent for Swift: the headers, and shims for what Swift cannot call (macros).
#pragma once
// First, because libevent's configuration defines _GNU_SOURCE, and the C library's types would then differ from those
// Swift has already imported.
#include <features.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/eventfd.h>

// Function-like macros of OpenSSL: TLS 1.2 at least, and no buffers kept by an idle connection.
static inline int shim_tls_require_1_2(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}
