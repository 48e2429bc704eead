// OpenSSL for Swift: the headers, and shims for macros that Swift cannot call.
#pragma once
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <openssl/err.h>
