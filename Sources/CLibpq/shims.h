// libpq for Swift: the headers, and shims for what Swift cannot call.
#pragma once
#include <libpq-fe.h>
