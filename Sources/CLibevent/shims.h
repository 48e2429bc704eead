// libevent for Swift: the headers, and shims for what Swift cannot call.
#pragma once
#include <event2/event.h>
#include <event2/http.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/thread.h>
#include <openssl/ssl.h>
